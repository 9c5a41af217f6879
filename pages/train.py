"""Train: a tokenizer from sample texts, typed text or files, each merge in view."""

import streamlit as st

from playground import session
from playground.train import corpus, job, layout, recipe_form, results
from playground.train.explorer import explorer
from playground.ui import navigation
from playground.ui.i18n import _

LAST = "last trained"
"""What is shown while the form holds nothing that can be trained."""

navigation.through_app()

st.markdown(_("What does BPE learn from a text? Choose one, and watch it find its tokens."))

inputs, output = layout.halves()

with inputs:
    text = corpus.choose()
    recipe = recipe_form.form()

with output:
    if text is None:
        st.info(
            _("Choose a corpus. Until there is one, try an example."), icon=":material/upload_file:"
        )
        st.stop()
    if recipe:
        trained = st.session_state[LAST] = job.train(text.texts, recipe)
    elif trained := st.session_state.get(LAST):
        st.warning(
            _("These settings cannot be trained, so this is still the result of the former ones.")
        )
    else:
        st.stop()
    code = session.keep_trained(trained.tokenizer)
    if not trained.tokenizer.merges:
        st.info(_("Nothing was merged: no pair occurs often enough, or the limit is reached."))
    explorer(trained.tokenizer, trained.usage, text.opening, key="explorer")
    results.summary(trained, code)
    st.subheader(_("Merges, in the order in which they were learned"))
    results.merges(trained)
