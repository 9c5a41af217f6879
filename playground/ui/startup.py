"""What a server does once, at its first visit: bound its memory, and prepare the kernels."""

import sys

import streamlit as st

from bpe import compiled
from playground.ui import memory

_SWITCH_SECONDS = 0.001


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Bound the memory, have the kernels compiled in the background and sessions take turns, once.

    What a session computes in plain Python holds the lock of the interpreter. Another session asks
    for it dozens of times to answer one click, and waits this long each time.
    """
    memory.bound()
    sys.setswitchinterval(_SWITCH_SECONDS)
    compiled.warm()
