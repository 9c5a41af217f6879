"""You draw it: the reader places a point in every column, then the measured ones appear."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import streamlit as st

from playground import browser
from playground.ui.i18n import _

_component = browser.component("bpe_guess", "learn/guess/guess.js", "learn/guess/guess.css")


@dataclass(frozen=True)
class Column:
    """What a value is asked for: its name, and a second line under it."""

    name: str
    size: str


def guess(
    columns: Sequence[Column],
    measured: Callable[[], Sequence[float]],
    *,
    key: str,
    most: float,
    unit: str = "",
    placed: Sequence[float] | None = None,
) -> Sequence[float] | None:
    """Draw the columns, values from 0 to ``most``; return what the reader placed, once revealed.

    ``placed`` is a guess of earlier. ``measured`` is called only after the reveal.
    """
    said = (st.session_state.get(key) or {}).get("placed") or placed
    values = [float(value) for value in said] if said and len(said) == len(columns) else None
    data = {
        "columns": [asdict(column) for column in columns],
        "start": [most / 2] * len(columns),
        "placed": values,
        "measured": None if values is None else list(measured()),
        "most": most,
        "unit": unit,
        "labels": {
            "reveal": _("Show the measurement"),
            "hint": _("Drag the points up or down, or use the arrow keys."),
            "alt": _("Your guess, a point in each column"),
        },
    }
    _component(key=key, data=data, on_placed_change=lambda: None)
    return values
