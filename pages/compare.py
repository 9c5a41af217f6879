"""Compare: one meaning in two languages, under many tokenizers, token by token."""

import streamlit as st

from playground.compare import files, languages, side_by_side, text, tokenizers, trees, vocabulary
from playground.ui import navigation, settings, text_pair
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

wide = view in ("languages", "vocabulary")
inputs, output = (st.container(), st.container()) if wide else st.columns([1, 2], gap="large")
below = st.container()

with inputs:
    texts = text_pair.text_areas("compare") if view == "text" else {}
    documents = files.choose() if view == "files" else []
    encoders = tokenizers.choose(wide=wide)

with output:
    if not encoders:
        st.info(_("Choose at least one tokenizer."), icon=":material/checklist:")
    elif view == "languages":
        languages.show(encoders)
    elif view == "vocabulary":
        vocabulary.show(encoders)
    elif view == "files":
        files.show(encoders, documents)
    elif not any(texts.values()):
        st.info(_("Type a text on the left, or choose a sample."), icon=":material/edit:")
    else:
        cuts = text.cut(encoders, texts)
        measured = text.measure(cuts)
        text.show_summary(measured, same_meaning=text_pair.is_sample(texts))
        side_by_side.show(encoders, cuts)
        with below:
            text.show_counts(measured)
            st.subheader(_("How tokens are made"))
            trees.show(encoders)
