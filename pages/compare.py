"""Compare: one meaning in two languages, under many tokenizers, token by token."""

import streamlit as st

from playground.compare import files, languages, own, side_by_side, text, trees, vocabulary
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

if view in ("languages", "vocabulary"):
    encoders = own.choose_tokenizers("tokenizers", wide=True)
    (languages if view == "languages" else vocabulary).show(encoders)
    st.stop()

inputs, output = st.columns([1, 2], gap="large")

with inputs:
    texts = text_pair.text_areas("compare") if view == "text" else {}
    documents = files.choose() if view == "files" else []
    encoders = own.choose_tokenizers("tokenizers")

if not encoders:
    output.info(_("Choose at least one tokenizer on the left."), icon=":material/checklist:")
elif view == "files":
    with output:
        files.show(encoders, documents)
elif not any(texts.values()):
    output.info(_("Type a text on the left, or choose a sample."), icon=":material/edit:")
else:
    with output:
        cuts = text.cut(encoders, texts)
        text.show_counts(text.measure(cuts))
    side_by_side.show(encoders, cuts)
    st.subheader(_("How tokens are made"))
    trees.show(encoders)
