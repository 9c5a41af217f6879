"""The trained tokenizers of a session: those that the reader named or uses, and the last one."""

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.text import own_pattern
from playground import session
from playground.train import corpus, job
from playground.train.corpus import Corpus
from playground.train.job import Trained
from playground.ui import fields
from playground.ui.i18n import _, language, plain
from playground.ui.state import Field

_LAST = Field("trained last", "")


def save(trained: Trained, learned_from: Corpus) -> str:
    """Add a tokenizer to the session under a name that describes it; return its code.

    The one before it is removed, unless it was named, or chosen on another page.
    """
    called = name(trained.recipe, trained.tokenizer.vocabulary_size, learned_from.name)
    made = session.Made(trained.recipe, learned_from.source)
    code = session.add_trained(trained.tokenizer, trained.corpus_digest, called, made)
    if code not in session.persistent():
        session.rename(code, called)  # in the language of today
    last = _LAST.get()
    if last != code:
        used = {*session.persistent(), *fields.chosen("tokenizers", ())}
        if last and last not in used:
            session.remove(last)
        _LAST.set(code)
    return code


def name(recipe: Recipe, size: int, corpus: str) -> str:
    """Return what a tokenizer is called until the reader names it."""
    match recipe.algorithm:
        case "byte-bpe":
            kind = _("byte-level")
            if own_pattern.is_own(recipe.pattern):
                kind += " · " + _("own pattern")
            elif recipe.pattern != "gpt2":
                kind += f" · {recipe.pattern}"
        case "character-bpe":
            kind = _("character-level") + (f" {recipe.end_of_word}" if recipe.end_of_word else "")
        case "wordpiece":
            kind = "WordPiece"
        case "sentencepiece-bpe":
            kind = "SentencePiece BPE"
        case "unigram":
            kind = "Unigram"
    return f"{corpus} · {kind} · {size:,}"


def naming(code: str) -> None:
    # The name changes with the language: a field of each, so that what a browser sends of the other
    # is told from what is typed.
    key = f"name-{code}-{language()}"
    Field(key, "").set(label := session.label(code))
    st.text_input(
        _("Tokenizer name"),
        key=key,
        max_chars=60,
        on_change=_rename,
        args=(code, key, label),
    )


def _rename(code: str, key: str, shown: str) -> None:
    """Take a name that was typed; for a callback.

    Streamlit calls it, too, when a browser sends this field after it is gone, with the name that it
    showed: that of a tokenizer that may be gone as well.
    """
    given = (Field(key, "").get() or "").strip()
    if given and given != shown and code in session.own():
        session.rename(code, given)
        session.persist(code)


def train_again(made: session.Made, name: str, code: str) -> None:
    """Train a tokenizer that a link names on its corpus, and add it under its code, to stay.

    Raises :class:`bpe.BPEError` where it cannot be trained; a click may stop it.
    """
    found = corpus.from_source(made.corpus, name) if made.corpus else None
    if found is None:
        raise BPEError("There is no corpus to train “{name}” on.", name=name)
    trained = job.train(found, made.recipe)
    session.restore(code, trained.tokenizer, name, made)


def list_others(current: str) -> None:
    """List the tokenizers trained before ``current`` of this session, to be removed."""
    others = [code for code in session.own() if code.startswith(session.OWN)]
    others = [code for code in others if code != current]
    if not others:
        return
    with st.expander(_("Your other tokenizers: {count}").format(count=f"{len(others):,}")):
        st.caption(_("A tokenizer stays when it has been named, or chosen on another page."))
        for code in others:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(plain(session.label(code)))
                st.button(
                    _("Remove"),
                    key=f"remove-{code}",
                    type="tertiary",
                    icon=":material/close:",
                    on_click=session.remove,
                    args=(code,),
                )
