"""The training again, a merge at a time: its words as chips that join, its pairs as bars."""

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.training.count_words import count_texts
from playground.merge_view import Events, merge_view, record
from playground.train.corpus import Corpus
from playground.ui import caches
from playground.ui.i18n import _

MOST_CHARACTERS = 100_000
MOST_MERGES = 1_000
_EVENTS_BYTES = 4 << 20
"""About how much memory a recorded training takes."""


def replay(corpus: Corpus, recipe: Recipe, *, of: int) -> None:
    """Draw the training of a corpus to be played, or of how it begins where it is large.

    ``of`` is how many merges were learned from the whole corpus.
    """
    if corpus.characters > MOST_CHARACTERS:
        st.caption(
            _(
                "The corpus is too large to be watched whole: this is a training on its first "
                "{size} characters, whose merges are not those of the whole."
            ).format(size=f"{MOST_CHARACTERS:,}")
        )
    elif of > MOST_MERGES:
        st.caption(
            _("The first {shown} of {all} merges are played.").format(
                shown=f"{MOST_MERGES:,}", all=f"{of:,}"
            )
        )
    events = caches.cached(
        ("replayed", corpus.digest, recipe.digest),
        lambda: _events(corpus, recipe),
        memory=_EVENTS_BYTES,
    )
    merge_view(events, key="replay", height=320)


def _events(corpus: Corpus, recipe: Recipe) -> Events:
    texts = []
    left = MOST_CHARACTERS
    for text in corpus.texts:
        if left <= 0:
            break
        texts.append(text[:left])
        left -= len(text)
    return record(count_texts(texts, recipe), recipe, most_merges=MOST_MERGES)
