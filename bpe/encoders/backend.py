"""Ordinary text to ids: one backend for each encoder, in whatever way its kind has.

A :class:`Session` is a text that is edited, and its ids: it is held in parts that end where it may
be cut, and only those that an edit touches, or comes close to, are encoded again. What an encoder
does around (special tokens, streams, limits, batches) is in :mod:`bpe.encoders.base`.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from bpe.errors import BPEError, whole_number
from bpe.limits import num_threads
from bpe.text.cuts import Cutter
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.int64]

STEP = 100_000
"""Characters counted or encoded between two yields of a stream: 1 to 100 ms."""
_PART = 4096
"""Characters of a part, or a few more."""


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
        self, texts: Sequence[str], threads: int, *, tokens: tuple[bytes, ...] = ()
    ) -> EncodedBatch | None:
        """Return the ids of all texts; ``None`` if one holds one of these tokens."""
        if any(_holds(text, tokens) for text in texts):
            return None
        return joined(self.array(text) if text else None for text in texts)

    def spans(self, text: str) -> "tuple[Ids, Numbers] | None":
        """Return the ids and the span of characters of each; ``None`` where this is not known."""
        return None

    def holds(self, text: str, tokens: tuple[bytes, ...]) -> bool:
        """Return whether a long text holds one of some tokens, which begin with the same bytes."""
        return _holds(text, tokens)


def _holds(text: str, tokens: tuple[bytes, ...]) -> bool:
    if not tokens:
        return False
    data = text.encode()
    return tokens[0][:2] in data and any(token in data for token in tokens)


class Function(Backend):
    """A function from text to ids, such as that of another library."""

    def __init__(self, function: Callable[[str], list[int]]) -> None:
        self._function = function

    def ids(self, text: str) -> list[int]:
        text.encode()  # raises for half of a surrogate pair, which each library treats differently
        return self._function(text)


class Prepared(Backend):
    """Another backend, behind tokens that are found in a text first, and a normaliser.

    ``places`` returns the span of a text that each character of the normalised one is made of.
    """

    counted_at_once = 10 * STEP

    def __init__(
        self,
        inner: Backend,
        added: Mapping[str, int],
        normalise: Callable[[str], str] | None,
        places: "Callable[[str], Numbers] | None" = None,
    ) -> None:
        self._inner, self._added, self._normalise, self._places = inner, added, normalise, places
        self._signs = {token[0] for token in added}

    def ids(self, text: str) -> list[int]:
        if (parts := self._parts_with_added(text)) is None:
            return self._inner.ids(self._normalised(text))
        ids: list[int] = []
        for part, added in parts:
            if added is not None:
                ids.append(added)
            elif part := self._normalised(part):
                ids += self._inner.ids(part)
        return ids

    def _parts(self, text: str) -> Iterable[tuple[str, int | None]]:
        """Cut a text at the tokens that are found first; return each part, with the id of such."""
        parts = split_specials(text, self._added)
        return [(part, self._added[part] if is_added else None) for part, is_added in parts]

    def count(self, text: str, *, threads: int = 1) -> int:
        if (parts := self._parts_with_added(text)) is not None:
            ordinary = [self._normalised(part) for part, added in parts if added is None]
            return (
                len(parts)
                - len(ordinary)
                + sum(self._inner.count(part, threads=threads) for part in ordinary if part)
            )
        return self._inner.count(self._normalised(text), threads=threads)

    def array(self, text: str, *, threads: int = 1) -> "Ids":
        if (parts := self._parts_with_added(text)) is None:
            return self._inner.array(self._normalised(text), threads=threads)
        import numpy as np

        ids = []
        for part, added in parts:
            if added is not None:
                ids.append(np.array([added], np.int32))
            elif part := self._normalised(part):
                ids.append(self._inner.array(part, threads=threads))
        return np.concatenate(ids)

    def batch(self, texts: Sequence[str], *, threads: int) -> list[list[int]]:
        if any(map(self._holds_added, texts)):
            return super().batch(texts, threads=threads)
        return self._inner.batch(list(map(self._normalised, texts)), threads=threads)

    def counts(self, texts: Sequence[str], threads: int) -> "Numbers":
        if any(map(self._holds_added, texts)):
            return super().counts(texts, threads)
        return self._inner.counts(list(map(self._normalised, texts)), threads)

    def arrays(
        self, texts: Sequence[str], threads: int, *, tokens: tuple[bytes, ...] = ()
    ) -> EncodedBatch | None:
        if any(map(self._holds_added, texts)):
            return super().arrays(texts, threads, tokens=tokens)
        if any(_holds(text, tokens) for text in texts):
            return None
        return self._inner.arrays(list(map(self._normalised, texts)), threads)

    def spans(self, text: str) -> "tuple[Ids, Numbers] | None":
        if (parts := self._parts_with_added(text)) is None:
            return self._spans_of(text)
        import numpy as np

        start, ids, spans = 0, [], []
        for part, added in parts:
            spanned = (
                self._spans_of(part)
                if added is None
                else (np.array([added], np.int32), np.array([[0, len(part)]]))
            )
            if spanned is None:
                return None
            ids.append(spanned[0])
            spans.append(spanned[1] + start)
            start += len(part)
        return np.concatenate(ids), np.concatenate(spans)

    def _spans_of(self, text: str) -> "tuple[Ids, Numbers] | None":
        normalised = self._normalised(text)
        spanned = self._inner.spans(normalised) if normalised else None
        if spanned is None or normalised == text:
            return spanned
        if self._places is None or len(places := self._places(text)) != len(normalised):
            return None
        import numpy as np

        ids, spans = spanned
        return ids, np.stack([places[spans[:, 0], 0], places[spans[:, 1] - 1, 1]], axis=1)

    def _holds_added(self, text: str) -> bool:
        return self._parts_with_added(text) is not None

    def _parts_with_added(self, text: str) -> list[tuple[str, int | None]] | None:
        """Return what :meth:`_parts` says; ``None`` if there are none of the tokens in the text."""
        if not any(sign in text for sign in self._signs):
            return None
        parts = list(self._parts(text))
        return parts if any(added is not None for _, added in parts) else None

    def holds(self, text: str, tokens: tuple[bytes, ...]) -> bool:
        return self._inner.holds(text, tokens)

    def _normalised(self, text: str) -> str:
        return self._normalise(text) if self._normalise else text


def joined(parts: "Iterator[Ids | None]") -> EncodedBatch:
    """Return the ids of texts one behind the other; of an empty text they are ``None``."""
    import numpy as np

    arrays = [np.zeros(0, np.int32) if part is None else part for part in parts]
    ends = np.cumsum(np.array(list(map(len, arrays)), np.int64))
    return EncodedBatch(np.concatenate([np.zeros(0, np.int32), *arrays]), ends)


class Session:
    """A text, and its ids at any time; made by :meth:`bpe.encoders.base.Encoder.session`.

    ``next_cut`` finds where a text may be cut; what stands within ``reach`` characters of the place
    decides that. Where it finds none, each edit encodes all of the text.
    """

    def __init__(self, backend: Backend, next_cut: Cutter, reach: int, text: str) -> None:
        self._backend, self._next_cut, self._reach = backend, next_cut, reach
        self._texts: list[str] = []
        self._ids: list[Ids] = []
        self._length = self._count = 0
        self.append(text)

    def __len__(self) -> int:
        """Return how many characters the text has."""
        return self._length

    @property
    def text(self) -> str:
        return "".join(self._texts)

    @property
    def count(self) -> int:
        """How many ids the text has."""
        return self._count

    @property
    def ids(self) -> list[int]:
        """The ids of the text, as :meth:`bpe.encoders.base.Encoder.encode_ordinary` gives them."""
        return [token_id for part in self._ids for token_id in part.tolist()]

    def append(self, text: str) -> None:
        self.edit(self._length, self._length, text)

    def edit(self, start: int, end: int, text: str) -> None:
        """Put ``text`` in the place of the characters from ``start`` to ``end``.

        A span outside of the text raises :class:`BPEError`.
        """
        first_character, last_character = whole_number(start), whole_number(end)
        if first_character is None or last_character is None or not 0 <= start <= end <= len(self):
            raise BPEError(
                "The text has no characters from {start!r} to {end!r}: it has {length}.",
                start=start,
                end=end,
                length=f"{len(self):,}",
            )
        ends = list(accumulate(map(len, self._texts)))
        first = bisect_right(ends, start - self._reach)
        after = min(bisect_left(ends, end + self._reach) + 1, len(ends))
        before = ends[first - 1] if first else 0
        old = "".join(self._texts[first:after])
        new = old[: start - before] + scalar_text(text) + old[end - before :]
        parts = self._cut(new)
        ids = self._encode(parts)
        self._length += len(new) - len(old)
        self._count += sum(map(len, ids)) - sum(map(len, self._ids[first:after]))
        self._texts[first:after], self._ids[first:after] = parts, ids

    def _cut(self, text: str) -> list[str]:
        parts = []
        start = 0
        while len(text) - start > 2 * _PART:
            cut = self._next_cut(text, start + _PART)
            if cut is None or not cut.free:
                break
            parts.append(text[start : cut.end])
            start = cut.end
        return [*parts, text[start:]] if start < len(text) else parts

    def _encode(self, parts: list[str]) -> "list[Ids]":
        backend = self._backend
        if len(parts) < _PART // 64 or (batch := backend.arrays(parts, num_threads())) is None:
            return list(map(backend.array, parts))
        starts = [0, *batch.ends.tolist()]
        return [batch.ids[first:end] for first, end in pairwise(starts)]
