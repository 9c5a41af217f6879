"""The kernels that fill the tables of an encoder from its vocabulary."""

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Text
from bpe.compiled.compiling import Int, kernel
from bpe.compiled.encode.merge_table import MergeTable, enter_merge, priority_in
from bpe.compiled.encode.piece_merging import Merges, Scratch, merge_long
from bpe.compiled.word_table import WordTable, add_word, count_in


@kernel
def enter_tokens(
    text: Text, ends: npt.NDArray[np.int64], ids: npt.NDArray[np.int64], words: WordTable
) -> None:
    """Enter tokens into the table of words, each with its id as its count."""
    at = np.int64(0)
    have = np.int64(0)
    for token in range(len(ends)):
        have = add_word(words, have, text, at, ends[token] - at, ids[token])
        at = ends[token]


@kernel
def enter_splits(words: WordTable, text: Text, tokens: Int, table: MergeTable, really: Int) -> Int:
    """Enter each split of a token into two tokens as a pair that merges; return their number.

    The priority is the id, and ``text`` the pool of ``words``. Unless ``really``, the pairs are
    only counted.
    """
    found = 0
    for token in range(tokens):
        start, end = words.offsets[token], words.offsets[token + 1]
        for middle in range(start + 1, end):
            left = count_in(words, text, start, middle - start)
            if left < 0:
                continue
            right = count_in(words, text, middle, end - middle)
            if right < 0:
                continue
            found += 1
            if really:
                enter_merge(table, left, right, words.counts[token])
    return found


@kernel
def keep_used_splits(
    merges: Merges,
    words: WordTable,
    text: Text,
    tokens: Int,
    scratch: Scratch,
    used: MergeTable,
    unreached: npt.NDArray[np.bool],
) -> None:
    """Enter the one split of each token that merging uses; tell which tokens have none.

    Wherever a token is made by merging, no merge has reached across its ends before, so that the
    merges between them were those of its bytes alone: the last one is always the same pair.
    ``scratch`` fits the longest token, and ``text`` is the pool of ``words``.
    """
    for token in range(tokens):
        start = words.offsets[token]
        length = words.offsets[token + 1] - start
        if length > 1:
            ids = scratch.priorities  # of no use once a piece is merged
            count = merge_long(merges, scratch, text, start, length, ids, np.int64(0))
            unreached[token] = count != 1 or ids[0] != words.counts[token]
            if not unreached[token]:
                left, right = np.int64(scratch.last[0]), np.int64(scratch.last[1])
                enter_merge(used, left, right, np.int64(ids[0]))


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
