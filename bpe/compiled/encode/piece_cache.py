"""The cache of an encoder, from the bytes of a piece to its ids.

Nearly all pieces have at most 15 bytes and 4 ids. These are in sets of two, and a set is one
line of the processor's cache, so that a look-up waits for memory once::

    byte of the line   0             8            15       16    20    24    28    32 ... 63
                       first bytes   more bytes   label    id    id    id    id    the piece before
                       8             7            |
                                                  length << 4 | is whole << 3 | number of ids

A piece belongs to the set that its hash says. A new one takes the first place there, the piece
in the first place moves to the second, and that in the second is evicted. One that is found in the
second place changes places with the first, so that frequent ones are found at once. An empty place
has length 0.

The few other pieces, longer (up to 255 bytes) or of more ids, are in ``words``, whose counts are
``start in ids << 8 | number of ids``; when there is no more room for them, all are forgotten.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Ids, Numbers, Text
from bpe.compiled.compiling import Int, inlined
from bpe.compiled.instructions import copy16, load8
from bpe.compiled.layout import LINE, MANY_SETS
from bpe.compiled.word_table import Word, WordTable, add_new_word, has_room, slot_of

SHORT_KEY = 15
SHORT_IDS = 4
MOST_BYTES = 255  # longer pieces are rarely met twice

_LINE = LINE // 8  # numbers of 64 bits
_INDEX_SHIFT = np.uint64(65 - (MANY_SETS * _LINE).bit_length())  # of a hash, to the largest index
IN_NO_SET = ~np.uint64(0)
"""A second number that no key has: that of a piece which is longer than a key."""

_IDS_SHIFT, _WHOLE_SHIFT, _LENGTH_SHIFT = np.uint64(56), np.uint64(59), np.uint64(60)
_NO_IDS = ~(np.uint64(7) << _IDS_SHIFT)
_ONE, _IDS, _OTHER = map(np.uint64, (1, 2, 4))  # numbers further: of a piece; the second piece

# By the length of a piece: what belongs to it of the first eight bytes, and of the next.
_FIRST = np.array([(1 << 8 * min(length, 8)) - 1 for length in range(16)], np.uint64)
_MORE = np.array([(1 << 8 * max(length - 8, 0)) - 1 for length in range(16)], np.uint64)


class Cache(NamedTuple):
    """The arrays drawn above."""

    sets: npt.NDArray[np.uint64]
    words: WordTable
    ids: Ids  # of the pieces in words
    used: Numbers  # number of words, number of ids; short pieces that were evicted


@inlined
def key_at(cache: Cache, text: Text, start: Int, length: Int, whole: Int) -> tuple[Int, Int, Int]:
    """Return the two numbers by which a piece of 1 to 15 bytes is found, and where its set begins.

    ``whole`` (1, else 0) tells a pre-token from a piece that is cut.
    """
    place = np.uint64(length)
    first = load8(text, start) & _FIRST[place]
    label = place << _LENGTH_SHIFT | np.uint64(whole) << _WHOLE_SHIFT
    second = load8(text, start + 8) & _MORE[place] | label
    mixed = first * np.uint64(0x9E3779B97F4A7C15) ^ second * np.uint64(0xC2B2AE3D27D4EB4F)
    return first, second, np.int64(mixed >> _INDEX_SHIFT) & (len(cache.sets) - _LINE)


@inlined
def is_at(cache: Cache, place: Int, first: Int, second: Int) -> Int:
    """Return whether the piece of a key is at a place of ``sets``."""
    sets = cache.sets
    return (sets[place] ^ first) | (sets[place + _ONE] & _NO_IDS ^ second) == 0


@inlined
def is_cached(cache: Cache, place: Int, first: Int, second: Int) -> Int:
    """Return whether a piece is in the set that begins at ``place``; it is in front then."""
    if is_at(cache, place, first, second):
        return True
    if not is_at(cache, place + _OTHER, first, second):
        return False
    for item in range(4):
        one, other = place + np.uint64(item), place + np.uint64(item) + _OTHER
        cache.sets[one], cache.sets[other] = cache.sets[other], cache.sets[one]
    return True


@inlined
def copy_ids(cache: Cache, place: Int, ids: Ids, written: Int) -> Int:
    """Write the ids of the piece at a place of ``sets``; return how many there are.

    Always writes four numbers, of which those beyond the end have no meaning.
    """
    copy16(cache.sets, place + _IDS, ids, written)
    return np.int64(cache.sets[place + _ONE] >> _IDS_SHIFT & np.uint64(7))


@inlined
def enter_short(
    cache: Cache, place: Int, first: Int, second: Int, ids: Ids, start: Int, count: Int
) -> None:
    """Put a piece and its ids, at most four, into its set, which begins at ``place``."""
    sets = cache.sets
    cache.used[2] += sets[place + 5] != 0
    copy16(sets, place, sets, place + 4)
    copy16(sets, place + 2, sets, place + 6)
    sets[place] = first
    sets[place + 1] = second | np.uint64(count) << _IDS_SHIFT
    copy16(ids, start, sets, place + 2)


@inlined
def remember(
    cache: Cache, text: Text, word: Word, slot: Int, ids: Ids, written: Int, count: Int
) -> None:
    """Put a piece and its ids into the words, at an empty slot; full ones are emptied."""
    words, used = cache.used[0], cache.used[1]
    if not has_room(cache.words, words, word.length) or used + count > len(cache.ids):
        cache.words.slots[:] = 0
        words, used = np.int64(0), np.int64(0)
        slot = slot_of(cache.words, text, word)
    for index in range(count):
        cache.ids[used + index] = ids[written + index]
    add_new_word(cache.words, words, text, word, used << 8 | count, slot)
    cache.used[0], cache.used[1] = words + 1, used + count
