"""The training that the page shows: of what the form says, or the last one that was possible."""

from dataclasses import dataclass

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.training.algorithms import algorithm_of
from bpe.training.algorithms.base import Effort
from playground.train import examples, job, saved
from playground.train.corpus import Corpus, size_text
from playground.train.job import Trained
from playground.train.recipe_form import Form
from playground.ui import state
from playground.ui.i18n import _, error_text
from playground.ui.state import Field

SAID_FROM = 2.0
ASKED_FROM = 20.0
"""Seconds from which a training is announced, and from which the reader is asked."""

_ASKED: Field[set[tuple[str, str]]] = Field("long trainings that the reader wants", set())


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
    asked = _ASKED.stored()
    identity = (corpus.digest, recipe.digest)
    if will.seconds < ASKED_FROM or identity in asked:
        st.caption(text)
        return True
    st.info(text, icon=":material/hourglass_top:")
    if st.button(_("Train anyway"), icon=":material/play_circle:", key="train_long"):
        asked.add(identity)
        st.rerun()
    return False


_OFFERED = 3
_FORMER = """<style>
.st-key-train_picture > :not(:has(.st-key-train_empty)):not(:has(.st-key-train_numbers)),
.st-key-train_rest { opacity: 0.4; }
</style>"""


def _offer_examples() -> None:
    """Say in the place of the picture what is missing, and offer what can be tried at once."""
    with st.container(key="train_empty", border=True, horizontal_alignment="center"):
        is_typed = state.choice("corpus") == "text"
        st.markdown(
            _("Type or paste a text on the left, or try one of these:")
            if is_typed
            else _("Drop files on the left, or try one of these:"),
            width="content",
        )
        with st.container(horizontal=True, horizontal_alignment="center"):
            for code, (label, _text, _recipe) in list(examples.examples().items())[:_OFFERED]:
                st.button(label, key=f"try {code}", on_click=examples.take, args=(code,))


_LAST: Field[tuple[Trained, Corpus] | None] = Field("last trained", None)


@dataclass(frozen=True)
class Current:
    """A training with its corpus, and the code of the tokenizer in the session."""

    trained: Trained
    corpus: Corpus
    code: str


def train(corpus: Corpus | None, form: Form) -> Current | None:
    """Train what the form says, and add it to the session; ``None`` where there is nothing yet.

    While the form holds nothing that can be trained, the last training is returned.
    """
    if corpus is None:
        _offer_examples()
        if (last := _LAST.get()) is None:
            return None
        st.html(_FORMER)
        return Current(*last, saved.save(*last))
    recipe = corpus.cut(form.recipe) if form.recipe else None
    if recipe:
        if not wanted(corpus, recipe):
            return None
        try:
            _LAST.set((job.train(corpus, recipe, over_former=_LAST.is_set), corpus))
        except BPEError as error:
            form.said.error(error_text(error))
            recipe = None
    if (last := _LAST.get()) is None:
        st.warning(_("These settings cannot be trained. What is wrong is said beside them."))
        return None
    if not recipe:
        st.warning(
            _("These settings cannot be trained, so this is still the result of the former ones.")
        )
    trained, corpus = last
    return Current(trained, corpus, saved.save(trained, corpus))
