"""A name for exactly one tokenizer, so that what was measured with it can be kept."""

import uuid
from typing import Any

import streamlit as st

from bpe.encoders.base import Encoder
from bpe.encoders.trained import Tokenizer

_NAMES = "names of tokenizers"


def identity(encoder: Encoder) -> str:
    """Return a name that no other tokenizer of any session has.

    Those of the catalogue have one, and of a trained one it follows from its merges. An uploaded
    one is known by nothing but being this object, so it gets a random name for the session.
    """
    if encoder.provenance == "catalogue":
        return f"catalogue-{encoder.name}"
    if isinstance(encoder, Tokenizer):
        return f"trained-{encoder.digest}"
    # The encoder is kept beside its name: its id() stays its own for as long as it lives.
    names: dict[int, tuple[Any, str]] = st.session_state.setdefault(_NAMES, {})
    return names.setdefault(id(encoder), (encoder, uuid.uuid4().hex))[1]
