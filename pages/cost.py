"""Cost: what a text, once or for a month, and a request cost on each model, and whether it fits."""

import streamlit as st

from bpe.errors import BPEError
from playground import cost, navigation
from playground.cost import batch, languages, price_settings, prices, requests
from playground.ui import fields, frame
from playground.ui.i18n import _, error_text

navigation.through_app()

sections = {
    "languages": (_("A text"), languages),
    "conversation": (_("A request"), requests),
    "batch": (_("A batch of prompts"), batch),
    "models": (_("Models and prices"), prices),
}
cost.follow_old_link()

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
