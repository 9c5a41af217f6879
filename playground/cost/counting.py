"""Counting a text for models, with the reader's own calibrations where there are any.

Counts of the last few texts are kept in the session, so that a click on something else does not
count again. Many texts at once are in ``many_counts.py``.
"""

from collections.abc import Iterable, Sequence

import streamlit as st

from bpe import pricing
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.pricing import Calibration, Model, TokenCount
from playground.ui.i18n import _

KEPT = 24
_COUNTS = "token counts"
_CALIBRATIONS = "own calibrations"


def count(models: Sequence[Model], text: str) -> dict[str, TokenCount]:
    """Return the tokens of a text for each model by id; the first time, say what takes so long."""
    cache: dict[object, dict[str, TokenCount]] = st.session_state.setdefault(_COUNTS, {})
    key = (text, *counted_by(models))
    if key not in cache:
        with st.spinner(_("Counting tokens…"), show_time=True):
            counted = count_anew(models, text)
        while len(cache) >= KEPT:
            cache.pop(next(iter(cache)))
        cache[key] = counted
    return cache[key]


def counted_by(models: Iterable[Model]) -> tuple[object, ...]:
    """Return what decides the count of a text, beside the text."""
    return tuple(model.id for model in models), tuple(calibrations().items())


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


def uncertainty(counted: TokenCount) -> float:
    """Return how wide the range of a count is, as a share of it."""
    return (counted.high - counted.low) / (counted.tokens or 1)
