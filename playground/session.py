"""What a visitor has: tokenizers of one's own, and the names by which all of them are chosen.

They live in the session of Streamlit and are seen by no other.
"""

from dataclasses import dataclass

import streamlit as st

from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.training.recipe import Recipe
from playground.share.codec import Corpus
from playground.ui import caches

OWN = "own-"
"""How the codes of tokenizers of a session begin."""

_OWN = "own tokenizers"
_NAMES = "names of own tokenizers"
_MADE = "how own tokenizers were trained"


@dataclass(frozen=True)
class Made:
    """How a tokenizer was trained; no corpus is one that cannot be had elsewhere."""

    recipe: Recipe
    corpus: Corpus | None


def keep_trained(tokenizer: Encoder, corpus_digest: str, name: str, made: Made) -> str:
    """Keep a tokenizer trained here in this session; return the code that it is chosen by.

    ``name`` is what it is called, unless it has been renamed.
    """
    code = f"{OWN}{corpus_digest[:4]}{made.recipe.digest[:4]}"
    keep(code, tokenizer)
    _made()[code] = made
    if code not in _names():
        rename(code, name)
    return code


def keep_again(code: str, tokenizer: Encoder, name: str, made: Made | None) -> None:
    """Keep a tokenizer of another session under its code and name."""
    keep(code, tokenizer)
    if made is not None:
        _made()[code] = made
    rename(code, name)


def made(code: str) -> Made | None:
    """Return how a tokenizer was trained, if that was here."""
    return _made().get(code)


def _made() -> dict[str, Made]:
    made: dict[str, Made] = st.session_state.setdefault(_MADE, {})
    return made


def rename(code: str, name: str) -> None:
    """Call a tokenizer of this session otherwise; a name that another has is told apart."""
    taken = {known for other, known in _names().items() if other != code}
    _names()[code] = f"{name} · {code[-4:]}" if name in taken else name


def _names() -> dict[str, str]:
    names: dict[str, str] = st.session_state.setdefault(_NAMES, {})
    return names


def keep(code: str, tokenizer: Encoder) -> None:
    """Keep a tokenizer in this session, for the pages that compare and count."""
    before = own().pop(code, None)
    if before is not None and before is not tokenizer:
        caches.forget(before)
    own()[code] = tokenizer


def forget(code: str) -> None:
    """Drop a tokenizer of this session."""
    if code in own():
        caches.forget(own().pop(code))
    _names().pop(code, None)
    _made().pop(code, None)


def own() -> dict[str, Encoder]:
    """Return the tokenizers of this session by code, in the order in which they came."""
    tokenizers: dict[str, Encoder] = st.session_state.setdefault(_OWN, {})
    return tokenizers


def short(code: str) -> str:
    """Return what a tokenizer is called where there is little room."""
    return label(code) if code in own() else code


def label(code: str) -> str:
    """Return what a tokenizer is called in the reader's language, with the models that use it."""
    if code in _names():
        return _names()[code]
    tokenizer = own().get(code)
    if tokenizer is not None:
        return tokenizer.name
    facts = catalog.facts(code)
    return f"{code} · {', '.join(facts.models[:2])}"


def codes() -> list[str]:
    """Return the codes of all tokenizers to choose from: the session's own, then the catalogue."""
    return [*reversed(own()), *(entry.name for entry in catalog.encodings())]


def encoder(code: str) -> Encoder:
    """Return the tokenizer of that code; an unknown one raises :class:`bpe.BPEError`."""
    return own()[code] if code in own() else catalog.encoding(code)
