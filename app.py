"""The entry: page settings, the header, then the page that was asked for."""

import streamlit as st

from playground import entry, library

st.set_page_config(page_title="BPE Playground", page_icon="assets/icon.svg", layout="wide")
library.warm_up()

page = entry.header()
st.title(page.title)
page.run()
