"""What experiments have come to, kept in the session: one experiment of one training at a time."""

from typing import Any

import streamlit as st

from playground.train.job import Trained

_KEPT = "results of "


def kept(experiment: str, trained: Trained) -> dict[object, Any]:
    """Return what was found for this training, which the caller adds to; of others, nothing.

    Whatever stopped the work, the next run of the page goes on from there.
    """
    key = _KEPT + experiment
    last: tuple[str, dict[object, Any]] | None = st.session_state.get(key)
    if last is None or last[0] != trained.identity:
        last = st.session_state[key] = (trained.identity, {})
    return last[1]
