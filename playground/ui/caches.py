"""What a session need not work out again: a cache bounded in bytes, and the texts cut into tokens.

The cache lives in the session of Streamlit, so that no visitor can tell what another has typed.
"""

import sys
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

import streamlit as st

from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders.base import Encoder

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

SEGMENTATION_BYTES = 128 * 2**20
"""How much memory the segmentations of one session may take."""

_SEGMENTATIONS = "segmentations"


class BoundedCache(Generic[Key, Value]):
    """Values by key, of limited size together; the least recently used are evicted first.

    After a click, the run before it goes on for a moment beside the new one: all methods may be
    called from several threads.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        """The sizes of all values, added up."""
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, which is then the most recently used, or ``None``."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def put(self, key: Key, value: Value, size: int) -> None:
        """Keep a value, unless it is larger than the limit by itself."""
        with self._lock:
            if key in self._entries:
                self.size -= self._entries.pop(key)[1]
            if size > self.limit:
                return
            while self.size + size > self.limit:
                _key, (_value, evicted) = self._entries.popitem(last=False)
                self.size -= evicted
            self._entries[key] = (value, size)
            self.size += size


_Cut = tuple[Encoder, Segmentation]
"""The encoder is kept with its segmentation, so that no other gets its ``id()``."""


def segmentation(encoder: Encoder, text: str) -> Segmentation:
    """Return a text cut into tokens, without special tokens; once for each session."""
    cache = _segmentations()
    key = (id(encoder), text)
    if known := cache.get(key):
        return known[1]
    cut = segment(encoder, text)
    cache.put(key, (encoder, cut), sys.getsizeof(text) + cut.memory)
    return cut


def is_segmented(encoder: Encoder, text: str) -> bool:
    """Whether :func:`segmentation` will answer at once."""
    return (id(encoder), text) in _segmentations()


def _segmentations() -> BoundedCache[tuple[int, str], _Cut]:
    cache: BoundedCache[tuple[int, str], _Cut] = st.session_state.setdefault(
        _SEGMENTATIONS, BoundedCache(SEGMENTATION_BYTES)
    )
    return cache
