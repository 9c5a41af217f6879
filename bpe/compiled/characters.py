"""Reading UTF-8 by characters: what stands somewhere, and where a run of some classes ends.

Texts are valid UTF-8, followed by :data:`bpe.compiled.conventions.PADDING` bytes or more. Sets of
the classes of :mod:`bpe.compiled.unicode_classes` are bit masks.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, inlined, routine
from bpe.compiled.instructions import load8, trailing_zeros

HIGH_BITS = np.uint64(0x8080808080808080)
_SEVEN_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_FROM_A = np.uint64(0x0101010101010101 * (0x80 - ord("a")))
_BEYOND_Z = np.uint64(0x0101010101010101 * (0x7F - ord("z")))
BOTH_CASES = np.uint64(0x2020202020202020)
SMALL_ONLY = np.uint64(0)

Text = npt.NDArray[np.uint8]
Classes = npt.NDArray[np.uint8]


@inlined
def character(text: Text, at: Int) -> tuple[Int, Int]:
    """Return the code point of the character that begins at ``at``, and its length in bytes."""
    lead = np.int64(text[at])
    if lead < 0x80:
        return lead, 1
    if lead < 0xE0:
        return (lead & 0x1F) << 6 | (text[at + 1] & 0x3F), 2
    if lead < 0xF0:
        return (lead & 0x0F) << 12 | (text[at + 1] & 0x3F) << 6 | (text[at + 2] & 0x3F), 3
    return (
        (lead & 0x07) << 18
        | (text[at + 1] & 0x3F) << 12
        | (text[at + 2] & 0x3F) << 6
        | (text[at + 3] & 0x3F),
        4,
    )


@routine
def is_in(text: Text, at: Int, end: Int, classes: Classes, mask: Int) -> Int:
    """Return whether there is a character at ``at`` and its class is in ``mask``."""
    if at >= end:
        return False
    return (mask >> classes[character(text, at)[0]]) & 1 != 0


@routine
def skip(text: Text, at: Int, end: Int, classes: Classes, mask: Int) -> Int:
    """Return where the run of characters of ``mask`` that begins at ``at`` ends."""
    while at < end:
        lead = text[at]
        if lead < 0x80:
            if (mask >> classes[lead]) & 1 == 0:
                break
            at += 1
        else:
            point, size = character(text, at)
            if (mask >> classes[point]) & 1 == 0:
                break
            at += size
    return at


@routine
def skip_letters(text: Text, at: Int, end: Int, classes: Classes, mask: Int, fold: Int) -> Int:
    """Return what :func:`skip` does, where ``mask`` has letters: English ones eight at a time.

    ``fold`` is 0x20 in each byte if both cases are in ``mask``, and 0 if small letters alone are.
    """
    while at < end:
        eight = load8(text, at)
        small = (eight | fold) & _SEVEN_BITS
        # The high bit of each byte that is no letter from a to z: too small, too large, not ASCII.
        other = (~(small + _FROM_A) | (small + _BEYOND_Z) | eight) & HIGH_BITS
        if other == 0:
            at += 8
            continue
        at += np.int64(trailing_zeros(other) >> np.uint64(3))
        if at >= end or text[at] < 0x80:
            break
        point, size = character(text, at)
        if (mask >> classes[point]) & 1 == 0:
            break
        at = skip(text, at + size, end, classes, mask)
        break
    return min(at, end)
