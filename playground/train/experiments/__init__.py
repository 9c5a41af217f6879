"""Experiments on the reader's corpus: trained for real, with progress in view, stopped by a click.

The experiments themselves are in :mod:`bpe.analysis.experiments`.
"""

import streamlit as st

from bpe.errors import BPEError
from playground.train.corpus import Corpus
from playground.train.experiments import growth, mixture, recipes
from playground.train.job import Trained
from playground.ui import fields
from playground.ui.i18n import _, error_text

__all__ = ["show"]


def show(trained: Trained, corpus: Corpus) -> None:
    asked = any(code not in ("", "none") for code in fields.asked_for("experiment"))
    with st.expander(_("Experiments"), icon=":material/science:", expanded=asked):
        _show(trained, corpus)


def _show(trained: Trained, corpus: Corpus) -> None:
    chosen = fields.segments(
        _("Experiment"),
        {
            "none": _("None"),
            "mixture": _("Share of Chinese × vocabulary size"),
            "recipes": _("Two recipes"),
            "growth": _("Size of the corpus"),
        },
        key="experiment",
        label_visibility="collapsed",
    )
    if chosen == "none":
        st.caption(_("The corpus is trained on again and again, with one thing changed."))
        return
    if not trained.recipe.of_bytes:
        st.info(_("Experiments are made with byte-level BPE. Choose it as the algorithm."))
        return
    draw = {"mixture": mixture.show, "recipes": recipes.show, "growth": growth.show}[chosen]
    try:
        draw(trained, corpus)
    except BPEError as error:
        st.info(error_text(error))
