"""One text cut in several ways, row above row over the same bytes.

Pointing at anything lights up what shares its bytes in every other row. With a recorded training
one row follows a slider through its merges, and a chart holds its length against the others'.
"""

import base64
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from playground import merge_view
from playground.merge_view import Card, Events
from playground.ui import i18n

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "bpe_ladder",
    css=merge_view.STYLE + (_HERE / "ladder.css").read_text(encoding="utf-8"),
    js=merge_view.SHARED_SCRIPTS + (_HERE / "ladder.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Row:
    """A text cut into cells: how many bytes each has, and what is written on it.

    ``labels`` stand in place of the text, such as ``<unk>``. A row of kind ``"bpe"`` needs no
    ``sizes``: it follows the slider.
    """

    name: str
    kind: Literal["bytes", "characters", "words", "tokens", "bpe"]
    sizes: Sequence[int] = ()
    labels: Sequence[str | None] | None = None
    ids: Sequence[int] | None = None
    note: str = ""
    faded: Sequence[int] = ()
    """Indices of cells that are drawn faintly."""
    count: int | None = None
    """What is said of the row's length; by default how many cells it has."""


@dataclass(frozen=True)
class Point:
    """A row of the chart: how large its vocabulary is, and how long the text."""

    name: str
    size: int
    length: int


def ladder(
    text: str,
    rows: Sequence[Row],
    *,
    key: str,
    training: Events | None = None,
    pieces: Sequence[str] = (),
    step: int = 0,
    cards: Sequence[Card] = (),
    points: Sequence[Point] | None = None,
    translate: Callable[[str], str] = i18n._,
) -> None:
    """Draw the rows. ``training`` with ``pieces``, the pre-tokens of ``text``, adds the slider.

    ``points`` add the chart of length against vocabulary size; the training's curve is in it.
    """
    _ = translate
    data: dict[str, Any] = {
        "version": f"{hash((text, tuple(row.name for row in rows)))}",
        "bytes": base64.b64encode(text.encode()).decode("ascii"),
        "rows": [asdict(row) for row in rows],
        "cards": [asdict(card) for card in cards],
        "pieces": [len(piece.encode()) for piece in pieces],
        "step": step,
        "training": training
        and {**merge_view.wire(training, rounds=False), "version": training.digest},
        "chart": None,
        "labels": {
            "transport": merge_view.labels(_)["transport"],
            "hint": _("Point at anything: it lights up in every row."),
            "id": _("id {id}"),
            "merge": _("merge {step}"),
        },
    }
    if training is not None and points is not None:
        data["chart"] = {
            "base": len(training.symbols) + len(training.specials),
            "points": [asdict(point) for point in points],
            "xTitle": _("size of the vocabulary"),
            "yTitle": _("symbols in the text"),
            "alt": _("Length of the text against the size of the vocabulary"),
        }
    _component(key=key, data=data)
