"""The sections of the Cost page, each with a function for its inputs and one for its result.

``choose(context)`` draws the fields of a section and returns what they hold, ``show(context,
inputs)`` draws what comes of it; the context is the prices, currency and moment of
``price_settings.py``. Here is how links and session files of earlier versions find their section.
"""

import json
from typing import Any

import streamlit as st

from playground import session
from playground.ui import state
from playground.ui.state import Field

_CHAT = {"section": "conversation", "request_of": "conversation"}
_RENAMED = {
    "a_requests": "both_requests", "a_cached": "both_cached", "a_batch": "both_batch",
    "a_written": "both_written", "a_days": "both_days", "a_reasoning": "reasoning",
    "reserve": "reply", "system": "begins", "row_output": "row_tokens",
    "answer_zh": "answer_tokens",
}  # fmt: skip


def follow_old_link() -> None:
    """Open what a link of before means; call it before the first field of the page."""
    section, part, model = map(_from_outside, ("section", "request_of", "model"))
    if section == "month":
        values: dict[str, Any] = {"section": "languages", "every": "month"}
    elif section == "window" or part == "window":
        values = {**_CHAT, "turns": 1, "user": 0, **_window_text()}
    elif section == "batch" and _from_outside("row_output") is not None:
        values = {"section": section, "row_answers": "tokens"}
    elif isinstance(model, str) and part == "messages":
        values = {"request_of": part, "request_model": model}
    elif isinstance(model, str) and section == "conversation":
        others = Field("models", None).pending or st.query_params.get_all("models")
        values = {**_CHAT, "text_from": "tokens", "models": [model, *filter(None, others)]}
    else:
        values = {}
    for before, now in _RENAMED.items():
        if (value := _from_outside(before)) is not None:
            values[now] = json.loads(value) if isinstance(value, str) and value.isdigit() else value
    if not values:
        return
    for name in (*values, *_RENAMED, "model", "month_of", "window_text"):
        st.query_params.pop(name, None)
        state.forget([name])
    state.restore(values)


def _from_outside(key: str) -> Any:
    """Return what a session file or else the address has for a field."""
    pending = Field(key, None).pending
    return st.query_params.get(key) if pending is None else pending


def _window_text() -> dict[str, Any]:
    text = _from_outside("window_text")
    if not isinstance(text, str):
        return {}
    side = session.language_of(text) or session.SIDES[0]
    return {
        session.SAMPLE: session.OWN_TEXT,
        session.TEXT_SIDES.key: [side],
        session.side(side).key: text,
    }
