"""The entry: what a link restores, the header above every page, and the page that was asked for."""

import streamlit as st

from playground import navigation, session
from playground.share import contents
from playground.ui import frame, memory, state
from playground.ui.i18n import errors_shown

st.set_page_config(page_title="BPE Playground", page_icon="assets/icon.svg", layout="wide")
memory.start()

# Around Streamlit, which has no room above its pages, and takes its first run for an older app.
# Its private names are in playground/ui/streamlit_private.py.
navigation.start_over_once()
frame.style()

# What the app is: a state that links restore, a header, a page.
state.begin()
contents.read()
with frame.room_of_header():
    page = navigation.header()
st.set_page_config(page_title=f"{page.title} · BPE Playground")
with contents.around(page.url_path), frame.hidden_until_styled("page"):
    st.title(navigation.question(page), anchor=False)
    session.hold_text()
    with errors_shown():
        memory.wait_until_free()
        page.run()
    frame.glossary()
