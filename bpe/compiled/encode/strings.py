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
    atomic_add,
    atomic_load,
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
from bpe.compiled.layout import (
    ADDED,
    ALL_DONE,
    BASE,
    BEGUN,
    BLOCK,
    COPIED,
    FIRST,
    IDS,
    LAST,
    MISSING,
    MOST_IDS,
    NEXT,
    NO_ID_ROOM,
    NO_SCRATCH,
    NO_TEXT_ROOM,
    PADDING,
    PAUSED,
    SEARCHED,
    SPECIAL,
    STOPS,
    SURROGATE,
    TOTAL,
    UNFINISHED,
    UNIT,
    WAITING,
)

Addresses = npt.NDArray[np.uint64]

BLOCKS_AT_ONCE = 16
"""Blocks after which Python can interrupt a thread."""

PATIENCE = 1 << 14
"""Times that a thread looks whether another one has encoded its block, before it may sleep."""


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
def encode_blocks(
    scanner: Int,
    only_counts: Int,
    two: Int,
    blocks: Numbers,
    shared: Numbers,
    sizes: Numbers,
    data: Addresses,
    kinds: Numbers,
    lengths: Numbers,
    bounds: Numbers,
    counts: Numbers,
    utf8: Text,
    text: Text,
    classes: Classes,
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    batch: Batch,
    room: Ids,
    target: Ids,
    end: Numbers,
    id_end: Numbers,
    progress: Numbers,
    waiting: Numbers,
    state: Numbers,
) -> Int:
    """Take blocks of units until none is left; write their ids, and how many each unit has.

    ``blocks`` are the first unit of each block, and the one behind the last. What its threads
    share (``shared``) and what each notes for itself (``state``) is in :mod:`bpe.compiled.layout`.

    The ids of a block are written to the thread's ``room``, and copied to ``target`` once all
    blocks before it are encoded: ``sizes`` has one more than the ids of each block that is, 0 of
    the others. Until then the block is ``waiting``, and the thread takes the next one.

    ``bounds`` says how many bytes of UTF-8 each unit has at the most. ``text`` is ``utf8``, to be
    read. ``two`` is two bytes that special tokens begin with, or 0. Return why it ends, a number of
    that module; the next call goes on.
    """
    for _ in range(BLOCKS_AT_ONCE):
        if state[UNIT] == state[LAST]:
            if not only_counts:
                is_full = state[IDS] + shared[MOST_IDS] > len(room)
                must = np.int64(is_full or state[WAITING] == len(waiting))
                reason = copy_waiting(shared, sizes, waiting, room, target, state, must)
                if reason != ALL_DONE:
                    return reason
            block = atomic_add(shared, NEXT, 1)
            if block + 1 >= len(blocks) or atomic_load(shared, STOPS) != 0:
                return copy_waiting(shared, sizes, waiting, room, target, state, np.int64(1))
            state[UNIT], state[LAST], state[BLOCK] = blocks[block], blocks[block + 1], block
            state[FIRST] = state[IDS]
        while state[UNIT] < state[LAST]:
            unit = state[UNIT]
            written = np.int64(0) if only_counts else state[IDS]
            if state[BEGUN] == 0:
                state[MISSING] = bounds[unit]
                if bounds[unit] + 2 * PADDING > len(utf8):
                    return NO_TEXT_ROOM
                size = write_utf8(data[unit], kinds[unit], lengths[unit], utf8)
                if size < 0:
                    return SURROGATE
                for index in range(size, size + PADDING):
                    utf8[index] = 0
                searches = two != 0 and unit >= state[SEARCHED]
                if searches and find_two(text, np.int64(0), size, two >> 8, two & 0xFF) >= 0:
                    state[MISSING] = size
                    return SPECIAL
                end[0] = size
                progress[0], progress[1], progress[2] = 0, 0, written
                state[BEGUN] = 1
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
                room,
                id_end,
                progress,
            )
            if missing != 0:
                state[MISSING] = missing
                return NO_SCRATCH
            counts[unit] = progress[2] - written
            state[UNIT], state[IDS], state[BEGUN] = unit + 1, progress[2], 0
        if not only_counts:
            waiting[state[WAITING]] = state[BLOCK]
            state[WAITING] += 1
            atomic_add(sizes, state[BLOCK], state[IDS] - state[FIRST] + 1)
    return PAUSED


@routine
def copy_waiting(
    shared: Numbers,
    sizes: Numbers,
    waiting: Numbers,
    room: Ids,
    target: Ids,
    state: Numbers,
    must: Int,
) -> Int:
    """Copy the ids of the blocks that a thread has encoded to where they belong in ``target``.

    ``ALL_DONE`` where all are copied or, unless it ``must``, the blocks before one are not done;
    ``NO_ID_ROOM`` where one does not belong into this target. While the blocks before are missing
    this waits, for a while.
    """
    done = tries = np.int64(0)
    reason = np.int64(ALL_DONE)
    while done < state[WAITING]:
        block = waiting[done]
        if state[ADDED] < block:
            size = atomic_load(sizes, state[ADDED])
            if size != 0:
                state[ADDED] += 1
                state[TOTAL] += size - 1
                continue
            if must == 0 or atomic_load(shared, STOPS) != 0:
                break
            tries += 1
            if tries == PATIENCE:
                reason = np.int64(UNFINISHED)
                break
            continue
        count, place = sizes[block] - 1, state[TOTAL] - state[BASE]
        if place < 0 or place + count > len(target):
            reason = np.int64(NO_ID_ROOM)
            break
        for index in range(count):
            target[place + index] = room[state[COPIED] + index]
        state[COPIED] += count
        done += 1
    state[WAITING] -= done
    for index in range(state[WAITING]):
        waiting[index] = waiting[done + index]
    if state[WAITING] == 0:
        state[IDS] = state[COPIED] = 0
    return reason


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
