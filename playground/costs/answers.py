"""The answers to a prompt in either language: texts, or just how long they are."""

import streamlit as st

from bpe import samples
from playground import pairs, settings
from playground.costs import fields
from playground.texts import _

_FILLED = "cost_answers_filled_with"


def choose() -> tuple[dict[str, str], dict[str, int]]:
    """Draw the answers; return their texts by language, or else their lengths in tokens.

    Where there is a text, the models count it; the lengths are then empty.
    """
    kind = settings.segments(
        _("Answers"),
        {"text": _("as texts"), "tokens": _("by length")},
        key="answers",
    )
    if kind == "tokens":
        left, right = st.columns(2)
        with left:
            zh = fields.whole(_("Chinese, tokens"), "answer_zh", 300)
        with right:
            en = fields.whole(_("English, tokens"), "answer_en", 300)
        return {}, {"zh": zh, "en": en}
    domain = st.session_state.get("sample")
    if domain != st.session_state.get(_FILLED):
        if domain in samples.DOMAINS:
            chosen = samples.pairs(domain)[pairs.SENTENCES : 2 * pairs.SENTENCES]
            st.session_state["answer_text_zh"] = "\n".join(pair.zh for pair in chosen)
            st.session_state["answer_text_en"] = "\n".join(pair.en for pair in chosen)
        st.session_state[_FILLED] = domain
    with st.expander(_("The answers")):
        zh_text = st.text_area(
            _("Answer in Chinese"), key="answer_text_zh", height=120, persist_state="session"
        )
        en_text = st.text_area(
            _("Answer in English"), key="answer_text_en", height=120, persist_state="session"
        )
    return {"zh": zh_text or "", "en": en_text or ""}, {}
