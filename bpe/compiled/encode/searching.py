"""Whether a text may hold a special token: a search for two bytes, 64 places at a time."""

import numpy as np

from bpe.compiled.characters import Text
from bpe.compiled.compiling import Int, kernel
from bpe.compiled.instructions import among64


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
