"""Compare: one text under many tokenizers, token by token; Chinese held against English."""

from functools import partial

import streamlit as st

from playground import navigation
from playground.compare import (
    files,
    ids,
    languages,
    layout,
    report,
    side_by_side,
    text_choice,
    text_measures,
    tokenizers,
    trees,
    vocabulary,
)
from playground.share import control
from playground.ui import settings
from playground.ui.i18n import _

navigation.through_app()

st.markdown(_("How does each tokenizer see a text, and what does that do to Chinese?"))

view = settings.segments(
    _("What to compare"),
    {
        "text": _("A text"),
        "languages": _("Chinese against English"),
        "vocabulary": _("Vocabularies"),
        "files": _("Whole files"),
    },
    key="view",
    label_visibility="collapsed",
)

if view == "text":
    inputs, output, rest = layout.parts()
    with inputs:
        which, many, one = st.columns([1, 2.5, 1])
        with which:
            shown = text_choice.choose()
        with many:
            encoders = tokenizers.choose(bringing=rest.container())
        with one:
            base = tokenizers.choose_base(encoders)
elif view == "files":
    inputs, output = st.columns([1, 2], gap="large")
    with inputs:
        documents = files.choose()
        encoders = tokenizers.choose()
else:
    inputs, output = st.container(), st.container()
    with inputs:
        encoders = tokenizers.choose(wide=True)

with output:
    if not encoders:
        st.info(_("Choose at least one tokenizer."), icon=":material/checklist:")
    elif view == "languages":
        languages.show(encoders)
    elif view == "vocabulary":
        vocabulary.show(encoders)
    elif view == "files":
        files.show(encoders, documents)
    else:
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
                report.downloads(
                    encoders, shown.by_language, cuts, partial(control.address, "compare")
                )
            st.subheader(_("How tokens are made"))
            trees.show(encoders)
            ids.show(encoders, base)
