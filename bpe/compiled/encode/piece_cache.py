"""The cache of an encoder, from the bytes of a piece to its ids.

Nearly all pieces have at most 15 bytes and 4 ids. These are in sets of two, and a set is one
line of the processor's cache, so that a look-up waits for memory once::

    byte of the line   0             8            15       16    20    24    28    32 ... 63
                       first bytes   more bytes   label    id    id    id    id    the piece before
                       8             7            |
                                                  length << 4 | is whole << 3 | number of ids

A piece belongs to the set that its hash says. A new one takes the first place there, the piece
in the first place moves to the second, and that in the second is evicted. An empty place has
length 0.

The few other pieces, longer (up to 255 bytes) or of more ids, are in ``words``, whose counts are
``start in ids << 8 | number of ids``; when there is no more room for them, all are forgotten.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Text
from bpe.compiled.compiling import Int, inlined
from bpe.compiled.encode.layout import LINE, MANY_SETS
from bpe.compiled.instructions import copy16, load8
from bpe.compiled.word_table import WordTable, add_new_word, has_room, slot_of

SHORT_KEY = 15
SHORT_IDS = 4
MOST_BYTES = 255  # longer pieces are rarely met twice

_LINE = LINE // 8  # numbers of 64 bits
_INDEX_SHIFT = np.uint64(65 - (MANY_SETS * _LINE).bit_length())  # of a hash, to the largest index
_IDS_SHIFT, _WHOLE_SHIFT, _LENGTH_SHIFT = np.uint64(56), np.uint64(59), np.uint64(60)
_NO_IDS = ~(np.uint64(7) << _IDS_SHIFT)
_ONE, _OTHER = np.uint64(1), np.uint64(4)  # numbers further: of the same piece; the second one


class Cache(NamedTuple):
    """The arrays drawn above."""

    sets: npt.NDArray[np.uint64]
    words: WordTable
    ids: npt.NDArray[np.int32]  # of the pieces in words
    used: npt.NDArray[np.int64]  # number of words, number of ids; short pieces that were evicted

    @classmethod
    def of(cls, memory: Sequence[memoryview]) -> "Cache":
        sets, slots, offsets, pool, counts, ids, used = map(np.asarray, memory)
        return cls(sets, WordTable(slots, offsets, pool, counts), ids, used)


@inlined
def first_bytes(text: Text, at: Int, length: Int) -> Int:
    """Return the first eight bytes, or all there are, of ``length`` (1 to 15) as a number."""
    return load8(text, at) & (~np.uint64(0) >> np.uint64(64 - 8 * min(length, 8)))


@inlined
def more_bytes(text: Text, at: Int, length: Int) -> Int:
    """Return what follows :func:`first_bytes` as a number, 0 if nothing does."""
    return load8(text, at + 8) & (
        (np.uint64(1) << np.uint64(8 * max(length - 8, 0))) - np.uint64(1)
    )


@inlined
def with_label(more: Int, length: Int, whole: Int) -> Int:
    """Return the second number of the key of a piece; ``whole`` tells it from one that is cut."""
    return more | np.uint64(length) << _LENGTH_SHIFT | np.uint64(whole) << _WHOLE_SHIFT


@inlined
def is_whole(second: Int) -> Int:
    return second >> _WHOLE_SHIFT & np.uint64(1) != 0


@inlined
def set_of(cache: Cache, first: Int, second: Int) -> Int:
    """Return the index in ``sets`` where the set of a piece begins."""
    mixed = first * np.uint64(0x9E3779B97F4A7C15) ^ second * np.uint64(0xC2B2AE3D27D4EB4F)
    return np.int64(mixed >> _INDEX_SHIFT) & (len(cache.sets) - _LINE)


@inlined
def place_of(cache: Cache, at: Int, first: Int, second: Int) -> Int:
    """Return the index of a piece in its set, which begins at ``at``; -1 if it is not there."""
    sets = cache.sets
    place = np.uint64(at)  # Numba need not ask whether it is negative
    other = (sets[place + _OTHER] ^ first) | (sets[place + _OTHER + _ONE] & _NO_IDS ^ second)
    place += _OTHER * np.uint64(other == 0)
    if (sets[place] ^ first) | (sets[place + _ONE] & _NO_IDS ^ second) != 0:
        return -1
    return np.int64(place)


@inlined
def copy_ids(cache: Cache, at: Int, ids: npt.NDArray[np.int32], written: Int) -> Int:
    """Write the ids of the piece at an index of ``sets``; return how many there are.

    Always writes four numbers, of which those beyond the end have no meaning.
    """
    copy16(cache.sets, at + 2, ids, written)
    return np.int64(cache.sets[np.uint64(at) + _ONE] >> _IDS_SHIFT & np.uint64(7))


@inlined
def enter_short(
    cache: Cache,
    at: Int,
    first: Int,
    second: Int,
    ids: npt.NDArray[np.int32],
    start: Int,
    count: Int,
) -> None:
    """Put a piece and its ids, at most four, into its set, which begins at ``at``."""
    sets = cache.sets
    cache.used[2] += sets[at + 5] != 0
    copy16(sets, at, sets, at + 4)
    copy16(sets, at + 2, sets, at + 6)
    sets[at] = first
    sets[at + 1] = second | np.uint64(count) << _IDS_SHIFT
    copy16(ids, start, sets, at + 2)


@inlined
def remember(
    cache: Cache,
    text: Text,
    at: Int,
    length: Int,
    head: Int,
    hashed: Int,
    slot: Int,
    ids: npt.NDArray[np.int32],
    written: Int,
    count: Int,
) -> None:
    """Put a piece and its ids into the words, at an empty slot; full ones are emptied."""
    words, used = cache.used[0], cache.used[1]
    if not has_room(cache.words, words, length) or used + count > len(cache.ids):
        cache.words.slots[:] = 0
        words, used = np.int64(0), np.int64(0)
        slot = slot_of(cache.words, text, at, length, head, hashed)
    for index in range(count):
        cache.ids[used + index] = ids[written + index]
    add_new_word(cache.words, words, text, at, length, used << 8 | count, head, hashed, slot)
    cache.used[0], cache.used[1] = words + 1, used + count
