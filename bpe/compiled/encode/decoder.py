"""Joining the bytes of many tokens, by the kernels of :mod:`.decoding`."""

from array import array
from collections.abc import Iterable, Sequence
from operator import sub

from bpe.compiled.compiling import by_name
from bpe.compiled.encode.layout import zeros

_ROOM = 16  # bytes copied at once

_total_length = by_name("bpe.compiled.encode.decoding.total_length")
_join = by_name("bpe.compiled.encode.decoding.join")


class CompiledDecoder:
    """The bytes of all tokens, one behind the other in ``pool``.

    ``starts`` are where in it each begins, and the end of the last; ``gaps`` the ids that do not
    exist.
    """

    def __init__(self, pool: bytes, starts: Sequence[int], gaps: Iterable[int]) -> None:
        lengths = array("q", map(sub, starts[1:], starts))
        for token_id in gaps:
            lengths[token_id] = -1
        self._starts = memoryview(array("q", starts[:-1]))
        self._lengths = memoryview(lengths)
        self._pool = pool + bytes(_ROOM)

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
