"""Train: a tokenizer from sample texts, typed text or files, each merge in view."""

import streamlit as st

from playground.train import corpus, estimate, job, keeping, layout, mine, recipe_form, results
from playground.train.explorer import explorer
from playground.train.replay import replay
from playground.ui import navigation, settings
from playground.ui.i18n import _

LAST = "last trained"
"""What is shown while the form holds nothing that can be trained."""

navigation.through_app()

st.markdown(_("What does BPE learn from a text? Choose one, and watch it find its tokens."))

inputs, picture, rest = layout.parts()

with inputs:
    text = corpus.choose()
    recipe = recipe_form.form(text.opening if text else "")

with picture:
    if text is None:
        st.info(
            _("Choose a corpus. Until there is one, try an example."), icon=":material/upload_file:"
        )
        st.stop()
    if recipe:
        if not estimate.wanted(text, recipe):
            st.stop()
        trained = st.session_state[LAST] = job.train(text.texts, recipe)
    elif trained := st.session_state.get(LAST):
        st.warning(
            _("These settings cannot be trained, so this is still the result of the former ones.")
        )
    else:
        st.stop()
    code = keeping.keep(trained.tokenizer, text.name)
    if not trained.tokenizer.merges:
        st.info(_("Nothing was merged: no pair occurs often enough, or the limit is reached."))
    shown = settings.segments(
        _("Picture"),
        {"explore": _("Explore the vocabulary size"), "replay": _("Watch the merges")},
        key="picture",
        label_visibility="collapsed",
    )
    if shown == "explore":
        explorer(trained.tokenizer, trained.usage, text.opening, key="explorer")
    else:
        replay(text, trained.tokenizer.recipe)

with rest:
    results.summary(trained, text, code)
    st.subheader(_("Merges, in the order in which they were learned"))
    results.merges(trained)
    mine.section(text)
