"""Train: a tokenizer from sample texts or uploads, each merge in view."""

import streamlit as st

from bpe.text import samples
from playground import session
from playground.train import job, recipe_form, results
from playground.ui import charts, navigation, settings, uploads
from playground.ui.i18n import _

LAST = "last trained"
"""What is shown while the form holds nothing that can be trained."""

navigation.through_app()

st.markdown(_("What does BPE learn from a text? Choose one, and watch it find its tokens."))

inputs, output = st.columns([1, 2], gap="large")

with inputs:
    st.subheader(_("Corpus"))
    source = settings.segments(
        _("Text to train on"),
        {
            "both": _("Chinese and English samples"),
            "zh": _("Chinese samples"),
            "en": _("English samples"),
            "upload": _("Your own files"),
        },
        key="corpus",
    )
    if source == "upload":
        texts = [text for document in uploads.documents() for text in document.texts]
    else:
        texts = [samples.corpus(code) for code in ("zh", "en") if source in ("both", code)]
    st.subheader(_("Recipe"))
    recipe = recipe_form.form()

with output:
    if not texts:
        st.info(
            _("Upload one or more text files on the left. Until then, try the sample texts."),
            icon=":material/upload_file:",
        )
        st.stop()
    if recipe:
        trained = st.session_state[LAST] = job.train(texts, recipe)
    elif trained := st.session_state.get(LAST):
        st.warning(
            _("These settings cannot be trained, so this is still the result of the former ones.")
        )
    else:
        st.stop()
    code = session.keep_trained(trained.tokenizer)
    results.summary(trained, code)
    results.sentences(trained)
    st.subheader(_("How the tokens grow"))
    if trained.curve.empty or not trained.tokenizer.merges:
        st.info(_("Nothing was merged: no pair occurs often enough, or the limit is reached."))
    else:
        charts.show(
            charts.merge_curve(trained.curve),
            alt_text=_("Bytes per token over the merges, with 汉字 and without"),
        )
        st.caption(results.curve_reading(trained))
    st.subheader(_("Merges, in the order in which they were learned"))
    results.merges(trained)
