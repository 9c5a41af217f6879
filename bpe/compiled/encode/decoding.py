"""Joining the bytes of many tokens. In Python, reading an object per token takes the time.

And whether a text may hold a special token: a search for two bytes, 64 places at a time.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Text
from bpe.compiled.compiling import Int, kernel
from bpe.compiled.instructions import among64, copy16


@kernel
def total_length(ids: npt.NDArray[np.uint32], lengths: npt.NDArray[np.int64]) -> Int:
    """Return how many bytes the tokens have together; -1 if one does not exist."""
    total = 0
    for token in ids:
        if token >= len(lengths) or lengths[token] < 0:
            return -1
        total += lengths[token]
    return total


@kernel
def join(
    ids: npt.NDArray[np.uint32],
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


@kernel
def holds_two(text: Text, end: Int, first: Int, second: Int) -> Int:
    """Return whether two bytes stand side by side, the first of them before ``end``.

    As many bytes as are looked at at once must exist behind the end.
    """
    for at in range(0, end, 64):
        both = among64(text, at, first, 1) & among64(text, at + 1, second, 1)
        if both & (~np.uint64(0) >> np.uint64(max(at + 64 - end, 0))) != 0:
            return True
    return False
