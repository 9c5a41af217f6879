"""One text cut in several ways, row above row over the same bytes.

Pointing at anything lights up what shares its bytes in every other row. With a slider, rows change
from position to position: one with the merges of a recorded training, whose length a chart holds
against the others', or each with the frames that it has.
"""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from playground import browser, merge_view
from playground.merge_view import Card, Events
from playground.ui.i18n import _

_component = browser.component("bpe_ladder", "learn/ladder/ladder.js", "learn/ladder/ladder.css")


@dataclass(frozen=True)
class Frame:
    """How a row is cut from a position of the slider on: how many bytes each cell has.

    ``labels`` stand in place of the text, such as ``<unk>``. The sizes may end before the text
    does.
    """

    step: int
    sizes: Sequence[int]
    labels: Sequence[str | None] | None = None
    ids: Sequence[int] | None = None
    note: str = ""
    """Said below the rows."""
    faded: Sequence[int] = ()
    """Indices of cells that are drawn faintly."""
    count: int | None = None
    """The label of the row's length; by default how many cells it has."""


@dataclass(frozen=True)
class Row:
    """A text cut into cells; one of kind ``"bpe"`` has no frames, as it follows the training."""

    name: str
    kind: Literal["bytes", "characters", "words", "tokens", "bpe"]
    frames: Sequence[Frame] = ()
    """The first is of position 0."""
    walls: Sequence[int] = ()
    """Bytes before which a boundary is marked."""


def characters(signs: Iterable[str], labels: Sequence[str | None] | None = None) -> Row:
    sizes = [len(sign.encode()) for sign in signs]
    return Row(_("characters"), "characters", [Frame(0, sizes, labels)])


def single_bytes(text: str) -> Row:
    return Row(_("bytes"), "bytes", [Frame(0, [1] * len(text.encode()))])


def frames(sequence: Iterable[Frame]) -> tuple[Frame, ...]:
    changed: list[Frame] = []
    for frame in sequence:
        if not changed or replace(frame, step=changed[-1].step) != changed[-1]:
            changed.append(frame)
    return tuple(changed)


def merges_done(steps: range) -> list[str]:
    """Return what is written beside the slider after each of these numbers of merges."""
    written = _("merges: {step} / {last}")
    return [written.format(step=f"{step:,}", last=f"{steps[-1]:,}") for step in steps]


def ladder(
    text: str,
    rows: Sequence[Row],
    *,
    key: str,
    training: Events | None = None,
    pieces: Sequence[str] = (),
    step: int = 0,
    cards: Sequence[Card] = (),
    points: Sequence[tuple[str, int, int]] | None = None,
    positions: Sequence[str] = (),
    notes: str = "",
) -> None:
    """Draw the rows. ``training`` with ``pieces``, the pre-tokens of ``text``, adds the slider.

    ``points`` add the chart of length against vocabulary size, with the training's curve: of a
    row its name, the size of its vocabulary, and how long the text is.
    ``positions`` say what is written beside the slider of frames, one for each of its positions.
    ``notes`` stands above the notes of the rows.
    A card speaks of ``"rows"``, ``"chart"``, ``"transport"``, or rows by number: ``"rows 0,2"``.
    """
    words = merge_view.labels()["transport"]
    if positions:
        words |= {"back": _("One step back"), "on": _("One step on"), "slider": _("Step")}
    data: dict[str, Any] = {
        "version": f"{hash((text, tuple(row.name for row in rows), len(positions)))}",
        "bytes": base64.b64encode(text.encode()).decode("ascii"),
        "rows": [asdict(row) for row in rows],
        "cards": [asdict(card) for card in cards],
        "pieces": [len(piece.encode()) for piece in pieces],
        "step": step,
        "positions": positions,
        "notes": notes,
        "training": training
        and {**merge_view.wire(training, rounds=False), "version": training.digest},
        "chart": None,
        "labels": {
            "transport": words,
            "hint": _("Click anything: it lights up in every row."),
            "id": _("id {id}"),
            "merge": _("merge {step}"),
        },
    }
    if training is not None and points is not None:
        data["chart"] = {
            "base": len(training.symbols) + len(training.specials),
            "points": points,
            "xTitle": _("size of the vocabulary"),
            "yTitle": _("symbols in the text"),
            "alt": _("Length of the text against the size of the vocabulary"),
        }
    _component(key=key, data=data)
