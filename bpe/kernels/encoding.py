"""The encoding loop: scan a pre-token, cut it where no token reaches across, look up the pieces.

Each level is tried before the next one::

    whole     a pre-token that is a token of a vocabulary of ranks is its id. That only needs
              looking up for the few tokens that their own merges do not lead to
    cut       into pieces that merge independently (bpe.kernels.borders)
    cache     the bytes of a piece seen before  ->  its ids
    merging   bytes -> ids, the pair of lowest priority first, the leftmost of equals

Merging up to :data:`SHORT` bytes works on small arrays, and finds the next pair as the minimum of
all keys, which the processor takes eight at a time::

    symbol    0      1      2      3            index of its first byte
    ids       l      o      w      er
    keys     (l,o)  (o,w)  (w,er)  NONE         priority << 6 | symbol
    following 1      2      3      5            the next symbol; the last one points to the end

Longer pieces put the keys, ``priority << 32 | symbol``, into a heap instead; a key there is out
of date if the pair at its symbol has another priority by now. That keeps the time near-linear.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.kernels.borders import Borders, piece_end
from bpe.kernels.compiling import Int, inlined, kernel
from bpe.kernels.machine import hash_bytes, low_bytes
from bpe.kernels.merge_table import NO_PRIORITY, MergeTable, enter_merge, priority_in
from bpe.kernels.scanner import HIGH_BITS, Classes, Text, pre_token_end
from bpe.kernels.word_table import WordTable, add_new_word, add_word, has_room, slot_of, word_in

SHORT = 64
NO_KEY = np.uint32(0xFFFFFFFF)
_CACHED_BYTES = 255  # longer pieces are rarely met twice


class Merges(NamedTuple):
    """A vocabulary, ready to merge with. Shared by all threads, and never changed."""

    byte_ids: npt.NDArray[np.int32]  # the id of each byte
    byte_pairs: npt.NDArray[np.int32]  # the priority of two bytes, at left << 8 | right
    table: MergeTable  # the priority of two ids
    merged_ids: npt.NDArray[np.int32]  # the id that a merge of each priority makes
    whole: WordTable  # tokens that merges do not lead to; ``counts`` are their ids
    borders: Borders


class Cache(NamedTuple):
    """Pieces seen before: ``words.counts`` is ``id << 8 | 1``, or ``start in ids << 8 | n``."""

    words: WordTable
    ids: npt.NDArray[np.int32]
    used: npt.NDArray[np.int64]  # number of words, number of ids


class Scratch(NamedTuple):
    """Room to merge one piece in; all but ``keys`` have a number per byte, ``heap`` three."""

    keys: npt.NDArray[np.uint32]
    ids: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    previous: npt.NDArray[np.int32]
    priorities: npt.NDArray[np.int32]
    heap: npt.NDArray[np.uint64]


@kernel
def encode_text(
    scanner: Int,
    text: Text,
    ends: npt.NDArray[np.int64],
    classes: Classes,
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    ids: npt.NDArray[np.int32],
    id_ends: npt.NDArray[np.int64],
    progress: npt.NDArray[np.int64],
) -> Int:
    """Encode the documents that end at ``ends``; return 0, or the scratch room that is missing.

    Writes the ids one behind the other, and into ``id_ends`` where those of each document end.
    ``progress`` is (documents done, place in the text, ids written): after the caller made more
    scratch room the kernel goes on from there. ``ids`` has room for an id per byte.
    """
    document, at, written = progress[0], progress[1], progress[2]
    while document < len(ends):
        end = ends[document]
        while at < end:
            after = pre_token_end(scanner, text, at, end, classes)
            if after - at > len(scratch.ids):
                progress[0], progress[1], progress[2] = document, at, written
                return after - at
            written = encode_pre_token(merges, cache, scratch, text, at, after, ids, written)
            at = after
        id_ends[document] = written
        document += 1
    progress[0], progress[1], progress[2] = document, at, written
    return 0


@inlined
def encode_pre_token(
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    text: Text,
    at: Int,
    end: Int,
    ids: npt.NDArray[np.int32],
    written: Int,
) -> Int:
    """Write the ids of one pre-token at ``written``; return where they end."""
    if len(merges.whole.counts) > 0:
        token = id_in(merges.whole, text, at, end - at)
        if token >= 0:
            ids[written] = token
            return written + 1
    while at < end:
        after = end
        if end - at > 8 or low_bytes(text, at, end - at) & HIGH_BITS != 0:
            after = piece_end(merges.borders, text, at, end)
        written = encode_piece(merges, cache, scratch, text, at, after - at, ids, written)
        at = after
    return written


@inlined
def encode_piece(
    merges: Merges,
    cache: Cache,
    scratch: Scratch,
    text: Text,
    at: Int,
    length: Int,
    ids: npt.NDArray[np.int32],
    written: Int,
) -> Int:
    """Write the ids of one piece at ``written``; return where they end."""
    if length == 1:
        ids[written] = merges.byte_ids[text[at]]
        return written + 1
    head = low_bytes(text, at, min(length, 8))
    hashed = hash_bytes(text, at, length, head)
    slot = slot_of(cache.words, text, at, length, head, hashed)
    word = word_in(cache.words, slot)
    if word >= 0:
        packed = cache.words.counts[word]
        if packed & 0xFF == 1:
            ids[written] = packed >> 8
            return written + 1
        for index in range(packed & 0xFF):
            ids[written + index] = cache.ids[(packed >> 8) + index]
        return written + (packed & 0xFF)
    if length <= SHORT:
        count = merge_short(merges, scratch, text, at, length, ids, written)
    else:
        count = merge_long(merges, scratch, text, at, length, ids, written)
    if length <= _CACHED_BYTES:
        remember(cache, text, at, length, head, hashed, slot, ids, written, count)
    return written + count


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
    """Put a piece and its ids into the cache, at an empty slot; a full cache is emptied."""
    words, used = cache.used[0], cache.used[1]
    if not has_room(cache.words, words, length) or used + count > len(cache.ids):
        cache.words.slots[:] = 0
        words, used = 0, 0
        slot = slot_of(cache.words, text, at, length, head, hashed)
    packed = np.int64(ids[written]) << 8 | 1
    if count > 1:
        packed = used << 8 | count
        for index in range(count):
            cache.ids[used + index] = ids[written + index]
        used += count
    add_new_word(cache.words, words, text, at, length, packed, head, hashed, slot)
    cache.used[0], cache.used[1] = words + 1, used


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
    keys[length - 1] = NO_KEY
    while True:
        best = NO_KEY
        for index in range(length):
            best = min(best, keys[index])
        if best == NO_KEY:
            break
        left = np.int64(best) & (SHORT - 1)
        right = np.int64(following[left])
        after = np.int64(following[right])
        merged = merges.merged_ids[best >> 6]
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


@kernel
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
        merged = merges.merged_ids[priority]
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


@kernel
def enter_tokens(
    text: Text, ends: npt.NDArray[np.int64], ids: npt.NDArray[np.int64], words: WordTable
) -> None:
    """Enter tokens into the table of words, each with its id as its count."""
    at = np.int64(0)
    have = 0
    for token in range(len(ends)):
        have = add_word(words, have, text, at, ends[token] - at, ids[token])
        at = ends[token]


@inlined
def id_in(words: WordTable, text: Text, at: Int, length: Int) -> Int:
    """Return the id of the token with these bytes, or -1."""
    head = low_bytes(text, at, min(length, 8))
    slot = slot_of(words, text, at, length, head, hash_bytes(text, at, length, head))
    word = word_in(words, slot)
    return words.counts[word] if word >= 0 else np.int64(-1)


@kernel
def enter_splits(words: WordTable, tokens: Int, table: MergeTable, really: Int) -> Int:
    """Enter each split of a token into two tokens as a pair that merges; return their number.

    The priority is the id. Unless ``really``, the pairs are only counted.
    """
    found = 0
    for token in range(tokens):
        start, end = words.offsets[token], words.offsets[token + 1]
        for middle in range(start + 1, end):
            left = id_in(words, words.pool, start, middle - start)
            if left < 0:
                continue
            right = id_in(words, words.pool, middle, end - middle)
            if right < 0:
                continue
            found += 1
            if really:
                enter_merge(table, left, right, words.counts[token])
    return found


@kernel
def find_unreached(
    merges: Merges, words: WordTable, tokens: Int, scratch: Scratch, unreached: npt.NDArray[np.bool]
) -> None:
    """Tell which tokens are not what their bytes merge to; scratch fits the longest token."""
    for token in range(tokens):
        start = words.offsets[token]
        length = words.offsets[token + 1] - start
        if length > 1:
            ids = scratch.priorities  # of no use once a piece is merged
            count = merge_long(merges, scratch, words.pool, start, length, ids, 0)
            unreached[token] = count != 1 or ids[0] != words.counts[token]


@kernel
def enter_merges(
    left: npt.NDArray[np.int64], right: npt.NDArray[np.int64], table: MergeTable
) -> None:
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
