"""Cost: what a text, a month, a conversation costs on each model, and whether it fits."""

import streamlit as st

from playground import cost
from playground.ui import navigation
from playground.ui.i18n import _

navigation.through_app()

st.markdown(
    _("What does this text cost on each model, in Chinese and in English, and does it fit?")
)

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    draw = cost.choose_section()
    desk = cost.choose_prices()

cost.say_what_is_special(desk)
draw(desk)
