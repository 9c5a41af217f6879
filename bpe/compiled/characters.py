"""Reading UTF-8 by characters: what stands somewhere, and where a run of some classes ends.

Texts are valid UTF-8, followed by :data:`bpe.compiled.conventions.PADDING` bytes or more. Sets of
the classes of :mod:`bpe.compiled.unicode_classes` are bit masks.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, inlined, routine

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
