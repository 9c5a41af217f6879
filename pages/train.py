"""Train: a tokenizer from sample texts, typed text or files, each merge in view."""

import streamlit as st

from playground import navigation
from playground.train import corpus_form, current, parts, picture, recipe_form, results
from playground.ui.i18n import _

navigation.through_app()

inputs, numbers, above, below = parts()

with inputs:
    text, settings = st.container(), st.expander(_("More settings"), icon=":material/tune:")
    corpus = corpus_form.choose(text, settings)
    recipe, wrong = recipe_form.form(
        corpus.opening if corpus else "",
        settings,
        numbers,
        above.container(),
    )

with above:
    with st.container():  # one place each: a picture that moves is drawn anew, its film at the end
        shown = current.train(corpus, recipe, wrong)
    if shown:
        trained, learned_from = shown
        with numbers:
            results.headline(trained, current.save(trained, learned_from))
        with st.container():
            results.ended(trained)
        picture.show(trained, learned_from)

with below:
    if shown:
        results.about(trained)
        results.vocabulary(trained)
