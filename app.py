"""The entry: page settings, the header with the switch between languages, then the page."""

import streamlit as st

from playground import entry
from playground.texts import choose_language

st.set_page_config(page_title="BPE Playground", page_icon="assets/icon.svg", layout="wide")

header = st.container(
    horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
)
title = header.empty()
with header:
    choose_language()

page = entry.navigation()
title.title(page.title)
page.run()
