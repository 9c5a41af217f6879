"""A text that is edited, and its ids: only what stands around an edit is encoded again.

The text is held in parts that end where it may be cut, so that its ids are those of the parts, one
after the other. Whether it may be cut at a place is decided by what stands near it; so an edit asks
for the parts that it touches, and where it is close to the end of one, for its neighbour.
"""

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from bpe.encoders.backend import Backend
from bpe.errors import BPEError
from bpe.limits import num_threads
from bpe.numbers import whole_number
from bpe.text.cuts import Cuts
from bpe.text.unicode import scalar_text

if TYPE_CHECKING:
    from bpe.encoders.backend import Ids

_PART = 4096
"""Characters of a part, or a few more."""


class Session:
    """A text, and its ids at any time; made by :meth:`bpe.encoders.base.Encoder.session`.

    ``next_cut`` finds where a text may be cut; what stands within ``reach`` characters of the place
    decides that. Where it finds none, each edit encodes all of the text.
    """

    def __init__(self, backend: Backend, next_cut: Cuts, reach: int, text: str) -> None:
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
