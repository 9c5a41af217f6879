"""A warning of advertising, shown before the longest Chinese tokens of a vocabulary are listed."""

import streamlit as st

from playground.ui import fields
from playground.ui.i18n import _


def ask(key: str) -> bool:
    """Say what many of the tokens are, and return whether the reader wants to see them."""
    st.markdown(
        _(
            "A vocabulary mirrors the pages that it was learned on. Of GPT's long Chinese "
            "tokens **more than a fifth** are advertising for gambling and pornography "
            "([arXiv 2508.17771](https://arxiv.org/abs/2508.17771)): spam repeats itself, and "
            "what repeats is merged. The longest ones of GPT-4o are of that kind."
        )
    )
    return fields.stored_switch(_("Show them anyway"), key)
