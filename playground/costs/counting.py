"""Counting texts for models, with the reader's own calibrations where there are any.

Counts of the last few texts are kept in the session, so that a click on something else does not
count again.
"""

import time
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import streamlit as st

from bpe import catalog, pricing
from bpe.encoder import Encoder
from bpe.pricing import Calibration, Model, TokenCount
from playground.texts import _

KEPT = 24
REDRAW = 0.15
"""Seconds between two drawings of the progress, and so the time in which a click is noticed."""
_COUNTS = "token counts"
_COLUMNS = "counted columns"
_STOPPED = "counting was stopped"
_CALIBRATIONS = "own calibrations"


def count(models: Sequence[Model], text: str) -> dict[str, TokenCount]:
    """Return the tokens of a text for each model by id; the first time, say what takes so long."""
    cache: dict[object, dict[str, TokenCount]] = st.session_state.setdefault(_COUNTS, {})
    key = (text, tuple(model.id for model in models), tuple(calibrations().items()))
    if key not in cache:
        with st.spinner(_("Counting tokens…"), show_time=True):
            counted = count_anew(models, text)
        while len(cache) >= KEPT:
            cache.pop(next(iter(cache)))
        cache[key] = counted
    return cache[key]


def count_anew(models: Iterable[Model], text: str) -> dict[str, TokenCount]:
    """Return the tokens of a text for each model by id; a click in the meantime stops it."""
    models = list(models)
    own = calibrations()
    counted = pricing.count_for_all(models, text, encoder_for)
    for model in models:
        calibration = own.get(model.calibration or "")
        if calibration:
            counted[model.id] = pricing.count_tokens(
                model, text, encoder_for, calibration=calibration
            )
    return counted


@dataclass
class Column:
    """The counts of many texts for one model, in their order; it grows while they are counted."""

    tokens: "array[int]" = field(default_factory=lambda: array("q"))
    low: "array[int]" = field(default_factory=lambda: array("q"))
    high: "array[int]" = field(default_factory=lambda: array("q"))
    exact: bool = True

    def add(self, counted: TokenCount) -> None:
        """Append the count of the next text."""
        self.tokens.append(counted.tokens)
        self.low.append(counted.low)
        self.high.append(counted.high)
        self.exact = self.exact and counted.exactness == "exact"

    @property
    def badge(self) -> str:
        """Whether the sum is exact, or how far off it may be."""
        if self.exact:
            return _("exact")
        total = sum(self.tokens)
        off = max(sum(self.high) - total, total - sum(self.low))
        return _("estimate ±{percent} %").format(percent=-(-100 * off // (total or 1)))


def count_many(models: Sequence[Model], texts: Sequence[str], name: str) -> dict[str, Column]:
    """Return the counts of many texts for each model by id, with progress and a way to stop.

    ``name`` says which texts these are. What was counted before a click is kept, and counting goes
    on from there; after a click on Stop, only when the reader says so.
    """
    shelf: dict[object, dict[str, Column]] = st.session_state.setdefault(_COLUMNS, {})
    key = (name, tuple(model.id for model in models), tuple(calibrations().items()))
    if key not in shelf:
        while len(shelf) >= 4:
            shelf.pop(next(iter(shelf)))
        shelf[key] = {model.id: Column() for model in models}
        st.session_state.pop(_STOPPED, None)
    columns = shelf[key]
    done = min((len(column.high) for column in columns.values()), default=len(texts))
    if done == len(texts):
        return columns
    if st.session_state.get(_STOPPED):
        _say_stopped(done, len(texts))
        return columns
    place = st.empty()
    drawn = time.perf_counter()
    bar = None
    for number in range(done, len(texts)):
        counted = count_anew(models, texts[number])
        for model_id, column in columns.items():
            column.add(counted[model_id])
        if time.perf_counter() - drawn > REDRAW:
            drawn = time.perf_counter()
            if bar is None:
                with place.container():
                    bar = st.progress(0.0)
                    st.button(
                        _("Stop"),
                        icon=":material/stop_circle:",
                        key="stop_counting",
                        on_click=_stop,
                    )
            bar.progress(
                (number + 1) / len(texts),
                text=_("{done} of {all} texts counted").format(
                    done=f"{number + 1:,}", all=f"{len(texts):,}"
                ),
            )
    place.empty()
    return columns


def _stop() -> None:
    st.session_state[_STOPPED] = True


def _go_on() -> None:
    st.session_state.pop(_STOPPED, None)


def _say_stopped(done: int, every: int) -> None:
    st.warning(
        _("Stopped: {done} of {all} texts are counted, and only these are shown.").format(
            done=f"{done:,}", all=f"{every:,}"
        ),
        icon=":material/stop_circle:",
    )
    st.button(_("Go on"), icon=":material/play_circle:", on_click=_go_on)


def encoder_for(name: str) -> Encoder:
    """Return an encoder of the catalogue; asked between two countings, so here a click is seen."""
    st.session_state.get(_COUNTS)
    return catalog.encoding(name)


def calibrations() -> dict[str, Calibration]:
    """Return the calibrations measured in this session, by the name of the one they replace."""
    measured: dict[str, Calibration] = st.session_state.setdefault(_CALIBRATIONS, {})
    return measured


def badge(counted: TokenCount) -> str:
    """Return whether a count is exact, or how far off the estimate may be."""
    if counted.exactness == "exact":
        return _("exact")
    return _("estimate ±{percent} %").format(percent=counted.error_percent)
