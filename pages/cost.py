"""Cost: what a text, a month, a conversation costs on each model, and whether it fits."""

import streamlit as st

from playground import costs, entry
from playground.texts import _

entry.through_app()

st.markdown(
    _("What does this text cost on each model, in Chinese and in English, and does it fit?")
)

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
    draw = costs.choose_section()
    desk = costs.choose_prices()

costs.say_what_is_special(desk)
draw(desk)
