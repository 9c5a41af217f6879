"""A Chinese and an English text of the same meaning: samples by domain, or the reader's own."""

import streamlit as st

from bpe import samples
from playground import settings
from playground.texts import _

OWN = "own"
SENTENCES = 3
"""How many sample pairs make a text: enough to see, few enough to read."""


def domain_names() -> dict[str, str]:
    """Return the sample domains in the reader's language."""
    return {
        "news": _("News"),
        "dialogue": _("Dialogue"),
        "documentation": _("Documentation"),
        "law": _("Law"),
        "literary": _("Literature"),
        "code": _("Numbers and code"),
        "social": _("Social media"),
    }


def text_areas(page: str) -> dict[str, str]:
    """Draw the choice of a sample and both texts; return them by language.

    What the reader types is kept for the session and stays out of the URL.
    """
    names = {**domain_names(), OWN: _("My own texts")}
    zh_key, en_key = f"{page}_zh", f"{page}_en"
    domain = settings.select(_("Sample texts"), names, key="sample")
    filled_key = f"{page}_filled_with"
    if st.session_state.get(filled_key) != domain:
        if domain != OWN:
            chosen = samples.pairs(domain)[:SENTENCES]
            st.session_state[zh_key] = "\n".join(pair.zh for pair in chosen)
            st.session_state[en_key] = "\n".join(pair.en for pair in chosen)
        st.session_state[filled_key] = domain
    zh = st.text_area(_("Chinese"), key=zh_key, height=170, persist_state="session")
    en = st.text_area(_("English"), key=en_key, height=170, persist_state="session")
    return {"zh": zh or "", "en": en or ""}
