"""What stands around every page: its style, and Streamlit's own words in the reader's language.

Streamlit has English words alone and an English ``<html lang>``, and no setting for either. A
script in the page writes them anew, in place, as they appear. Another keeps the browser's history
to one entry a page.
"""

from pathlib import Path

import streamlit as st

from playground import browser
from playground.ui.frame import words
from playground.ui.i18n import ENGLISH, html_tag, language

_HERE = Path(__file__).parent

_component = st.components.v2.component("bpe_frame", js=browser.script(_HERE / "translate.js"))


def style() -> None:
    """Add the style of the header, of small screens and of fingers to the page."""
    st.html(_HERE / "frame.css")


def translate() -> None:
    """Put the document, and what Streamlit writes on it, in the reader's language."""
    with st.container(key="frame_words"):
        _component(
            data={
                "lang": html_tag(),
                "words": words.of_streamlit() if language() != ENGLISH else {},
            },
            key="frame",
        )
