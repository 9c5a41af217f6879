"""Joining the bytes of many tokens. In Python, reading an object per token takes the time."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, kernel
from bpe.compiled.machine import copy16

_ROOM = 16  # bytes copied at once


class CompiledDecoder:
    """The bytes of all tokens, one behind the other.

    ``tokens`` has the bytes of each id, ``None`` where there is no such id.
    """

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        lengths = [-1 if data is None else len(data) for data in tokens]
        self._lengths = np.array(lengths, np.int64)
        self._starts = np.cumsum(np.maximum(self._lengths, 0)) - np.maximum(self._lengths, 0)
        joined = b"".join([*filter(None, tokens), bytes(_ROOM)])
        self._pool = np.frombuffer(joined, np.uint8)

    def decode_bytes(self, ids: npt.NDArray[np.int64]) -> bytes | None:
        """Return the joined bytes of ids; ``None`` if one of them does not exist."""
        size = total_length(ids, self._lengths)
        if size < 0:
            return None
        target = np.empty(size + _ROOM, np.uint8)
        join(ids, self._starts, self._lengths, self._pool, target)
        return target[:size].tobytes()


@kernel
def total_length(ids: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> Int:
    """Return how many bytes the tokens have together; -1 if one does not exist."""
    total = 0
    for token in ids:
        if token < 0 or token >= len(lengths) or lengths[token] < 0:
            return -1
        total += lengths[token]
    return total


@kernel
def join(
    ids: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int64],
    pool: npt.NDArray[np.uint8],
    target: npt.NDArray[np.uint8],
) -> None:
    """Write the bytes of each token; ``pool`` and ``target`` have 16 more bytes than are used."""
    at = np.int64(0)
    for token in ids:
        start, length = starts[token], lengths[token]
        for offset in range(0, length, 16):
            copy16(pool, start + offset, target, at + offset)
        at += length
