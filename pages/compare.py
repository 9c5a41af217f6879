"""Compare: one meaning in two languages, under many tokenizers, token by token."""

import streamlit as st

from bpe.errors import BPEError
from playground import charts, entry, library, pairs
from playground.compare import text as comparison
from playground.texts import _, error_text, plain
from playground.tokens import token_view

entry.through_app()

st.markdown(_("How does each tokenizer see a text, and what does that do to Chinese?"))

inputs, output = st.columns([1, 2], gap="large")

with inputs:
    texts = pairs.text_areas("compare")
    encoders = comparison.choose_tokenizers("tokenizers")

with output:
    if not encoders:
        st.info(_("Choose at least one tokenizer on the left."), icon=":material/checklist:")
        st.stop()
    if not any(texts.values()):
        st.info(_("Type a text on the left, or choose a sample."), icon=":material/edit:")
        st.stop()
    measured = comparison.measure(encoders, texts)
    premium = comparison.premiums(measured)
    order = list(dict.fromkeys(measured.sort_values("tokens")["tokenizer"]))
    st.subheader(_("Tokens, Chinese against English"))
    charts.show(
        charts.bars(measured, value="tokens", title=_("Tokens"), order=order),
        alt_text=_("Token counts of each tokenizer in Chinese and English"),
    )
    if not premium.empty:
        st.markdown(comparison.reading(premium))
        st.subheader(_("The premium of Chinese"))
        charts.show(
            charts.premium(premium, order=list(premium["tokenizer"])),
            alt_text=_("Chinese tokens for each English one, with a line at 1.0"),
        )
    comparison.table(measured, order)

st.subheader(_("Token by token"))
for name, encoder in encoders.items():
    st.markdown(f"**{plain(library.label(name))}**")
    shown = [language for language in ("zh", "en") if texts[language]]
    for column, language in zip(st.columns(len(shown) or 1), shown, strict=False):
        with column:
            try:
                cut = library.segmentation(encoder, texts[language])
            except BPEError as error:
                st.error(error_text(error))
                continue
            token_view(
                cut,
                key=f"view_{language}_{name}",
                translate=_,
                made=library.made(encoder),
                show_ids=False,
            )
