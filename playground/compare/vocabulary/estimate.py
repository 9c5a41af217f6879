"""Five weights of a vocabulary: a function to copy that estimates tokens without a tokenizer."""

from collections.abc import Mapping

import streamlit as st

from bpe.analysis.weights import KINDS, Weights, as_code, weights
from bpe.encoders.base import Encoder
from playground.compare import tokenizers
from playground.ui import fields, tables
from playground.ui.i18n import _


def show(encoders: Mapping[str, Encoder]) -> None:
    st.header(_("About how many tokens, without the tokenizer?"))
    fitted = tokenizers.each(
        encoders,
        _("Fitting the weights of {name}…"),
        lambda encoder, _on_step: weights(encoder),
    )
    st.markdown(
        _(
            "Tokens for each character of a kind, fitted on our samples; beside them by how much "
            "they miss texts that they were not fitted on."
        )
    )
    _table(fitted)
    one, two = st.columns(2)
    with one:
        name = fields.select(_("Tokenizer"), {each: each for each in fitted}, key="estimate_of")
    with two:
        language = fields.segments(
            _("Language of the function"),
            {"python": "Python", "javascript": "JavaScript", "go": "Go"},
            key="estimate_in",
        )
    st.code(as_code(fitted[name], language, name), language=language)


def _table(fitted: Mapping[str, Weights]) -> None:
    labels = {
        "han": _("Chinese character"), "letter": _("letter"), "digit": _("digit"),
        "space": _("space"), "other": _("other character"),
    }  # fmt: skip
    kinds = {
        "chinese": _("misses Chinese by"), "english": _("English by"),
        "traditional": _("Traditional Chinese by"), "code": _("numbers and code by"),
        "table": _("tables by"),
    }  # fmt: skip
    weight = {
        kind: (tables.number(labels[kind], form="%.3f"), lambda row, kind=kind: row[1][kind])
        for kind in KINDS
    }
    missed = {
        kind: (tables.number(label, form="percent"), lambda row, kind=kind: row[1][kind])
        for kind, label in kinds.items()
    }
    rows = [
        (name, {**{kind: getattr(each, kind) for kind in KINDS}, **each.errors})
        for name, each in fitted.items()
    ]
    tables.show_rows(
        rows,
        {
            "name": (tables.text(_("Tokenizer"), pinned=True), lambda row: row[0]),
            **weight,
            **missed,
        },
        alt_text=_("The weights of each vocabulary, and by how much they miss held-out texts"),
    )
