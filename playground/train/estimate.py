"""What a training will take, before it begins.

The figures are those of ``docs/performance.md`` and of a character training of 20 MB, on two cores
of a small server: seconds and bytes of memory for each byte of the corpus. Chinese costs more than
English since few of its pre-tokens come again; characters are learned in plain Python.
"""

from dataclasses import dataclass

import streamlit as st

from bpe import compiled
from bpe.algorithm.recipe import Recipe
from bpe.text import own_pattern
from bpe.training.train import SMALL_CHARACTERS
from playground.train.corpus import Corpus, size_text
from playground.ui.i18n import _

SAID_FROM = 2.0
ASKED_FROM = 20.0
"""Seconds from which a training is announced, and from which the reader is asked."""

_ASKED = "long trainings that the reader wants"


@dataclass(frozen=True)
class Estimate:
    """Seconds, and bytes of memory at the most."""

    seconds: float
    memory: float


def estimate(corpus: Corpus, recipe: Recipe) -> Estimate:
    """Return what training on ``corpus`` by ``recipe`` will take."""
    hanzi = min(3 * corpus.hanzi / max(corpus.size, 1), 1.0)  # their share of the bytes
    rare = 1.0 if recipe.pattern == "none" else hanzi
    if recipe.algorithm == "unigram":
        return Estimate(corpus.size * 3e-6, corpus.size * 60)
    if recipe.algorithm != "byte-bpe":
        return Estimate(corpus.size * (0.4e-6 + 3.6e-6 * hanzi), corpus.size * (20 + 110 * hanzi))
    by_regex = 0.4e-6 * corpus.size if own_pattern.is_own(recipe.pattern) else 0.0
    # A corpus that is too large for plain Python waits for the kernels.
    if compiled.ready() or (compiled.available() and corpus.characters > SMALL_CHARACTERS):
        return Estimate(
            by_regex + corpus.size * (0.035e-6 + 0.2e-6 * rare), corpus.size * (1 + 10 * rare)
        )
    return Estimate(corpus.size * (1e-6 + 6e-6 * rare), corpus.size * (10 + 100 * rare))


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
