"""The two halves of the Train page: settings beside the result, or below it on a phone."""

from typing import Any

import streamlit as st

_STYLE = """<style>
@media (max-width: 640px) {
  [data-testid="stColumn"]:has(.st-key-train_result) { order: -1 }
}
</style>"""


def halves() -> tuple[Any, Any]:
    """Return the places for the settings and for the result."""
    st.html(_STYLE)
    settings, result = st.columns([1, 2], gap="large")
    return settings, result.container(key="train_result")
