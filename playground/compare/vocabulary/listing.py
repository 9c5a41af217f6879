"""Vocabularies in lists: what is looked up in them, in order, as a table, as a file, and in words.

Those of the catalogue are read once for all readers, which takes up to a second and tens of
megabytes each; one's own, and every search, stay in the session.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np
import pandas as pd
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import Unreached, unreachable
from bpe.analysis.vocabulary import Indices, Mode, Order, Overlap, Vocabulary
from bpe.encoders.base import Encoder
from playground import session
from playground.ui import caches, fields, memory, tables
from playground.ui.i18n import _, language, plain

Value = TypeVar("Value")

LISTED = 1_000
"""How many tokens are listed; all of those found are in the file to download."""


def in_order(source: Vocabulary, some: Indices, others: Indices) -> Indices:
    """Draw the choice of an order; return in it the tokens that are in both."""
    orders = {
        "id": _("id, first ones first"),
        "-id": _("id, last ones first"),
        "-characters": _("most characters first"),
        "characters": _("fewest characters first"),
        "-bytes": _("most bytes first"),
        "bytes": _("fewest bytes first"),
        "text": _("text"),
    }
    order = fields.select(_("Order"), orders, key="vocabulary_order")
    both = np.intersect1d(some, others, assume_unique=True)
    return source.sort(both, cast(Order, order.removeprefix("-")), descending=order.startswith("-"))


def show(source: Vocabulary, chosen: Indices, *, key: str) -> None:
    listed = frame(source, chosen[:LISTED])
    tables.show(
        listed.assign(script=listed["script"].map(scripts()), kind=listed["kind"].map(kinds())),
        {
            "id": tables.number(_("Id"), form="%d", width="small"),
            "token": tables.text(_("Token"), width="medium"),
            "characters": tables.number(_("Whole characters")),
            "length": tables.number(_("Length in bytes")),
            "script": tables.text(_("Writing system")),
            "kind": tables.text(_("Kind")),
            "bytes": tables.text(_("Bytes"), width="medium"),
        },
        alt_text=_("The tokens found, with id, bytes, length, script and kind"),
        most_height=420,
        key=f"{key}_{language()}",
    )


def frame(source: Vocabulary, chosen: Indices) -> pd.DataFrame:
    """Return a row for each token, scripts and kinds by their codes."""
    rows = [
        (
            entry.id,
            entry.text,
            entry.characters,
            len(entry.bytes),
            entry.script,
            entry.kind,
            entry.bytes.hex(" ").upper(),
        )
        for entry in source.entries(chosen)
    ]
    columns = ["id", "token", "characters", "length", "script", "kind", "bytes"]
    return pd.DataFrame(rows, columns=columns)


def scripts() -> dict[str, str]:
    return {
        "han": _("Chinese characters"),
        "latin": _("Latin"),
        "kana": _("Kana"),
        "hangul": _("Hangul"),
        "cyrillic": _("Cyrillic"),
        "arabic": _("Arabic"),
        "other": _("another script"),
        "mixed": _("several scripts"),
        "digits": _("digits"),
        "signs": _("signs"),
        "space": _("white space"),
        "none": _("no whole character"),
    }


def kinds() -> dict[str, str]:
    return {
        "character": _("one character"),
        "several": _("several characters"),
        "partial": _("with parts of characters"),
        "special": _("special"),
        "empty": _("no bytes"),
    }


_TOKEN_BYTES = 160
"""About how much memory a token of a vocabulary takes."""


def read(code: str, encoder: Encoder) -> Vocabulary:
    """Return the vocabulary of an encoder; that takes up to a second the first time."""
    with st.spinner(_("Reading the vocabulary of {name}…").format(name=plain(session.short(code)))):
        return _vocabulary(encoder)


def search(encoder: Encoder, source: Vocabulary, query: str, mode: Mode) -> Indices:
    """Return the tokens that a search finds; a bad one raises :class:`bpe.errors.BPEError`."""
    return caches.cached(
        ("search", query, mode),
        lambda: source.search(query, mode),
        memory=lambda hits: hits.nbytes,
        of=(encoder,),
    )


def shared(encoder: Encoder, other: Encoder, one: Vocabulary, two: Vocabulary) -> Overlap:
    return caches.cached(
        ("overlap",),
        lambda: vocabulary.overlap(one, two),
        memory=8 * (len(one) + len(two)),
        of=(encoder, other),
    )


def unreached(encoder: Encoder) -> tuple[Unreached, ...]:
    """Return the tokens that no text produces."""
    size = _TOKEN_BYTES * encoder.vocabulary_size // 8  # mostly far fewer
    return _of("unreached", encoder, lambda: unreachable(encoder, _vocabulary(encoder)), size)


def _vocabulary(encoder: Encoder) -> Vocabulary:
    size = _TOKEN_BYTES * encoder.vocabulary_size
    return _of("vocabulary", encoder, lambda: vocabulary.read(encoder), size)


def _of(name: str, encoder: Encoder, make: Callable[[], Value], size: int) -> Value:
    """Return what is made of an encoder once: of the catalogue's for all, of others here."""
    if encoder.provenance != "catalogue":
        return caches.cached((name,), make, memory=size, of=(encoder,))
    made: Value = memory.shared.get_or_make((name, encoder.name), make, size)
    return made
