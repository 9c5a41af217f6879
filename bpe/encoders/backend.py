"""Ordinary text to ids: one backend for each encoder, in whatever way its kind has.

What an encoder does around it (special tokens, streams, limits, batches of texts with options) is
in :mod:`bpe.encoders.base`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bpe.text.special_tokens import split_specials

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.int64]

STEP = 100_000
"""Characters counted or encoded between two yields of a stream: 1 to 100 ms."""


class EncodedBatch(NamedTuple):
    """The ids of many texts one behind the other, and where those of each end: int32 and int64."""

    ids: "Ids"
    ends: "Numbers"


class Backend(ABC):
    """Text to ids, where nothing in the text is special.

    Every method takes a text that is not empty (of many, some may be) and raises
    ``UnicodeEncodeError`` for one with half of a surrogate pair. ``threads`` are the most that it
    uses, if the engine lets several run.
    """

    counted_at_once = STEP
    """Characters of a stream that are counted in one call."""

    @abstractmethod
    def ids(self, text: str) -> list[int]:
        """Return the ids of ``text``."""

    def count(self, text: str, *, threads: int = 1) -> int:
        return len(self.ids(text))

    def array(self, text: str, *, threads: int = 1) -> "Ids":
        """Return the ids as int32."""
        import numpy as np

        return np.array(self.ids(text), np.int32)

    def batch(self, texts: Sequence[str], *, threads: int) -> list[list[int]]:
        """Return the ids of each text."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(lambda text: self.ids(text) if text else [], texts))

    def counts(self, texts: Sequence[str], threads: int) -> "Numbers":
        """Return how many ids each text has."""
        import numpy as np

        return np.array([self.count(text) if text else 0 for text in texts], np.int64)

    def arrays(
        self, texts: Sequence[str], threads: int, *, two: bytes = b""
    ) -> EncodedBatch | None:
        """Return the ids of all texts; ``None`` if the UTF-8 of one holds these two bytes."""
        if two and any(two in text.encode() for text in texts):
            return None
        return joined(self.array(text) if text else None for text in texts)

    def spans(self, text: str) -> "tuple[Ids, Numbers] | None":
        """Return the ids and the span of characters of each; ``None`` where this is not known."""
        return None

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
        self._signs = {token[0] for token in added}

    def ids(self, text: str) -> list[int]:
        if not self._holds_added(text):
            return self._inner.ids(self._normalised(text))
        ids: list[int] = []
        for part, is_added in split_specials(text, self._added):
            if is_added:
                ids.append(self._added[part])
            elif part := self._normalised(part):
                ids += self._inner.ids(part)
        return ids

    def count(self, text: str, *, threads: int = 1) -> int:
        if self._holds_added(text):
            return len(self.ids(text))
        return self._inner.count(self._normalised(text), threads=threads)

    def array(self, text: str, *, threads: int = 1) -> "Ids":
        if self._holds_added(text):
            return super().array(text)
        return self._inner.array(self._normalised(text), threads=threads)

    def batch(self, texts: Sequence[str], *, threads: int) -> list[list[int]]:
        if any(map(self._holds_added, texts)):
            return super().batch(texts, threads=threads)
        return self._inner.batch(list(map(self._normalised, texts)), threads=threads)

    def counts(self, texts: Sequence[str], threads: int) -> "Numbers":
        if any(map(self._holds_added, texts)):
            return super().counts(texts, threads)
        return self._inner.counts(list(map(self._normalised, texts)), threads)

    def arrays(
        self, texts: Sequence[str], threads: int, *, two: bytes = b""
    ) -> EncodedBatch | None:
        if any(map(self._holds_added, texts)):
            return super().arrays(texts, threads, two=two)
        if two and any(two in text.encode() for text in texts):
            return None
        return self._inner.arrays(list(map(self._normalised, texts)), threads)

    def spans(self, text: str) -> "tuple[Ids, Numbers] | None":
        if self._holds_added(text) or self._normalised(text) != text:
            return None
        return self._inner.spans(text)

    def _holds_added(self, text: str) -> bool:
        return any(sign in text for sign in self._signs) and any(
            is_added for _, is_added in split_specials(text, self._added)
        )

    def may_hold(self, text: str, two: bytes) -> bool:
        return self._inner.may_hold(text, two)

    def _normalised(self, text: str) -> str:
        return self._normalise(text) if self._normalise else text


def joined(parts: "Iterator[Ids | None]") -> EncodedBatch:
    """Return the ids of texts one behind the other; of an empty text they are ``None``."""
    import numpy as np

    arrays = [np.zeros(0, np.int32) if part is None else part for part in parts]
    ends = np.cumsum(np.array(list(map(len, arrays)), np.int64))
    return EncodedBatch(np.concatenate([np.zeros(0, np.int32), *arrays]), ends)
