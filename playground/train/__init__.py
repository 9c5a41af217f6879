"""The parts of the Train page: on a wide screen the settings beside the picture and what follows
it, on a phone the picture first, then the settings, then the rest."""

from typing import Any

import streamlit as st

from playground.ui import frame


def parts() -> tuple[Any, Any, Any, Any]:
    """Return the places for the settings, the size and numbers, the picture, and the rest."""
    with st.container(key="train_parts"):
        left, right = st.columns([1, 2], gap="large")
    settings = frame.hidden_until_styled("train_settings", left)
    picture = right.container(key="train_picture")
    numbers = picture.container(
        key="train_numbers", horizontal=True, gap="small", vertical_alignment="bottom"
    )
    return settings, numbers, picture, frame.hidden_until_styled("train_rest", right)
