"""Which trained tokenizers stay in the session: those that were named or used, and the last."""

import streamlit as st

from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from playground import session
from playground.ui import settings
from playground.ui.i18n import _

_LAST = "trained last"
_NAMED = "named by the reader"


def keep(tokenizer: Tokenizer | CharacterTokenizer, corpus: str) -> str:
    """Keep a tokenizer under a name that says what it is; return its code.

    The one before it is forgotten, unless it was named, or chosen on another page.
    """
    code = session.keep_trained(tokenizer, name(tokenizer, corpus))
    last = st.session_state.get(_LAST)
    if last != code:
        used = {*st.session_state.get(_NAMED, ()), *settings.chosen("tokenizers", ())}
        if last is not None and last not in used:
            session.forget(last)
        st.session_state[_LAST] = code
    return code


def name(tokenizer: Tokenizer | CharacterTokenizer, corpus: str) -> str:
    """Return what a tokenizer is called until the reader names it."""
    recipe = tokenizer.recipe
    if isinstance(tokenizer, CharacterTokenizer):
        kind = _("character-level") + (f" {recipe.end_of_word}" if recipe.end_of_word else "")
    else:
        kind = _("byte-level")
        if recipe.pattern != "gpt2":
            kind += f" · {recipe.pattern}"
    return f"{corpus} · {kind} · {tokenizer.vocabulary_size:,}"


def naming(code: str) -> None:
    """Draw the field in which the reader may name a tokenizer."""
    key = f"name-{code}"
    st.text_input(
        _("Its name on the other pages"),
        session.label(code),
        key=key,
        max_chars=60,
        on_change=_rename,
        args=(code, key),
    )


def _rename(code: str, key: str) -> None:
    if given := (st.session_state[key] or "").strip():
        session.rename(code, given)
        st.session_state.setdefault(_NAMED, set()).add(code)
