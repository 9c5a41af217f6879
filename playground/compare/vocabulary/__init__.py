"""The vocabulary browser: what tokenizers have in store, and what two of them share."""

from collections.abc import Mapping

import streamlit as st

from bpe.encoders.base import Encoder
from playground.compare.vocabulary import browse, longest, overlap
from playground.ui import settings
from playground.ui.i18n import _


def show(encoders: Mapping[str, Encoder]) -> None:
    """Draw the browser of one vocabulary, the longest tokens of all, or the overlap of two."""
    if not encoders:
        st.info(_("Choose at least one tokenizer."), icon=":material/checklist:")
        return
    sections = {
        "browse": (_("Browse and search"), browse.show),
        "longest": (_("Longest Chinese tokens"), longest.show),
        "overlap": (_("Overlap of two"), overlap.show),
    }
    section = settings.segments(
        _("Vocabulary"),
        {name: label for name, (label, _draw) in sections.items()},
        key="vocabulary_section",
        label_visibility="collapsed",
    )
    sections[section][1](encoders)
