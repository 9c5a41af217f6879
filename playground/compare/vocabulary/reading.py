"""Vocabularies, read once for all readers and kept, and what was looked up in them."""

import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.vocabulary import Indices, Mode, Overlap, Vocabulary
from bpe.encoders.base import Encoder
from playground import session
from playground.compare.identity import identity
from playground.ui.i18n import _, plain


def read(code: str, encoder: Encoder) -> Vocabulary:
    """Return the vocabulary of an encoder; that takes up to a second the first time."""
    with st.spinner(_("Reading the vocabulary of {name}…").format(name=plain(session.short(code)))):
        return _vocabulary(identity(encoder), encoder)


def found(encoder: Encoder, known: Vocabulary, query: str, mode: Mode) -> Indices:
    """Return the tokens that a search finds; a bad one raises :class:`bpe.errors.BPEError`."""
    return _found(identity(encoder), query, mode, known)


def longest(encoder: Encoder, most: int) -> list[tuple[str, int]]:
    """Return the longest tokens of 汉字, each with its number of characters."""
    return _longest(identity(encoder), most, encoder)


def shared(encoder: Encoder, other: Encoder, one: Vocabulary, two: Vocabulary) -> Overlap:
    """Return what the vocabularies of two encoders share, by the bytes of the tokens."""
    return _shared(identity(encoder), identity(other), one, two)


@st.cache_resource(max_entries=4, show_spinner=False)
def _vocabulary(identity: str, _encoder: Encoder) -> Vocabulary:
    return vocabulary.read(_encoder)


@st.cache_data(max_entries=40, show_spinner=False)
def _found(identity: str, query: str, mode: Mode, _known: Vocabulary) -> Indices:
    return _known.search(query, mode)


@st.cache_data(max_entries=100, show_spinner=False)
def _longest(identity: str, most: int, _encoder: Encoder) -> list[tuple[str, int]]:
    known = _vocabulary(identity, _encoder)
    return [(entry.text, entry.characters) for entry in known.entries(known.longest("han", most))]


@st.cache_resource(max_entries=4, show_spinner=False)
def _shared(first: str, second: str, _first: Vocabulary, _second: Vocabulary) -> Overlap:
    return vocabulary.overlap(_first, _second)
