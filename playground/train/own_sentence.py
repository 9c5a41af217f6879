"""A sentence of the reader's, coloured with each key by the tokenizer that was just trained."""

import streamlit as st

from bpe.encoders.base import Encoder
from playground.editor import editor
from playground.ui.i18n import _


@st.fragment
def show(tokenizer: Encoder) -> None:
    """Draw the sentence; the rest of the page does not depend on it."""
    editor(
        _("Your sentence, cut by this tokenizer"),
        tokenizer,
        key="train_sentence",
        default=_("A tokenizer cuts what you type here, letter by letter."),
        placeholder=_("Type or paste a text: each key is answered in colour."),
        rows=4,
    )
