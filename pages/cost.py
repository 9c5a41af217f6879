"""Cost: what the same meaning costs on each model, in Chinese and in English."""

import streamlit as st

from bpe.errors import BPEError
from playground import costs, entry, pairs
from playground.texts import _, error_text

entry.through_app()

st.markdown(
    _("What does this text cost on each model, in Chinese and in English, and does it fit?")
)

inputs, output = st.columns([1, 2], gap="large")

with inputs:
    texts = pairs.text_areas("cost")
    models = costs.choose_models("models")
    output_tokens = st.number_input(
        _("Output tokens per request"),
        min_value=0,
        max_value=1_000_000,
        value=300,
        step=100,
        key="output",
        bind="query-params",
    )
    requests = st.number_input(
        _("Requests"),
        min_value=1,
        max_value=1_000_000_000,
        value=1000,
        step=1000,
        key="requests",
        bind="query-params",
    )

with output:
    if not models:
        st.info(_("Choose at least one model on the left."), icon=":material/checklist:")
        st.stop()
    try:
        counts = {language: costs.count(models, text) for language, text in texts.items() if text}
    except BPEError as error:
        st.error(error_text(error))
        st.stop()
    if not counts:
        st.info(_("Type a text on the left, or choose a sample."), icon=":material/edit:")
        st.stop()
    frame = costs.rows(
        models, counts, output_tokens=int(output_tokens or 0), requests=int(requests or 1)
    )
    st.subheader(_("Cost, Chinese against English"))
    costs.chart(frame, int(requests or 1))
    if reading := costs.reading(frame):
        st.markdown(reading)
    costs.table(frame)
