"""The parts of a text's comparison: on a wide screen the settings in a row above the picture, on a
phone the picture first, then the settings, then the rest."""

from typing import Any

import streamlit as st

_STYLE = """<style>
@media (max-width: 640px) {
  :has(> .st-key-compare_settings), .st-key-compare_settings { order: 2 }
  :has(> .st-key-compare_rest), .st-key-compare_rest { order: 3 }
}
</style>"""


def parts() -> tuple[Any, Any, Any]:
    """Return the places for the settings, for the picture, and for the rest."""
    st.html(_STYLE)
    return (
        st.container(key="compare_settings"),
        st.container(key="compare_picture"),
        st.container(key="compare_rest"),
    )
