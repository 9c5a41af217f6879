"""The vocabulary browser: what tokenizers have in store, what two share, what no text produces."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from bpe.encoders.base import Encoder
from playground.compare import tokenizers
from playground.compare.vocabulary import browse, estimate, listing, overlap, unreached
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
        "estimate": (_("Estimate"), estimate.show),
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
