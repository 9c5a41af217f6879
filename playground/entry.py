"""The pages in their order, and the way into them: always through ``app.py``."""

import streamlit as st

from playground.texts import _

_KEY = "came through app.py"


def navigation() -> st.Page:
    """Draw the navigation and return the page that was asked for; for ``app.py``."""
    st.session_state[_KEY] = True
    return st.navigation(_pages(), position="top")


def through_app() -> None:
    """Start over with ``app.py`` if this run has not come from it; page and URL stay the same.

    Until ``st.navigation`` has been called once in a server's life, Streamlit takes the folder
    ``pages/`` for its older kind of app: a link straight to a page then runs that page alone,
    without the header, the language and the navigation that ``app.py`` draws.
    """
    if not st.session_state.pop(_KEY, False):
        st.navigation(_pages(), position="top")
        st.rerun()


def _pages() -> list[st.Page]:
    return [
        st.Page(
            "pages/train.py",
            title=_("Train"),
            icon=":material/model_training:",
            help=_("Train a BPE tokenizer on your own text and watch each merge."),
            default=True,
        ),
        st.Page(
            "pages/compare.py",
            title=_("Compare"),
            icon=":material/compare_arrows:",
            help=_("See one text through the tokenizers of many models, byte by byte."),
        ),
        st.Page(
            "pages/cost.py",
            title=_("Cost"),
            icon=":material/payments:",
            help=_("What a text costs on each model, in Chinese and in English."),
        ),
        st.Page(
            "pages/learn.py",
            title=_("Learn"),
            icon=":material/school:",
            help=_("How BPE works, run live on your own words."),
        ),
    ]
