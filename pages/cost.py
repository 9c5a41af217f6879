"""Cost: what a text, a month, a conversation costs on each model, and whether it fits."""

import streamlit as st

from bpe.errors import BPEError
from playground import navigation
from playground.cost import batch, conversation, languages, month, price_settings, prices, window
from playground.ui import fields, frame
from playground.ui.i18n import _, error_text

navigation.through_app()

st.markdown(
    _("What does this text cost on each model, in Chinese and in English, and does it fit?")
)

sections = {
    "languages": (_("Two languages"), languages),
    "models": (_("Models and prices"), prices),
    "month": (_("A month"), month),
    "conversation": (_("A conversation"), conversation),
    "window": (_("Does it fit?"), window),
    "batch": (_("Many prompts"), batch),
}

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    code = fields.segments(
        _("Question"),
        {code: label for code, (label, _section) in sections.items()},
        key="section",
        label_visibility="collapsed",
    )
    context = price_settings.choose()

price_settings.say_what_is_special(context)

_label, section = sections[code]
settings_place, result = frame.settings_and_result(result=3 if section is prices else 2)

with settings_place:
    inputs = section.choose(context)

with result:
    try:
        section.show(context, inputs)
    except BPEError as error:
        st.error(error_text(error))
