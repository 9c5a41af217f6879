"""Reading UTF-8 by characters: what stands somewhere, and where a run of some classes ends.

Texts are valid UTF-8, followed by :data:`bpe.compiled.layout.PADDING` bytes or more. Sets of
the classes of :mod:`bpe.compiled.unicode_classes` are bit masks.

Where a pre-token can be cut before it is merged, because no token reaches across.

Merging only ever makes tokens of the vocabulary. If no token holds the border between two
characters, what stands left of it and right of it is merged independently, and the pieces, a few
characters long and met again and again, can be looked up instead. Chinese text lives from this: its
pre-tokens are clauses that hardly ever return, while most neighbours in them share no token.

Only borders before a character of several bytes are examined. Per border inside a token of the
vocabulary one mark is made, on the character before it and the one behind it::

    token                 before       behind       mark
    中国                   中           国            pairs[hash(中, 国)]
    龍 + E5                龍           E5 ..         pairs[hash(龍, E5)]     begins a character
    AD + E5 ...           .. AD        E5           halves[AD, E5]         ends one it has not begun

``pairs`` is a bit set with few bits; two marks that share a bit only forbid a cut that would have
been allowed.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, inlined, kernel, routine
from bpe.compiled.instructions import load8, trailing_zeros

Text = npt.NDArray[np.uint8]
Classes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Ids = npt.NDArray[np.int32]


@inlined
def character(text: Text, place: Int) -> tuple[Int, Int]:
    """Return the code point of the character that begins at ``place``, and its length in bytes."""
    lead = np.int64(text[place])
    if lead < 0x80:
        return lead, 1
    if lead < 0xE0:
        return (lead & 0x1F) << 6 | (text[place + 1] & 0x3F), 2
    if lead < 0xF0:
        return (lead & 0x0F) << 12 | (text[place + 1] & 0x3F) << 6 | (text[place + 2] & 0x3F), 3
    return (
        (lead & 0x07) << 18
        | (text[place + 1] & 0x3F) << 12
        | (text[place + 2] & 0x3F) << 6
        | (text[place + 3] & 0x3F),
        4,
    )


@routine
def is_in(text: Text, place: Int, end: Int, classes: Classes, mask: Int) -> Int:
    """Return whether there is a character at ``place`` and its class is in ``mask``."""
    if place >= end:
        return False
    return (mask >> classes[character(text, place)[0]]) & 1 != 0


@routine
def skip(text: Text, place: Int, end: Int, classes: Classes, mask: Int) -> Int:
    """Return where the run of characters of ``mask`` that begins at ``place`` ends."""
    while place < end:
        lead = text[place]
        if lead < 0x80:
            if (mask >> classes[lead]) & 1 == 0:
                break
            place += 1
        else:
            point, size = character(text, place)
            if (mask >> classes[point]) & 1 == 0:
                break
            place += size
    return place


HIGH_BITS = np.uint64(0x8080808080808080)
_BITS = 20
LEAD = 0xC0  # bytes from here on begin a character of several bytes
_BEYOND = 0x110000  # tells a lead byte from a code point


class Borders(NamedTuple):
    """The marks drawn above."""

    pairs: npt.NDArray[np.uint64]  # 2**20 bits
    halves: npt.NDArray[np.uint8]  # at (last byte & 63) << 6 | lead byte & 63


def no_borders() -> Borders:
    """Return the borders of an empty vocabulary: text can be cut anywhere."""
    return Borders(np.zeros(1 << (_BITS - 6), np.uint64), np.zeros(1 << 12, np.uint8))


@inlined
def bit_of(before: Int, behind: Int) -> Int:
    """Return the number of the bit of two characters."""
    mixed = np.uint64(before << 21 | behind) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(64 - _BITS))


@inlined
def is_open(borders: Borders, before: Int, last: Int, behind: Int, lead: Int) -> Int:
    """Return 1 if no token reaches across two characters, else 0.

    ``last`` is the last byte of the one, ``lead`` the first byte of the other, which has several.
    All marks are looked up, as a jump for each of them would take longer.
    """
    pair, half_pair = bit_of(before, behind), bit_of(before, _BEYOND + lead)
    marks = borders.pairs[np.uint64(pair >> 6)] >> np.uint64(pair & 63)
    marks |= borders.pairs[np.uint64(half_pair >> 6)] >> np.uint64(half_pair & 63)
    marks |= np.uint64(borders.halves[np.uint64((last & 63) << 6 | (lead & 63))])
    return np.int64(~marks & np.uint64(1))


@kernel
def mark_tokens(borders: Borders, text: Text, ends: Numbers) -> None:
    """Mark the borders inside tokens, which need not be valid UTF-8; padding follows the text."""
    start = np.int64(0)
    for end in ends:
        for place in range(start + 1, end):
            lead = np.int64(text[place])
            if lead < LEAD:
                continue
            first = place - 1
            while first > start and text[first] & 0xC0 == 0x80:
                first -= 1
            before, size = character(text, first)
            if text[first] & 0xC0 == 0x80 or size != place - first:
                borders.halves[(text[place - 1] & 63) << 6 | (lead & 63)] = 1
                continue
            behind, size = character(text, place)
            bit = bit_of(before, behind if place + size <= end else _BEYOND + lead)
            borders.pairs[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
        start = end


@inlined
def piece_end(borders: Borders, text: Text, place: Int, end: Int) -> Int:
    """Return the end of the piece that begins at ``place`` of a pre-token that ends at ``end``."""
    before, size = character(text, place)
    place += size
    while place < end:
        lead = np.int64(text[place])
        if lead < 0x80:  # nothing is cut before ASCII
            place += np.int64(trailing_zeros(load8(text, place) & HIGH_BITS)) >> 3
            before = np.int64(text[place - 1])
            continue
        behind, size = character(text, place)
        if is_open(borders, before, text[place - 1], behind, lead):
            return place
        before = behind
        place += size
    return end
