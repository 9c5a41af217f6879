"""Merge the bytes of a piece into ids: the pair of lowest priority first, the leftmost of equals.

Up to :data:`SHORT` bytes it works on small arrays, and finds the next pair as the minimum of all
keys, of which the processor takes sixteen at a time::

    symbol    0      1      2      3            index of its first byte
    ids       l      o      w      er
    keys     (l,o)  (o,w)  (w,er)  NONE         priority << 6 | symbol
    following 1      2      3      5            the next symbol; the last one points to the end

A symbol is a byte at first. Of a vocabulary of SentencePiece it is a character that is a token, or
a byte of another one, which no merge joins.

Longer pieces put the keys, ``priority << 32 | symbol``, into a heap instead; a key there is out
of date if the pair at its symbol has another priority by now. That keeps the time near-linear.

Most of the time is waiting for the hash table from two ids to the priority of their merge::

    bits     63 ... 44   43 ... 24   23 ... 0
             left id     right id    priority          all bits set: an empty slot

At least half of the slots are empty, and their number is a power of two.

Last come the kernels that fill these tables from a vocabulary.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Borders, Ids, Numbers, Text, character
from bpe.compiled.compiling import Int, inlined, kernel
from bpe.compiled.instructions import least16
from bpe.compiled.layout import SHORT
from bpe.compiled.word_table import WordTable, add_word, count_in, word_at

MOST_IDS = 1 << 20
NO_PRIORITY = 0x7FFFFFFF

_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_PRIORITY = np.uint64(0xFFFFFF)
_PRIORITY_BITS = np.uint64(24)

MergeTable = npt.NDArray[np.uint64]


def empty_merge_table(merges: int) -> MergeTable:
    slots = 16
    while slots < 2 * merges:
        slots *= 2
    return np.full(slots, _EMPTY, np.uint64)


@inlined
def merge_slot(table: MergeTable, left: Int, right: Int) -> Int:
    """Return the index of the slot of a pair, or of the empty one for it."""
    key = np.uint64(left) << np.uint64(20) | np.uint64(right)
    mask = len(table) - 1
    slot = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while table[slot] != _EMPTY and table[slot] >> _PRIORITY_BITS != key:
        slot = (slot + 1) & mask
    return slot


@inlined
def priority_in(table: MergeTable, left: Int, right: Int) -> Int:
    """Return the priority of a pair, or :data:`NO_PRIORITY`."""
    entry = table[merge_slot(table, np.int64(left), np.int64(right))]
    return np.int64(NO_PRIORITY) if entry == _EMPTY else np.int64(entry & _PRIORITY)


@inlined
def enter_merge(table: MergeTable, left: Int, right: Int, priority: Int) -> None:
    """Enter a pair, unless it is there already."""
    slot = merge_slot(table, left, right)
    if table[slot] == _EMPTY:
        table[slot] = (
            np.uint64(left) << np.uint64(44)
            | np.uint64(right) << _PRIORITY_BITS
            | np.uint64(priority)
        )


def merges_in(table: MergeTable) -> Numbers:
    """Return left id, right id and priority of each pair, a row for each, by priority."""
    used = table[table != _EMPTY]
    ids = np.uint64(MOST_IDS - 1)
    columns = (used >> np.uint64(44), used >> _PRIORITY_BITS & ids, used & _PRIORITY)
    rows = np.stack(columns, axis=1).astype(np.int64)
    return rows[np.argsort(rows[:, 2])]


NO_KEY = np.uint32(0xFFFFFFFF)


class ShortTokens(NamedTuple):
    """Tokens that a pre-token may be, and that a set of the cache has room for."""

    text: Text  # one behind the other; padding follows
    lengths: npt.NDArray[np.uint8]
    ids: Ids  # and three zeros


class Merges(NamedTuple):
    """A vocabulary, ready to merge with. Shared by all threads, and never changed."""

    byte_ids: Ids  # the id of each byte
    byte_pairs: Ids  # of two bytes, at left << 8 | right; empty for characters
    table: MergeTable  # the priority of two ids
    merged_ids: Ids  # what a merge of each priority makes; empty: its priority
    whole: WordTable  # tokens no merge leads to, or characters; ``counts`` are their ids
    borders: Borders
    short_tokens: ShortTokens


class Scratch(NamedTuple):
    """Room to merge one piece in: a number per byte, three in ``heap``."""

    keys: npt.NDArray[np.uint32]  # of SHORT bytes
    last: Ids  # the two ids that merge_long merged last
    ids: Ids
    following: Ids
    previous: Ids
    priorities: Ids
    heap: npt.NDArray[np.uint64]


@inlined
def merged_id(merges: Merges, priority: Int) -> Int:
    return merges.merged_ids[priority] if len(merges.merged_ids) > 0 else np.int32(priority)


@inlined
def as_key(priority: Int, symbol: Int) -> Int:
    """Return the key of the pair at ``symbol`` for :func:`merge_short`."""
    return NO_KEY if priority == NO_PRIORITY else np.uint32(np.int64(priority) << 6 | symbol)


@inlined
def first_symbols(merges: Merges, scratch: Scratch, text: Text, place: Int, length: Int) -> Int:
    """Write the symbols that merging starts from, and what it knows of them; return their number.

    The priority of each with the next one is in ``scratch.priorities``.
    """
    symbols, priorities = scratch.ids, scratch.priorities
    count = np.int64(0)
    if len(merges.byte_pairs) > 0:
        for index in range(length):
            symbols[index] = merges.byte_ids[text[place + index]]
        for index in range(length - 1):
            pair = np.int64(text[place + index]) << 8 | text[place + index + 1]
            priorities[index] = merges.byte_pairs[pair]
        count = length
    else:
        end = place + length
        while place < end:
            size = character(text, place)[1]
            token = count_in(merges.whole, text, place, size) if size > 1 else np.int64(-1)
            if token >= 0:
                symbols[count] = token
                count += 1
            else:
                for index in range(place, place + size):
                    symbols[count] = merges.byte_ids[text[index]]
                    count += 1
            place += size
        for index in range(count - 1):
            left, right = symbols[index], symbols[index + 1]
            priorities[index] = priority_in(merges.table, left, right)
    priorities[count - 1] = NO_PRIORITY
    for index in range(count):
        scratch.following[index] = index + 1
        scratch.previous[index] = index - 1
    return count


@inlined
def merge_short(
    merges: Merges, scratch: Scratch, text: Text, place: Int, length: Int, ids: Ids, written: Int
) -> Int:
    """Merge a piece of at most :data:`SHORT` bytes; return the number of ids written."""
    symbols, keys = scratch.ids, scratch.keys
    following, previous = scratch.following, scratch.previous
    length = first_symbols(merges, scratch, text, place, length)
    for index in range(length):
        keys[index] = as_key(scratch.priorities[index], index)
    for index in range(length, (length + 15) & ~15):
        keys[index] = NO_KEY
    while True:
        best = least16(keys, 0)
        for index in range(16, length, 16):
            best = min(best, least16(keys, index))
        if best == NO_KEY:
            break
        left = np.int64(best) & (SHORT - 1)
        right = np.int64(following[left])
        after = np.int64(following[right])
        merged = merged_id(merges, np.int64(best >> 6))
        symbols[left] = merged
        following[left] = after
        keys[right] = NO_KEY
        if after < length:
            previous[after] = left
            keys[left] = as_key(priority_in(merges.table, merged, symbols[after]), left)
        else:
            keys[left] = NO_KEY
        if left > 0:
            before = np.int64(previous[left])
            keys[before] = as_key(priority_in(merges.table, symbols[before], merged), before)
    return _write(scratch, length, ids, written)


@kernel
def merge_long(
    merges: Merges, scratch: Scratch, text: Text, place: Int, length: Int, ids: Ids, written: Int
) -> Int:
    """Merge a piece of any length; return the number of ids written."""
    symbols, priorities = scratch.ids, scratch.priorities
    following, previous = scratch.following, scratch.previous
    heap = scratch.heap
    size = np.int64(0)
    length = first_symbols(merges, scratch, text, place, length)
    for index in range(length):
        if priorities[index] != NO_PRIORITY:
            size = _push(heap, size, priorities[index], index)
    while size > 0:
        best = heap[0]
        size = _pop(heap, size)
        left = np.int64(best & np.uint64(0xFFFFFFFF))
        priority = np.int64(best >> np.uint64(32))
        if priorities[left] != priority:
            continue
        right = np.int64(following[left])
        after = np.int64(following[right])
        scratch.last[0], scratch.last[1] = symbols[left], symbols[right]
        merged = merged_id(merges, priority)
        symbols[left] = merged
        following[left] = after
        priorities[right] = NO_PRIORITY
        priorities[left] = NO_PRIORITY
        if after < length:
            previous[after] = left
            priorities[left] = priority_in(merges.table, merged, symbols[after])
            if priorities[left] != NO_PRIORITY:
                size = _push(heap, size, priorities[left], left)
        if left > 0:
            before = np.int64(previous[left])
            priorities[before] = priority_in(merges.table, symbols[before], merged)
            if priorities[before] != NO_PRIORITY:
                size = _push(heap, size, priorities[before], before)
    return _write(scratch, length, ids, written)


@inlined
def _write(scratch: Scratch, length: Int, ids: Ids, written: Int) -> Int:
    """Write the symbols that are left; return how many."""
    count = 0
    index = np.int64(0)
    while index < length:
        ids[written + count] = scratch.ids[index]
        count += 1
        index = np.int64(scratch.following[index])
    return count


@inlined
def _push(heap: npt.NDArray[np.uint64], size: Int, priority: Int, symbol: Int) -> Int:
    """Add a key to a heap; return its new size."""
    key = np.uint64(priority) << np.uint64(32) | np.uint64(symbol)
    index = size
    while index > 0 and heap[(index - 1) >> 1] > key:
        heap[index] = heap[(index - 1) >> 1]
        index = (index - 1) >> 1
    heap[index] = key
    return size + 1


@inlined
def _pop(heap: npt.NDArray[np.uint64], size: Int) -> Int:
    """Remove the least key of a heap; return its new size."""
    size -= 1
    key = heap[size]
    index = np.int64(0)
    while 2 * index + 1 < size:
        child = 2 * index + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[index] = heap[child]
        index = child
    heap[index] = key
    return size


@kernel
def enter_tokens(text: Text, ends: Numbers, ids: Numbers, words: WordTable) -> None:
    """Enter tokens into the table of words, each with its id as its count."""
    start = np.int64(0)
    have = np.int64(0)
    for token in range(len(ends)):
        word = word_at(text, start, ends[token] - start)
        have = add_word(words, have, text, word, ids[token])
        start = ends[token]


@kernel
def enter_splits(
    words: WordTable, text: Text, priorities: Numbers, table: MergeTable, really: Int
) -> Int:
    """Enter each split of a token into two tokens as a pair that merges; return their number.

    ``text`` is the pool of ``words``. Unless ``really``, the pairs are only counted.
    """
    splits = 0
    for token in range(len(priorities)):
        start, end = words.offsets[token], words.offsets[token + 1]
        for middle in range(start + 1, end):
            left = count_in(words, text, start, middle - start)
            if left < 0:
                continue
            right = count_in(words, text, middle, end - middle)
            if right < 0:
                continue
            splits += 1
            if really:
                enter_merge(table, left, right, priorities[token])
    return splits


@kernel
def keep_used_splits(
    merges: Merges,
    words: WordTable,
    text: Text,
    priorities: Numbers,
    scratch: Scratch,
    used: MergeTable,
    unreached: npt.NDArray[np.bool],
) -> None:
    """Enter the one split of each token that merging uses; tell which tokens have none.

    Wherever a token is made by merging, no merge has reached across its ends before, so that the
    merges between them were those of its bytes alone: the last one is always the same pair.
    ``scratch`` fits the longest token, and ``text`` is the pool of ``words``.
    """
    for token in range(len(priorities)):
        start = words.offsets[token]
        length = words.offsets[token + 1] - start
        if length > 1:
            ids = scratch.priorities  # of no use once a piece is merged
            scratch.last[0] = -1
            count = merge_long(merges, scratch, text, start, length, ids, np.int64(0))
            unreached[token] = count != 1 or ids[0] != words.counts[token]
            if not unreached[token] and scratch.last[0] >= 0:
                left, right = np.int64(scratch.last[0]), np.int64(scratch.last[1])
                enter_merge(used, left, right, priorities[token])


@kernel
def enter_merges(left: Numbers, right: Numbers, table: MergeTable) -> None:
    """Enter merges in the order of their priority; the first of two equal pairs counts."""
    for priority in range(len(left)):
        enter_merge(table, left[priority], right[priority], priority)


@kernel
def enter_byte_pairs(merges: Merges) -> None:
    """Look up each pair of bytes once, for the start of every merging."""
    for left in range(256):
        for right in range(256):
            merges.byte_pairs[left << 8 | right] = priority_in(
                merges.table, merges.byte_ids[left], merges.byte_ids[right]
            )
