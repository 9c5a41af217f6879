"""Ordinary text to ids: one backend for each encoder, in whatever way its kind has.

What an encoder does around it (special tokens, streams, limits, batches of texts with options) is
in :mod:`bpe.encoders.base`.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from bpe.text.special_tokens import split_specials

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]

STEP = 100_000
"""Characters counted or encoded between two yields of a stream: 1 to 100 ms."""

_THREADS = min(os.cpu_count() or 1, 8)


class Backend(ABC):
    """Text to ids, where nothing in the text is special.

    Every method takes a text that is not empty (those of :meth:`batch` may be) and raises
    ``UnicodeEncodeError`` for one with half of a surrogate pair.
    """

    counted_at_once = STEP
    """Characters of a stream that are counted in one call."""

    @abstractmethod
    def ids(self, text: str) -> list[int]:
        """Return the ids of ``text``."""

    def count(self, text: str) -> int:
        return len(self.ids(text))

    def array(self, text: str) -> "Ids":
        """Return the ids as int32."""
        import numpy as np

        return np.array(self.ids(text), np.int32)

    def batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text, on all cores where the engine lets threads run."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(_THREADS) as pool:
            return list(pool.map(lambda text: self.ids(text) if text else [], texts))

    def may_hold(self, text: str, two: bytes) -> bool:
        """Return whether the UTF-8 of a long text may hold two bytes side by side."""
        return True


class Function(Backend):
    """A function from text to ids, such as that of another library."""

    def __init__(self, function: Callable[[str], list[int]]) -> None:
        self._function = function

    def ids(self, text: str) -> list[int]:
        text.encode()  # raises for half of a surrogate pair, which each library treats differently
        return self._function(text)


class Prepared(Backend):
    """Another backend, behind tokens that are found in a text first, and a normaliser."""

    counted_at_once = 10 * STEP

    def __init__(
        self, inner: Backend, added: Mapping[str, int], normalise: Callable[[str], str] | None
    ) -> None:
        self._inner, self._added, self._normalise = inner, added, normalise

    def ids(self, text: str) -> list[int]:
        if not self._added:
            return self._inner.ids(self._normalised(text))
        ids: list[int] = []
        for part, is_added in split_specials(text, self._added):
            if is_added:
                ids.append(self._added[part])
            elif part := self._normalised(part):
                ids += self._inner.ids(part)
        return ids

    def count(self, text: str) -> int:
        if self._added:
            return len(self.ids(text))
        return self._inner.count(self._normalised(text))

    def array(self, text: str) -> "Ids":
        if self._added:
            return super().array(text)
        return self._inner.array(self._normalised(text))

    def batch(self, texts: Sequence[str]) -> list[list[int]]:
        if self._added:
            return super().batch(texts)
        return self._inner.batch(list(map(self._normalised, texts)))

    def may_hold(self, text: str, two: bytes) -> bool:
        return self._inner.may_hold(text, two)

    def _normalised(self, text: str) -> str:
        return self._normalise(text) if self._normalise else text
