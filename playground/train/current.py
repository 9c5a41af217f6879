"""The training that the page shows, and the tokenizers that trainings leave in the session.

It is that of what the form says, or the last one that was possible. Its tokenizer stays beside
those that the reader named or uses; the one before it goes.
"""

from typing import Any

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.training.algorithms import algorithm_of
from playground import session
from playground.train import job
from playground.train.corpus import Corpus, from_source, size_text, source_name
from playground.train.job import Trained
from playground.ui import fields
from playground.ui.i18n import _, error_text, language
from playground.ui.state import Field

SAID_FROM = 2.0
ASKED_FROM = 20.0
"""Seconds from which a training is announced, and from which the reader is asked."""

_ASKED: Field[set[tuple[str, str]]] = Field("long trainings that the reader wants", set())


def wanted(corpus: Corpus, recipe: Recipe) -> bool:
    """Say what a long training will take; return whether it is to begin."""
    hanzi = min(3 * corpus.hanzi / max(corpus.size, 1), 1.0)  # their share of the bytes
    seconds, memory = algorithm_of(recipe).effort(corpus.size, corpus.characters, hanzi)
    if seconds < SAID_FROM:
        return True
    text = _("Estimate: about {seconds} s and {memory} of memory.").format(
        seconds=f"{seconds:.0f}", memory=size_text(round(memory, -6))
    )
    wanted_before = _ASKED.stored()
    identity = (corpus.digest, recipe.digest)
    if seconds < ASKED_FROM or identity in wanted_before:
        st.caption(text)
        return True
    st.info(text, icon=":material/hourglass_top:")
    if st.button(_("Train anyway"), icon=":material/play_circle:", key="train_long"):
        wanted_before.add(identity)
        st.rerun()
    return False


_FORMER = """<style>
.st-key-train_picture > :not(:has(.st-key-train_empty)):not(:has(.st-key-train_numbers)),
.st-key-train_rest { opacity: 0.4; }
</style>"""


_LAST: Field[tuple[Trained, Corpus] | None] = Field("last trained", None)


def train(
    corpus: Corpus | None, recipe: Recipe | None, wrong: Any
) -> tuple[Trained, Corpus] | None:
    """Train by a recipe; return the training with its corpus, ``None`` where there is none yet.

    Without a recipe that can be trained, the last training is returned; what is wrong with it is
    said at the place for that.
    """
    if corpus is None:
        with st.container(key="train_empty"):
            st.info(_("There is no text yet: type or paste one, choose files, or take an example."))
        if _LAST.is_set:
            st.html(_FORMER)
    elif recipe:
        if not wanted(corpus, recipe):
            return None
        try:
            _LAST.set((job.train(corpus, recipe, over_former=_LAST.is_set), corpus))
        except BPEError as error:
            wrong.error(error_text(error))
            recipe = None
    if corpus is not None and recipe is None:
        st.warning(
            _("These settings cannot be trained, so this is still the result of the former ones.")
            if _LAST.is_set
            else _("These settings cannot be trained. What is wrong is said beside them.")
        )
    return _LAST.get()


# The tokenizers of the session

_LAST_CODE = Field("trained last", "")


def save(trained: Trained, learned_from: Corpus) -> str:
    """Add a tokenizer to the session under a name that describes it; return its code.

    The one before it is removed, unless it was named, or chosen on another page.
    """
    size = trained.tokenizer.vocabulary_size
    called = usual_name(trained.record.recipe, size, learned_from.name)
    made = session.Made(trained.record.recipe, learned_from.source)
    code = session.add_trained(trained.tokenizer, trained.record.corpus_digest, called, made)
    if not session.is_named(code):
        session.rename(code, called)  # in the language of today
    last = _LAST_CODE.get()
    if last != code:
        used = {*session.persistent(), *fields.chosen("tokenizers", ())}
        if last and last not in used:
            session.remove(last)
        _LAST_CODE.set(code)
    return code


def usual_name(recipe: Recipe, size: int, corpus: str) -> str:
    """Return what a tokenizer is called until the reader names it."""
    kind = {
        "byte-bpe": _("byte-level"),
        "character-bpe": f"{_('character-level')} {recipe.end_of_word}".rstrip(),
        "wordpiece": "WordPiece",
        "sentencepiece-bpe": "SentencePiece BPE",
        "unigram": "Unigram",
    }.get(recipe.algorithm, recipe.algorithm)
    if recipe.of_bytes and recipe.pattern != "gpt2":
        own = own_pattern.is_own(recipe.pattern)
        kind += f" · {_('own pattern') if own else recipe.pattern}"
    return f"{corpus} · {kind} · {size:,}"


def naming(code: str) -> None:
    # The name changes with the language: a field of each, so that what a browser sends of the other
    # is told from what is typed.
    key = f"name-{code}-{language()}"
    Field(key, "").set(label := session.label(code))
    st.text_input(
        _("Tokenizer name"), key=key, max_chars=60, on_change=_rename, args=(code, key, label)
    )


def _rename(code: str, key: str, shown: str) -> None:
    """Take a name that was typed; for a callback.

    Streamlit calls it, too, when a browser sends this field after it is gone, with the name that it
    showed: that of a tokenizer that may be gone as well.
    """
    typed = (Field(key, "").get() or "").strip()
    if typed and typed != shown and code in session.own():
        session.take_name(code, typed)


def train_again(made: session.Made, name: str, code: str) -> None:
    """Train a tokenizer that a link names on its corpus, and add it under its code, to stay.

    Raises :class:`bpe.BPEError` where it cannot be trained; a click may stop it.
    """
    learned_from = from_source(made.corpus) if made.corpus else None
    if learned_from is None:
        raise BPEError("There is no corpus to train “{name}” on.", name=name)
    restore(code, job.train(learned_from, made.recipe).tokenizer, name, made)


def restore(code: str, tokenizer: Encoder, name: str, made: session.Made | None) -> None:
    """Add a tokenizer of another session under its code, to stay; it may have its usual name."""
    named = True
    if made and made.corpus:
        corpus = source_name(made.corpus)
        named = name != usual_name(made.recipe, tokenizer.vocabulary_size, corpus)
    session.restore(code, tokenizer, name, made, named=named)
