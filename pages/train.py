"""Train: a tokenizer from sample texts, typed text or files, each merge in view."""

import streamlit as st

from bpe.errors import BPEError
from playground import navigation
from playground.train import (
    corpus_form,
    differ,
    estimate,
    experiments,
    job,
    layout,
    mine,
    own_sentence,
    recipe_form,
    research,
    results,
    saved,
)
from playground.train.explorer import explorer
from playground.train.replay import replay
from playground.train.sentence import sentence
from playground.ui.i18n import _, error_text

LAST = "last trained"
"""The result and its corpus, shown while the form holds nothing that can be trained."""

navigation.through_app()

st.markdown(_("What does BPE learn from a text? Choose one, and watch it find its tokens."))

inputs, picture, rest = layout.parts()

with inputs:
    text = corpus_form.choose()
    form = recipe_form.form(text.opening if text else "")

with picture:
    if text is None:
        st.info(
            _("Choose a corpus. Until there is one, try an example."), icon=":material/upload_file:"
        )
        st.stop()
    recipe = text.cut(form.recipe) if form.recipe else None
    if recipe and not estimate.wanted(text, recipe):
        st.stop()
    try:
        last = (job.train(text, recipe), text) if recipe else None
    except BPEError as error:
        form.said.error(error_text(error))
        last = None
    if last:
        st.session_state[LAST] = last
    elif last := st.session_state.get(LAST):
        st.warning(
            _("These settings cannot be trained, so this is still the result of the former ones.")
        )
    else:
        st.stop()
    trained, text = last
    code = saved.save(trained, text)
    if why := results.nothing_learned(trained):
        st.info(why)
    if trained.usage is None:
        sentence(trained.tokenizer, text.opening, of=trained.corpus_digest)
    elif layout.shown_picture() == "explore":
        explorer(trained.tokenizer, trained.usage, text.opening, key="explorer")
    else:
        replay(text, trained.recipe, of=len(trained.merges))

with rest:
    if trained.usage is not None:
        own_sentence.show(trained.tokenizer)
    results.summary(trained, text, code)
    results.vocabulary(trained)
    if text.counts is None:
        experiments.show(trained, text)
        mine.section(text)
        if trained.recipe.algorithm == "byte-bpe":
            research.section(text, trained.recipe)
            differ.section(text, trained.recipe)
