"""The parts of the Train page: on a wide screen the settings beside the picture and what follows
it, on a phone the picture first, then the settings, then the rest."""

from typing import Any

import streamlit as st

_STYLE = """<style>
[data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"] .st-key-train_picture) {
  display: grid;
  grid-template: "settings picture" auto "settings rest" 1fr / minmax(0, 1fr) minmax(0, 2fr);
}
[data-testid="stHorizontalBlock"] > [data-testid="stColumn"]:has([class*="st-key-train_"]) {
  width: auto;
  min-width: 0;
}
[data-testid="stColumn"]:has(.st-key-train_settings) { grid-area: settings }
[data-testid="stColumn"]:has(.st-key-train_picture) { grid-area: picture }
[data-testid="stColumn"]:has(.st-key-train_rest) { grid-area: rest }
@media (max-width: 640px) {
  [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"] .st-key-train_picture) {
    grid-template: "picture" auto "settings" auto "rest" auto / minmax(0, 1fr);
  }
}
</style>"""


def parts() -> tuple[Any, Any, Any]:
    """Return the places for the settings, for the picture, and for the rest."""
    st.html(_STYLE)
    inputs, picture, rest = st.columns(3, gap="large")
    return (
        inputs.container(key="train_settings"),
        picture.container(key="train_picture"),
        rest.container(key="train_rest"),
    )


def opened(label: str, *, icon: str, key: str) -> Any:
    """Draw a section that can be opened; return its place, or ``None`` while it is closed.

    So nothing of it is worked out before it is opened.
    """
    place = st.expander(label, icon=icon, key=key, on_change="rerun")
    return place if place.open else None
