"""Lookups in vocabularies, cached.

Those of the catalogue are read once for all readers, which takes up to a second and tens of
megabytes each; one's own, and every search, stay in the session.
"""

import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import Unreached, unreachable
from bpe.analysis.vocabulary import Indices, Mode, Overlap, Vocabulary
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from playground import session
from playground.ui import caches, memory
from playground.ui.i18n import _, plain

_TOKEN_BYTES = 160
"""About how much memory a token of a vocabulary takes."""


def read(code: str, encoder: Encoder) -> Vocabulary:
    """Return the vocabulary of an encoder; that takes up to a second the first time."""
    with st.spinner(_("Reading the vocabulary of {name}…").format(name=plain(session.short(code)))):
        return _vocabulary(encoder)


def search(encoder: Encoder, known: Vocabulary, query: str, mode: Mode) -> Indices:
    """Return the tokens that a search finds; a bad one raises :class:`bpe.errors.BPEError`."""
    return caches.cached(
        ("search", query, mode),
        lambda: known.search(query, mode),
        memory=lambda found: found.nbytes,
        of=(encoder,),
    )


def longest(encoder: Encoder, most: int) -> list[tuple[str, int]]:
    """Return the longest tokens of 汉字, each with its number of characters."""

    def look_up() -> list[tuple[str, int]]:
        known = _vocabulary(encoder)
        found = known.entries(known.longest("han", most))
        return [(entry.text, entry.characters) for entry in found]

    return caches.cached(("longest", most), look_up, memory=_TOKEN_BYTES * most, of=(encoder,))


def shared(encoder: Encoder, other: Encoder, one: Vocabulary, two: Vocabulary) -> Overlap:
    return caches.cached(
        ("overlap",),
        lambda: vocabulary.overlap(one, two),
        memory=8 * (len(one) + len(two)),
        of=(encoder, other),
    )


def unreached(encoder: Encoder, pattern: str = "") -> tuple[Unreached, ...]:
    """Return the tokens that no text produces, behind another split pattern where one is given."""

    def look_up() -> tuple[Unreached, ...]:
        known = _vocabulary(encoder)
        return unreachable(encoder.with_pattern(pattern) if pattern else encoder, known)

    if encoder.provenance == "catalogue":
        size = _TOKEN_BYTES * encoder.vocabulary_size // 8  # mostly far fewer
        key = ("unreached", encoder.name, pattern)
        return memory.shared().get_or_make(key, look_up, size)  # type: ignore[no-any-return]
    return caches.cached(
        ("unreached", pattern),
        look_up,
        memory=lambda found: 2 * _TOKEN_BYTES * (len(found) + 1),
        of=(encoder,),
    )


def _vocabulary(encoder: Encoder) -> Vocabulary:
    if encoder.provenance == "catalogue":
        name = encoder.name
        return memory.shared().get_or_make(  # type: ignore[no-any-return]
            ("vocabulary", name),
            lambda: vocabulary.read(catalog.encoding(name)),
            _TOKEN_BYTES * encoder.vocabulary_size,
        )
    return caches.cached(
        ("vocabulary",),
        lambda: vocabulary.read(encoder),
        memory=lambda known: _TOKEN_BYTES * len(known),
        of=(encoder,),
    )
