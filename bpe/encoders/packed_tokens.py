"""The bytes of all tokens in one block of memory.

As an object each, 200,000 tokens take 0.2 s and some 40 MB to make; a text has a few hundred. Here
a token becomes an object when it is asked for, and stays one::

    pool    l o w e r   低
    starts  0     3   5 8
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import overload


class PackedTokens(Sequence[bytes | None]):
    """The bytes of each id, ``None`` where there is no such id.

    ``starts`` are where in ``pool`` each begins, and the end of the last; ``gaps`` the ids that do
    not exist, which have no bytes.
    """

    def __init__(self, pool: bytes, starts: Sequence[int], gaps: Sequence[int]) -> None:
        self._pool = pool
        self._starts = starts
        self._gaps = frozenset(gaps)
        self.known = _Known(self._pool, self._starts, self._gaps)
        """The same by id, for who looks up many: a token that was asked for is found at once."""

    @classmethod
    def of(cls, tokens: Sequence[bytes | None]) -> "PackedTokens":
        """Pack tokens."""
        lengths = (len(data or b"") for data in tokens)
        gaps = [at for at, data in enumerate(tokens) if data is None]
        starts = array("I", accumulate(lengths, initial=0))
        return cls(b"".join(filter(None, tokens)), starts, array("I", gaps))

    def arrays(self) -> list[memoryview]:
        """Return what :class:`PackedTokens` is made of, the numbers as 32 bits each."""
        numbers = self._starts, sorted(self._gaps)
        return [memoryview(self._pool), *(memoryview(array("I", each)) for each in numbers)]

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> bytes | None: ...
    @overload
    def __getitem__(self, at: slice) -> list[bytes | None]: ...
    def __getitem__(self, at: int | slice) -> bytes | list[bytes | None] | None:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError(at)
        return self.known[at]

    def __iter__(self) -> Iterator[bytes | None]:
        pool, gaps = self._pool, self._gaps
        for at, (start, end) in enumerate(pairwise(self._starts)):
            yield None if at in gaps else pool[start:end]

    def __contains__(self, data: object) -> bool:
        return bool(self._gaps) if data is None else super().__contains__(data)


class _Known(dict[int, bytes | None]):
    """Tokens by id that were asked for; the others are unpacked when they are."""

    def __init__(self, pool: bytes, starts: Sequence[int], gaps: frozenset[int]) -> None:
        self._pool, self._starts, self._gaps = pool, starts, gaps

    def __missing__(self, token_id: int) -> bytes | None:
        if not 0 <= token_id < len(self._starts) - 1:
            raise KeyError(token_id)
        start, end = self._starts[token_id], self._starts[token_id + 1]
        self[token_id] = data = None if token_id in self._gaps else self._pool[start:end]
        return data
