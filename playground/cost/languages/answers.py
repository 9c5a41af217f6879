"""The answers to a prompt in either language: texts, or just how long they are."""

import streamlit as st

from bpe.pricing.languages import Language
from bpe.text import samples
from playground.ui import fields, settings, text_pair
from playground.ui.i18n import _

_FILLED = "cost_answers_filled_with"


def choose() -> dict[Language, str | int]:
    """Draw the answers; return the text of each, which the models count, or its length."""
    kind = settings.segments(
        _("Answers"),
        {"text": _("as texts"), "tokens": _("by length")},
        key="answers",
    )
    return _lengths() if kind == "tokens" else _texts()


def _lengths() -> dict[Language, str | int]:
    left, right = st.columns(2)
    with left:
        zh = fields.whole(_("Chinese, tokens"), "answer_zh", 300)
    with right:
        en = fields.whole(_("English, tokens"), "answer_en", 300)
    return {"zh": zh, "en": en}


def _texts() -> dict[Language, str | int]:
    """Draw two texts; with each choice of a sample they become the sentences after its own."""
    domain = st.session_state.get("sample")
    if domain != st.session_state.get(_FILLED):
        if domain in samples.DOMAINS:
            chosen = samples.pairs(domain)[text_pair.SENTENCES : 2 * text_pair.SENTENCES]
            st.session_state["answer_text_zh"] = "\n".join(pair.zh for pair in chosen)
            st.session_state["answer_text_en"] = "\n".join(pair.en for pair in chosen)
        st.session_state[_FILLED] = domain
    with st.expander(_("The answers")):
        zh = st.text_area(
            _("Answer in Chinese"), key="answer_text_zh", height=120, persist_state="session"
        )
        en = st.text_area(
            _("Answer in English"), key="answer_text_en", height=120, persist_state="session"
        )
    return {"zh": zh or "", "en": en or ""}
