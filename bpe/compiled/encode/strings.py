"""Encoding many strings, read where Python has them: a call for a block of them, not for each.

A *unit* is a string or a part of one, given by where its characters are, how they are stored (as
ASCII, or in 1, 2 or 4 bytes each) and how many there are. Its UTF-8 is written to memory of the
thread, and its ids behind those of the units before it.

And the other way: joining the bytes of many tokens. In Python, reading an object per token takes
the time.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import HIGH_BITS, Classes, Ids, Numbers, Text, piece_end
from bpe.compiled.compiling import Int, inlined, kernel, routine
from bpe.compiled.encode.encoding import Batch, encode_text
from bpe.compiled.encode.piece_cache import Cache
from bpe.compiled.encode.piece_merging import Merges, Scratch
from bpe.compiled.instructions import (
    among64,
    copy16,
    copy_from,
    load1_at,
    load2_at,
    load4_at,
    load8_at,
    low_bytes,
    ones,
    store4,
    trailing_zeros,
)
from bpe.compiled.layout import ALL_DONE, NO_SCRATCH, NO_TEXT_ROOM, PADDING, SPECIAL, SURROGATE

Addresses = npt.NDArray[np.uint64]


@kernel
def find_characters(
    strings: Addresses, layout: Numbers, data: Addresses, kinds: Numbers, lengths: Numbers
) -> Int:
    """Note of each string where its characters are, how they are stored, and how many there are.

    ``layout`` is that of :func:`bpe.compiled.layout.string_layout`. A kind is the bytes of a
    character, 0 for ASCII. Return whether all strings are laid out in this way.
    """
    for index in range(len(strings)):
        address = strings[index]
        state = np.int64(load4_at(address + np.uint64(layout[3]))) >> layout[4]
        kind = state & 7
        if state & 8 == 0 or (kind != 1 and kind != 2 and kind != 4):
            return False
        is_ascii = state & 16 != 0
        lengths[index] = np.int64(load8_at(address + np.uint64(layout[0])))
        kinds[index] = 0 if is_ascii else kind
        data[index] = address + np.uint64(layout[1] if is_ascii else layout[2])
    return True


@routine
def write_utf8(data: Int, kind: Int, length: Int, utf8: Text) -> Int:
    """Write the UTF-8 of some characters; return its length, or -1 if there is half a pair."""
    place = index = np.int64(0)
    if kind == 0:
        copy_from(utf8, 0, data, length)
        return length
    while index < length:
        if kind == 2 and index + 4 <= length:
            four = load8_at(data + np.uint64(2 * index))
            if four & np.uint64(0xFF80FF80FF80FF80) == 0:  # all are ASCII
                pairs = (four | four >> np.uint64(8)) & np.uint64(0x0000FFFF0000FFFF)
                store4(utf8, place, pairs | pairs >> np.uint64(16))
                place += 4
                index += 4
                continue
        if kind == 1:
            point = load1_at(data + np.uint64(index))
        elif kind == 2:
            point = load2_at(data + np.uint64(2 * index))
        else:
            point = load4_at(data + np.uint64(4 * index))
        index += 1
        if point < 0x80:
            utf8[place] = point
            place += 1
        elif point < 0x800:
            store4(utf8, place, np.uint64(0x80C0) | point >> np.uint64(6) | last_bits(point, 0, 8))
            place += 2
        elif point < 0x10000:
            if point & np.uint64(0xF800) == 0xD800:
                return -1
            more = last_bits(point, 6, 8) | last_bits(point, 0, 16)
            store4(utf8, place, np.uint64(0x8080E0) | point >> np.uint64(12) | more)
            place += 3
        else:
            more = last_bits(point, 12, 8) | last_bits(point, 6, 16) | last_bits(point, 0, 24)
            store4(utf8, place, np.uint64(0x808080F0) | point >> np.uint64(18) | more)
            place += 4
    return place


@inlined
def last_bits(point: Int, skipped: Int, shift: Int) -> Int:
    """Return six bits of a code point, for the byte of UTF-8 that begins at a bit."""
    return (point >> np.uint64(skipped) & np.uint64(0x3F)) << np.uint64(shift)


@kernel
def find_two(text: Text, start: Int, end: Int, first: Int, second: Int) -> Int:
    """Return where two bytes stand side by side, the first of them before ``end``; -1 if nowhere.

    As many bytes as are looked at at once must exist behind the end.
    """
    for place in range(start, end, 64):
        both = among64(text, place, first, 1) & among64(text, place + 1, second, 1)
        both &= ~np.uint64(0) >> np.uint64(max(place + 64 - end, 0))
        if both != 0:
            return place + np.int64(trailing_zeros(both))
    return -1


@kernel
def encode_units(
    scanner: Int,
    only_counts: Int,
    two: Int,
    last: Int,
    data: Addresses,
    kinds: Numbers,
    lengths: Numbers,
    bounds: Numbers,
    utf8: Text,
    text: Text,
    classes: Classes,
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    batch: Batch,
    ids: Ids,
    counts: Numbers,
    end: Numbers,
    id_end: Numbers,
    progress: Numbers,
    state: Numbers,
) -> Int:
    """Encode the units before ``last``, and write how many ids each has.

    ``bounds`` says how many bytes of UTF-8 each has at the most.
    ``text`` is ``utf8``, to be read. ``two`` is two bytes that special tokens begin with, or 0.
    ``state`` is (next unit, ids so far, whether a unit has begun, what is missing or, of one that
    may have a special token, the bytes of its UTF-8). Return why it ends, a number of
    :mod:`bpe.compiled.layout`; the next call goes on.
    """
    while state[0] < last:
        unit = state[0]
        written = np.int64(0) if only_counts else state[1]
        if state[2] == 0:
            state[3] = bounds[unit]
            if bounds[unit] + 2 * PADDING > len(utf8):
                return NO_TEXT_ROOM
            size = write_utf8(data[unit], kinds[unit], lengths[unit], utf8)
            if size < 0:
                return SURROGATE
            for index in range(size, size + PADDING):
                utf8[index] = 0
            if two != 0 and find_two(text, np.int64(0), size, two >> 8, two & 0xFF) >= 0:
                state[3] = size
                return SPECIAL
            end[0] = size
            progress[0], progress[1], progress[2] = 0, 0, written
            state[2] = 1
        missing = encode_text(
            scanner,
            only_counts,
            text,
            end,
            classes,
            merges,
            cache,
            scratch,
            batch,
            ids,
            id_end,
            progress,
        )
        if missing != 0:
            state[3] = missing
            return NO_SCRATCH
        counts[unit] = progress[2] - written
        state[0], state[1], state[2] = unit + 1, progress[2], 0
    return ALL_DONE


@kernel
def next_border(
    text: Text,
    place: Int,
    end: Int,
    classes: Classes,
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    batch: Batch,
) -> Int:
    """Return where a text can be cut first behind the character at a place; ``end`` if nowhere."""
    return piece_end(merges.borders, text, place, end)


@kernel
def token_spans(text: Text, ids: Ids, lengths: Numbers, first: Int, spans: Numbers) -> Int:
    """Write the first character that each token touches and the one behind its last.

    ``lengths`` are the bytes of each id, which joined are the UTF-8 of ``text``; ``first`` is the
    number of its first character. Return the number behind the last one.
    """
    begin = np.int64(0)
    behind = first  # the number of characters that begin before ``begin``
    for index in range(len(ids)):
        inside = text[begin] & 0xC0 == 0x80  # the token begins within a character
        spans[2 * index] = behind - inside
        size = lengths[ids[index]]
        if 0 < size <= 8 <= len(text) - begin:
            eight = low_bytes(text, begin, size)
            behind += size - np.int64(ones(eight & ~(eight << np.uint64(1)) & HIGH_BITS))
        else:
            for place in range(begin, begin + size):
                behind += text[place] & 0xC0 != 0x80
        begin += size
        spans[2 * index + 1] = behind
    return behind


@kernel
def total_length(ids: npt.NDArray[np.uint32], lengths: Numbers) -> Int:
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
    starts: Numbers,
    lengths: Numbers,
    pool: npt.NDArray[np.uint8],
    target: npt.NDArray[np.uint8],
) -> None:
    """Write the bytes of each token; ``pool`` and ``target`` have 16 more bytes than are used."""
    place = np.int64(0)
    for token in ids:
        start, length = starts[token], lengths[token]
        for offset in range(0, length, 16):
            copy16(pool, start + offset, target, place + offset)
        place += length
