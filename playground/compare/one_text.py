"""One text, or a text with its translation, under every tokenizer."""

from collections.abc import Callable

import streamlit as st

from playground.compare import (
    ids,
    other_cuts,
    report,
    side_by_side,
    text_choice,
    text_measures,
    tokenizers,
    trees,
)
from playground.ui import drawer
from playground.ui.i18n import _


def draw(link: Callable[[], str]) -> None:
    """Draw the choices, the text in colour with what it comes to, and the rest to be opened.

    ``link`` is that of the page. On a phone the choices are in a drawer.
    """
    inputs = drawer.row()
    picture = st.container(key="compare_picture")
    rest = st.container(gap="xsmall")
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
        # A sample that is edited stands alone, and its editor stays in its place.
        both = shown.sides if len(shown.sides) == 2 else text_choice.sample_sides()
        above, between, below = (st.container() for _place in range(3))
        places = dict(zip(both, (above, below), strict=True))
        first, *others = shown.sides
        with places[first]:
            side_by_side.show(first, shown, encoders, base)
        with between:
            cuts = text_measures.cut(encoders, shown.by_language)
            measured = text_measures.measure(cuts)
            if shown.are_pair:
                text_measures.show_summary(measured, encoders)
        for side in others:
            with places[side]:
                side_by_side.show(side, shown, encoders, base)
        text_choice.choose_translation(shown)
    with rest:
        if len(measured):
            with st.expander(_("All figures, and where they differ"), icon=":material/table:"):
                text_measures.show_counts(measured)
                side_by_side.show_differences(cuts, base)
                report.downloads(encoders, shown.by_language, cuts, link)
        with st.expander(_("How tokens are made"), icon=":material/account_tree:"):
            trees.show(encoders)
        other_cuts.show(shown.by_language, encoders, base)
        ids.show(encoders, base)
