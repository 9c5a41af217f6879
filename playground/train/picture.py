"""The picture of a training: its explorer, its replay, or a text cut by the tokenizer."""

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.training.train import count_texts
from playground.merge_view import Events, merge_view, record
from playground.token_view import Row, token_view
from playground.train.corpus import Corpus, text_to_show
from playground.train.explorer import explorer
from playground.train.job import Trained
from playground.train.usage import MOST_UNCOMPILED, beginnings
from playground.ui import caches, fields
from playground.ui.i18n import ENGLISH, _, language

MOST_TEXT = 10_000
"""Characters of a text that is cut."""


def show(trained: Trained, corpus: Corpus) -> None:
    """Draw the picture that is chosen, or the only one that there is.

    There is no explorer of Unigram on a large corpus, as its film begins with another training: a
    text is cut instead. There is no replay where another library runs the tokenizer.
    """
    corpus.follow_text()
    if trained.usage is None:
        if trained.stop_reason == "vocabulary-size":
            hint = _("With a corpus of up to {n} characters you can watch how pieces are dropped.")
            st.caption(hint.format(n=f"{MOST_UNCOMPILED:,}"))
        cut = caches.segmentation(trained.tokenizer, text_to_show(corpus.opening)[:MOST_TEXT])
        token_view(Row(cut), key=f"sentence_tokens_{language()}", show_ids=False, height=260)
        return
    pictures = {"explore": _("Explore the vocabulary size")}
    if trained.usage.film is None:
        pictures["replay"] = _("Watch the merges")
    chosen = fields.segments(_("Picture"), pictures, key="picture", label_visibility="collapsed")
    opening = corpus.opening
    if corpus.source and corpus.source.sample and language() == ENGLISH:
        opening = "\n".join(reversed(opening.split("\n")))
    if chosen == "replay":
        replay(corpus, trained.record.recipe, of=len(trained.record.merges))
    else:
        excerpt = corpus.words is None and len(opening) < corpus.characters
        explorer(trained, trained.usage, opening, film=_film(corpus), excerpt=excerpt)


def _film(corpus: Corpus) -> str:
    """Return what the film of a corpus is called: each upload has its own, typed texts one."""
    if corpus.source is None:
        return corpus.digest
    return corpus.source.sample or "typed"


MOST_CHARACTERS = 100_000
MOST_MERGES = 1_000
_EVENTS_BYTES = 4 << 20
"""About how much memory a recorded training takes."""


def replay(corpus: Corpus, recipe: Recipe, *, of: int) -> None:
    """Draw the training of a corpus to be played, or of how it begins where it is large.

    ``of`` is how many merges were learned from the whole corpus.
    """
    if note := played(corpus, of):
        st.caption(note)

    def events() -> Events:
        texts, _rest = beginnings(corpus.texts, MOST_CHARACTERS)
        return record(count_texts(texts, recipe), recipe, most_merges=MOST_MERGES)

    key = ("replayed", corpus.digest, recipe.digest)
    merge_view(caches.cached(key, events, memory=_EVENTS_BYTES), key="replay", height=320)


def played(corpus: Corpus, of: int) -> str | None:
    """Say which part of a training of ``of`` merges is played, where it is not the whole."""
    if corpus.characters > MOST_CHARACTERS:
        return _(
            "The corpus is too large to be watched whole: this is a training on its first "
            "{size} characters, whose merges are not those of the whole."
        ).format(size=f"{MOST_CHARACTERS:,}")
    if of > MOST_MERGES:
        return _("The first {shown} of {all} merges are played.").format(
            shown=f"{MOST_MERGES:,}", all=f"{of:,}"
        )
    return None
