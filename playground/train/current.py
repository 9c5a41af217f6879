"""The training that the page shows: of what the form says, or the last one that was possible."""

from dataclasses import dataclass

import streamlit as st

from bpe.errors import BPEError
from playground.train import estimate, job, saved
from playground.train.corpus import Corpus
from playground.train.job import Trained
from playground.train.recipe_form import Form
from playground.ui.i18n import _, error_text

_LAST = "last trained"


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
        st.info(
            _("Choose a corpus. Until there is one, try an example."), icon=":material/upload_file:"
        )
        return None
    recipe = corpus.cut(form.recipe) if form.recipe else None
    if recipe:
        if not estimate.wanted(corpus, recipe):
            return None
        try:
            st.session_state[_LAST] = job.train(corpus, recipe), corpus
        except BPEError as error:
            form.said.error(error_text(error))
            recipe = None
    if _LAST not in st.session_state:
        return None
    if not recipe:
        st.warning(
            _("These settings cannot be trained, so this is still the result of the former ones.")
        )
    trained, corpus = st.session_state[_LAST]
    return Current(trained, corpus, saved.save(trained, corpus))
