"""One text, or a text with its translation, under every tokenizer."""

from collections.abc import Callable

import streamlit as st

from playground.compare import (
    ids,
    report,
    side_by_side,
    text_choice,
    text_measures,
    tokenizers,
    trees,
)
from playground.ui.i18n import _

_STYLE = """<style>
@media (max-width: 640px) {
  :has(> .st-key-compare_settings), .st-key-compare_settings { order: 2 }
  :has(> .st-key-compare_rest), .st-key-compare_rest { order: 3 }
}
</style>"""


def draw(link: Callable[[], str]) -> None:
    """Draw the choices, the text in colour, and all that is found; ``link`` is that of the page.

    On a phone the picture comes first, then the settings, then the rest.
    """
    st.html(_STYLE)
    inputs = st.container(key="compare_settings")
    picture = st.container(key="compare_picture")
    rest = st.container(key="compare_rest")
    with inputs:
        which, many, one = st.columns([1, 2.5, 1])
        with which:
            shown = text_choice.choose()
        with many:
            encoders = tokenizers.choose(bringing=rest.container())
        with one:
            base = tokenizers.choose_base(encoders)
    with picture:
        if not tokenizers.are_chosen(encoders):
            return
        for side in shown.sides:
            side_by_side.show(side, shown, encoders, base)
        text_choice.choose_translation(shown)
    with rest:
        cuts = text_measures.cut(encoders, shown.by_language)
        measured = text_measures.measure(cuts)
        if shown.are_pair:
            text_measures.show_summary(measured)
        side_by_side.show_differences(cuts, base)
        if len(measured):
            text_measures.show_counts(measured)
            report.downloads(encoders, shown.by_language, cuts, link)
        st.subheader(_("How tokens are made"))
        trees.show(encoders)
        ids.show(encoders, base)
