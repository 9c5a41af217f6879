"""Vocabularies: searched, the longest tokens, two against each other, unreached ones, weights."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from bpe.analysis.weights import KINDS, Weights, as_code, weights
from bpe.encoders.base import Encoder
from playground.compare import tokenizers
from playground.compare.vocabulary import browse, listing, overlap, unreached
from playground.ui import fields, tables
from playground.ui.i18n import _, plain

LONGEST = 25


def draw() -> None:
    encoders = tokenizers.choose(wide=True)
    if tokenizers.are_chosen(encoders):
        show(encoders)


def show(encoders: Mapping[str, Encoder]) -> None:
    sections = {
        "browse": (_("Browse and search"), browse.show),
        "longest": (_("Longest Chinese tokens"), _longest),
        "overlap": (_("Overlap of two"), overlap.show),
        "unreached": (_("Never produced"), unreached.show),
        "estimate": (_("Estimate"), _estimate),
    }
    section = fields.segments(
        _("Vocabulary"),
        {name: label for name, (label, _draw) in sections.items()},
        key="vocabulary_section",
        label_visibility="collapsed",
    )
    sections[section][1](encoders)


def _longest(encoders: Mapping[str, Encoder]) -> None:
    st.header(_("What is the longest Chinese in one token?"))
    columns = tokenizers.each(
        encoders,
        _("Reading the vocabulary of {name}…"),
        lambda encoder, _on_step: listing.longest(encoder, LONGEST),
    )
    lengths = {name: tokens[0][1] for name, tokens in columns.items() if tokens}
    if not lengths:
        st.markdown(_("None of these vocabularies has a token of whole Chinese characters."))
        return
    st.markdown(
        _("{name} has the longest: {characters} characters in one token.").format(
            name=plain(max(lengths, key=lengths.__getitem__)), characters=max(lengths.values())
        )
    )
    if not fields.shows_spam("vocabulary_longest"):
        return
    frame = pd.DataFrame(
        {
            name: pd.Series([f"{text} ({characters})" for text, characters in tokens], dtype=str)
            for name, tokens in columns.items()
        }
    )
    tables.show(
        frame.fillna(""),
        {},
        alt_text=_(
            "The longest tokens of Chinese characters in each vocabulary, with their number "
            "of characters"
        ),
        most_height=420,
    )
    st.caption(_("Characters in parentheses; a dot is a space."))


def _estimate(encoders: Mapping[str, Encoder]) -> None:
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
    _weights_table(fitted)
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


def _weights_table(fitted: Mapping[str, Weights]) -> None:
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
