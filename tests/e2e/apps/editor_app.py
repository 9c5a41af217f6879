"""The editor alone in a fragment, with what it sends to Python."""

import time

import streamlit as st

from bpe.encoders import catalog
from playground.editor import editor
from playground.ui.streamlit_private import fragment

long = int(st.query_params.get("characters", 0))
name = st.segmented_control("Tokenizer", ["o200k_base", "gpt2", "llama2"], default="o200k_base")


@fragment
def picture() -> None:
    typed = editor(
        "Your text",
        catalog.encoding(name or "o200k_base"),
        key="text",
        name=name or "o200k_base",
        default=("人工智能 is everywhere，你好。\n" * (long // 25 + 1))[:long]
        if long
        else "南京市长江大桥",
        placeholder="Type here",
        limit=int(st.query_params.get("limit", 100_000)),
    )
    st.text(f"python: {len(typed.text)} {typed.text[-20:]!r}")
    if typed.settled:
        st.rerun()


picture()
# A page has more to draw. A fragment that runs again before Streamlit has sent its part of a whole
# run takes it back, and the browser puts the editor away for a moment, with all that undo knows.
time.sleep(0.2)
runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
st.text(f"runs: {runs}")
if st.button("Another text"):
    st.session_state["text"] = "hello world"
    st.rerun()
