"""What a training will take, before it begins: the reader is told, and asked if it is long."""

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.training.algorithms import algorithm_of
from bpe.training.algorithms.base import Effort
from playground.train.corpus import Corpus, size_text
from playground.ui.i18n import _

SAID_FROM = 2.0
ASKED_FROM = 20.0
"""Seconds from which a training is announced, and from which the reader is asked."""

_ASKED = "long trainings that the reader wants"


def estimate(corpus: Corpus, recipe: Recipe) -> Effort:
    """Return what training on ``corpus`` by ``recipe`` will take."""
    hanzi = min(3 * corpus.hanzi / max(corpus.size, 1), 1.0)  # their share of the bytes
    return algorithm_of(recipe).effort(corpus.size, corpus.characters, hanzi)


def wanted(corpus: Corpus, recipe: Recipe) -> bool:
    """Say what a long training will take; return whether it is to begin."""
    will = estimate(corpus, recipe)
    if will.seconds < SAID_FROM:
        return True
    text = _("Estimate: about {seconds} s and {memory} of memory.").format(
        seconds=f"{will.seconds:.0f}", memory=size_text(round(will.memory, -6))
    )
    asked: set[tuple[str, str]] = st.session_state.setdefault(_ASKED, set())
    identity = (corpus.digest, recipe.digest)
    if will.seconds < ASKED_FROM or identity in asked:
        st.caption(text)
        return True
    st.info(text, icon=":material/hourglass_top:")
    if st.button(_("Train all the same"), icon=":material/play_circle:", key="train_long"):
        asked.add(identity)
        st.rerun()
    return False
