"""The cache of a session: results that need not be worked out again, bounded in bytes.

It is in the session of Streamlit, so that no visitor can tell what another has typed. What is the
same for all (a vocabulary, a training) is cached for the whole server: :mod:`playground.ui.memory`.
"""

import sys
import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import streamlit as st

from bpe.analysis import alignment
from bpe.analysis.alignment import Alignment
from bpe.analysis.segmentation import Segmentation, recut, segment
from bpe.encoders.base import Encoder
from bpe.limits import BoundedCache

Value = TypeVar("Value")

SESSION_BYTES = 128 * 2**20
"""How much memory the cache of one session may take."""

_CACHE, _CUT = "cache", "segmentation"

_Of = tuple["weakref.ref[Encoder] | None", ...]
"""The encoders that something was worked out of; ``None`` for those of the catalogue."""
_Entry = tuple[_Of, Any]


def cached(
    key: tuple[Hashable, ...],
    make: Callable[[], Value],
    *,
    memory: int | Callable[[Value], int],
    of: tuple[Encoder, ...] = (),
) -> Value:
    """Return what ``make`` makes, once for each session and key while there is room.

    ``memory`` is about how many bytes it takes. What is a result ``of`` encoders is found for these
    alone, and does not keep them in memory: those of the catalogue may be loaded again.
    """
    cache = _of_session()
    key = (*map(identity, of), *key)
    if (entry := cache.get(key)) and _is_of(entry, of):
        value: Value = entry[1]
        return value
    value = make()
    cache.put(key, (_references(of), value), memory(value) if callable(memory) else memory)
    return value


def latest(name: str, identity: object, make: Callable[[], Value]) -> Value:
    """Return what ``make`` makes, again only when ``identity`` is another than the last time.

    For what must not be evicted, or grows while it is worked on: one value for each ``name``.
    """
    key = f"latest {name}"
    last: tuple[object, Value] | None = st.session_state.get(key)
    if last is None or last[0] != identity:
        last = st.session_state[key] = (identity, make())
    return last[1]


def identity(encoder: Encoder) -> Hashable:
    """Return what an encoder is known by: a name that no other has as long as it lives."""
    return encoder.name if encoder.provenance == "catalogue" else id(encoder)


def _references(encoders: tuple[Encoder, ...]) -> _Of:
    return tuple(None if e.provenance == "catalogue" else weakref.ref(e) for e in encoders)


def _is_of(entry: _Entry, encoders: tuple[Encoder, ...]) -> bool:
    """Whether an entry is of these encoders, and not of others that had the same ``id()`` once."""
    pairs = zip(entry[0], encoders, strict=True)
    return all(of is None or of() is encoder for of, encoder in pairs)


def forget(encoder: Encoder) -> None:
    """Drop all that was worked out of an encoder, which would keep it in memory for long."""
    gone = (encoder, None)  # None: a weak reference to an encoder that was deleted
    _of_session().drop(lambda entry: any(of is not None and of() in gone for of in entry[0]))


def segmentation(encoder: Encoder, text: str, *, after: str | None = None) -> Segmentation:
    """Return a text cut into tokens; special tokens in it are ordinary text.

    ``after`` is the text that it was before an edit: what has not changed is not cut again.
    """

    def cut() -> Segmentation:
        if after is None or (before := _known(encoder, after)) is None:
            return segment(encoder, text)
        return recut(encoder, before[1], after, text)

    size = sys.getsizeof(text)
    return cached((_CUT, text), cut, memory=lambda made: size + made.memory, of=(encoder,))


def _known(encoder: Encoder, text: str) -> _Entry | None:
    entry = _of_session().get((identity(encoder), _CUT, text))
    return entry if entry and _is_of(entry, (encoder,)) else None


def aligned(segmentations: Sequence[Segmentation]) -> Alignment:
    return cached(
        ("alignment", *(segmentation.digest for segmentation in segmentations)),
        lambda: alignment.align(segmentations),
        memory=lambda aligned: aligned.memory,
    )


def _of_session() -> BoundedCache[tuple[Hashable, ...], _Entry]:
    cache: BoundedCache[tuple[Hashable, ...], _Entry]
    cache = st.session_state.setdefault(_CACHE, BoundedCache(SESSION_BYTES))
    return cache
