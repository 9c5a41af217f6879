"""Joining the bytes of many tokens, by the kernels of :mod:`.decoding`."""

from array import array
from collections.abc import Sequence
from itertools import accumulate

from bpe.compiled.compiling import by_name
from bpe.compiled.encode.workspace import zeros

_ROOM = 16  # bytes copied at once

_total_length = by_name("bpe.compiled.encode.decoding.total_length")
_join = by_name("bpe.compiled.encode.decoding.join")


class CompiledDecoder:
    """The bytes of all tokens, one behind the other.

    ``tokens`` has the bytes of each id, ``None`` where there is no such id.
    """

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        sizes = [0 if data is None else len(data) for data in tokens]
        starts = accumulate(sizes, initial=0)
        lengths = (-1 if data is None else len(data) for data in tokens)
        self._starts = memoryview(array("q", [*starts][:-1]))
        self._lengths = memoryview(array("q", lengths))
        self._pool = b"".join([*filter(None, tokens), bytes(_ROOM)])

    def joined(self, ids: Sequence[int]) -> memoryview | None:
        """Return the joined bytes of ids; ``None`` if one of them does not exist."""
        try:
            numbers = memoryview(array("I", ids))
        except (OverflowError, TypeError):
            return None
        size = _total_length(numbers, self._lengths)
        if size < 0:
            return None
        target = memoryview(zeros(size + _ROOM)).cast("B")
        _join(numbers, self._starts, self._lengths, self._pool, target)
        return target[:size]
