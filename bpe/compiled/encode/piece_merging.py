"""Merge the bytes of a piece into ids: the pair of lowest priority first, the leftmost of equals.

Up to :data:`SHORT` bytes it works on small arrays, and finds the next pair as the minimum of all
keys, of which the processor takes sixteen at a time::

    symbol    0      1      2      3            index of its first byte
    ids       l      o      w      er
    keys     (l,o)  (o,w)  (w,er)  NONE         priority << 6 | symbol
    following 1      2      3      5            the next symbol; the last one points to the end

Longer pieces put the keys, ``priority << 32 | symbol``, into a heap instead; a key there is out
of date if the pair at its symbol has another priority by now. That keeps the time near-linear.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.borders import Borders
from bpe.compiled.characters import Text
from bpe.compiled.compiling import Int, inlined, routine
from bpe.compiled.encode.layout import SHORT
from bpe.compiled.encode.merge_table import NO_PRIORITY, MergeTable, priority_in
from bpe.compiled.instructions import least16
from bpe.compiled.word_table import WordTable

NO_KEY = np.uint32(0xFFFFFFFF)


class ShortTokens(NamedTuple):
    """Tokens that a pre-token may be, and that a set of the cache has room for."""

    text: Text  # one behind the other; padding follows
    lengths: npt.NDArray[np.uint8]
    ids: npt.NDArray[np.int32]  # and three zeros


class Merges(NamedTuple):
    """A vocabulary, ready to merge with. Shared by all threads, and never changed."""

    byte_ids: npt.NDArray[np.int32]  # the id of each byte
    byte_pairs: npt.NDArray[np.int32]  # the priority of two bytes, at left << 8 | right
    table: MergeTable  # the priority of two ids
    merged_ids: npt.NDArray[np.int32]  # what a merge of each priority makes; empty: its priority
    whole: WordTable  # tokens that merges do not lead to; ``counts`` are their ids
    borders: Borders
    short_tokens: ShortTokens


class Scratch(NamedTuple):
    """Room to merge one piece in: a number per byte, three in ``heap``."""

    keys: npt.NDArray[np.uint32]  # of SHORT bytes
    last: npt.NDArray[np.int32]  # the two ids that merge_long merged last
    ids: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    previous: npt.NDArray[np.int32]
    priorities: npt.NDArray[np.int32]
    heap: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, memory: Iterable[memoryview]) -> "Scratch":
        return cls(*map(np.asarray, memory))


@inlined
def merged_id(merges: Merges, priority: Int) -> Int:
    return merges.merged_ids[priority] if len(merges.merged_ids) > 0 else np.int32(priority)


@inlined
def key_of(merges: Merges, left: Int, right: Int, symbol: Int) -> Int:
    """Return the key of the pair at ``symbol`` for :func:`merge_short`."""
    priority = priority_in(merges.table, left, right)
    return NO_KEY if priority == NO_PRIORITY else np.uint32(priority << 6 | symbol)


@inlined
def merge_short(
    merges: Merges,
    scratch: Scratch,
    text: Text,
    at: Int,
    length: Int,
    ids: npt.NDArray[np.int32],
    written: Int,
) -> Int:
    """Merge a piece of at most :data:`SHORT` bytes; return the number of ids written."""
    symbols, keys, following, previous = (
        scratch.ids,
        scratch.keys,
        scratch.following,
        scratch.previous,
    )
    for index in range(length):
        symbols[index] = merges.byte_ids[text[at + index]]
        following[index] = index + 1
        previous[index] = index - 1
    for index in range(length - 1):
        priority = merges.byte_pairs[np.int64(text[at + index]) << 8 | text[at + index + 1]]
        keys[index] = (
            NO_KEY if priority == NO_PRIORITY else np.uint32(np.int64(priority) << 6 | index)
        )
    for index in range(length - 1, (length + 15) & ~15):
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
            keys[left] = key_of(merges, merged, symbols[after], left)
        else:
            keys[left] = NO_KEY
        if left > 0:
            before = np.int64(previous[left])
            keys[before] = key_of(merges, symbols[before], merged, before)
    return _write(scratch, length, ids, written)


@routine
def merge_long(
    merges: Merges,
    scratch: Scratch,
    text: Text,
    at: Int,
    length: Int,
    ids: npt.NDArray[np.int32],
    written: Int,
) -> Int:
    """Merge a piece of any length; return the number of ids written."""
    symbols, priorities = scratch.ids, scratch.priorities
    following, previous = scratch.following, scratch.previous
    heap = scratch.heap
    size = np.int64(0)
    for index in range(length):
        symbols[index] = merges.byte_ids[text[at + index]]
        following[index] = index + 1
        previous[index] = index - 1
        priorities[index] = NO_PRIORITY
    for index in range(length - 1):
        priority = merges.byte_pairs[np.int64(text[at + index]) << 8 | text[at + index + 1]]
        priorities[index] = priority
        if priority != NO_PRIORITY:
            size = _push(heap, size, priority, index)
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
def _write(scratch: Scratch, length: Int, ids: npt.NDArray[np.int32], written: Int) -> Int:
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
    at = size
    while at > 0 and heap[(at - 1) >> 1] > key:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = key
    return size + 1


@inlined
def _pop(heap: npt.NDArray[np.uint64], size: Int) -> Int:
    """Remove the least key of a heap; return its new size."""
    size -= 1
    key = heap[size]
    at = np.int64(0)
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = key
    return size
