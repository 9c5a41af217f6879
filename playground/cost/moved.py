"""Links and session files of earlier versions, whose sections are parts of others now."""

import json
from typing import Any

import streamlit as st

from playground.ui import state
from playground.ui.state import Field

_SECTIONS: dict[str, dict[str, Any]] = {
    "month": {"section": "languages", "every": "month"},
    "window": {"section": "conversation", "request_of": "window"},
}
_RENAMED = {
    "a_requests": "both_requests", "a_cached": "both_cached", "a_batch": "both_batch",
    "a_written": "both_written", "a_days": "both_days", "a_reasoning": "reasoning",
}  # fmt: skip


def follow() -> None:
    """Open what a link of before means; call it before the first field of the page."""
    section = _given("section")
    if not isinstance(section, str) or section not in _SECTIONS:
        return
    values = dict(_SECTIONS[section])
    for before, now in _RENAMED.items():
        if (value := _given(before)) is not None:
            values[now] = json.loads(value) if isinstance(value, str) and value.isdigit() else value
            st.query_params.pop(before, None)
    for name in values:
        st.query_params.pop(name, None)
    state.restore(values)


def _given(key: str) -> Any:
    """Return what a session file or else the address has for a field."""
    pending = Field(key, None).pending
    return st.query_params.get(key) if pending is None else pending
