"""Before merging: lay the words out, and index the pairs of their symbols.

An index is the rows of :class:`Pairs` with their places, the table that finds a row by its pair,
and the heap. It is made in four passes, over places (A, D) or over rows (B, by NumPy, and C)::

    A count    a row for each pair, with its total and its number of occurrences
    B keep     rows below the floor are dropped, the others get room for their places, one
               behind the other
    C enter    the rows are entered into a new table, as B moved them
    D list     each occurrence goes into the room of its pair

    A  left right total length      B  row start  total      D  places  2 7 9 | 1 8
       108  111       3      3         0      0       3                 row 0   row 1
       111  200       1      1         1      3       2
       111  119       2      2

At first all symbols are bytes: their pairs are counted while they are laid out, in an array with a
number for each of the 65,536, and no table is needed for A to D. When no pair is left that reaches
the floor, a lower floor is taken and an index made again, of the symbols as they have become. Every
pass comes back when its budget is spent, and goes on from where ``progress`` says.

Threads lay out a share of the words each, from a block of its own on, and list the pairs of bytes
in it: how many places of each pair the shares before it have was counted on the way.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Ids, Numbers
from bpe.compiled.compiling import Int, kernel
from bpe.compiled.train.merging import (
    BYTE,
    DEAD,
    DONE,
    ENTERED,
    OUT_OF_BUDGET,
    PAIR_COUNT,
    PAIR_ROOM_NEEDED,
    REACHED,
    WORD,
)
from bpe.compiled.train.pair_heap import (
    EMPTY,
    Corpus,
    Pairs,
    PairTable,
    Vocabulary,
    enter_pair,
    pair_slot,
)


class BytePairs(NamedTuple):
    """Of each pair of bytes, at ``left << 8 | right``: its total and its number of occurrences."""

    total: Numbers
    length: Numbers


@kernel
def lay_out(
    text: npt.NDArray[np.uint8],
    offsets: Numbers,
    counts: Numbers,
    order: Numbers,
    corpus: Corpus,
    byte_pairs: BytePairs,
    progress: Numbers,
    budget: Int,
) -> Int:
    """Write the words of ``order`` into ``corpus``, one place per byte and a border before each.

    Their pairs are added to ``byte_pairs``. ``progress[REACHED]`` is the next place, ``WORD`` and
    ``BYTE`` are what stands there.
    """
    mask = (1 << corpus.shift) - 1
    place, which, byte = progress[REACHED], progress[WORD], progress[BYTE]
    stop = place + budget
    while which < len(order) and place < stop:
        word = order[which]
        count = counts[word]
        if byte == 0:
            if which > 0 and counts[order[which - 1]] != count:
                while place & mask:
                    corpus.symbols[place] = -1
                    place += 1
            corpus.symbols[place] = -1 - word
            corpus.weights[place >> corpus.shift] = count
            place += 1
        start = offsets[word]
        length = offsets[word + 1] - start
        end = min(length, byte + budget)
        left = np.int64(corpus.symbols[place - 1])
        while byte < end:
            right = np.int64(text[start + byte])
            if byte > 0:
                byte_pairs.total[left << 8 | right] += count
                byte_pairs.length[left << 8 | right] += 1
            corpus.symbols[place] = right
            corpus.text[place] = right
            corpus.weights[place >> corpus.shift] = count
            left = right
            place += 1
            byte += 1
        if byte == length:
            which += 1
            byte = 0
    progress[REACHED], progress[WORD], progress[BYTE] = place, which, byte
    return DONE if which == len(order) else OUT_OF_BUDGET


@kernel
def write_tokens(
    corpus: Corpus,
    vocabulary: Vocabulary,
    tokens: Ids,
    token_offsets: Numbers,
    end: Int,
    progress: Numbers,
    budget: Int,
) -> Int:
    """Write tokens of a vocabulary over the bytes of the words up to ``end``.

    Those of word ``n`` are ``tokens[token_offsets[n] : token_offsets[n + 1]]``; ``WORD`` is which
    of all is the next one. Where a token stands is entered into the vocabulary.
    """
    symbols = corpus.symbols
    place, which = progress[REACHED], progress[WORD]
    stop = min(end, place + budget)
    while place < stop:
        if symbols[place] < 0:
            which = token_offsets[-1 - np.int64(symbols[place])]
            place += 1
            continue
        token = np.int64(tokens[which])
        behind = place + np.int64(vocabulary.length[token])
        vocabulary.start[token] = place
        for inside in range(place, behind):
            symbols[inside] = DEAD
        symbols[place] = symbols[behind - 1] = token
        place = behind
        which += 1
    progress[REACHED], progress[WORD] = place, which
    return DONE if place >= end else OUT_OF_BUDGET


@kernel
def pass_over_pairs(
    corpus: Corpus,
    vocabulary: Vocabulary,
    pairs: Pairs,
    table: PairTable,
    lists: Int,
    progress: Numbers,
    budget: Int,
) -> Int:
    """Give each pair a row, and add up its total and its occurrences (pass A).

    If it ``lists``, list the places of the pairs that have a row (pass D).
    """
    symbols = corpus.symbols
    place, rows = progress[REACHED], progress[PAIR_COUNT]
    end = min(np.int64(len(symbols)), place + budget)
    why = OUT_OF_BUDGET if end < len(symbols) else DONE
    while place < end:
        left = np.int64(symbols[place])
        if left < 0:
            place += 1
            continue
        behind = place + np.int64(vocabulary.length[left])
        right = np.int64(symbols[behind])
        if right >= 0:
            slot = pair_slot(table, left, right)
            is_new = table[slot] == EMPTY
            if is_new and not lists:
                if rows == len(pairs.total):
                    why = PAIR_ROOM_NEEDED
                    break
                enter_pair(table, left, right, rows)
                pairs.left[rows] = left
                pairs.right[rows] = right
                pairs.total[rows] = 0
                pairs.length[rows] = 0
                rows += 1
            row = table[slot + 1]
            if not lists:
                pairs.total[row] += corpus.weights[place >> corpus.shift]
                pairs.length[row] += 1
            elif not is_new:
                corpus.places[pairs.bound[row]] = place
                pairs.bound[row] += 1
        place = behind
    progress[REACHED], progress[PAIR_COUNT] = place, rows
    return why


@kernel
def enter_rows(pairs: Pairs, floor: Int, table: PairTable, progress: Numbers, budget: Int) -> Int:
    """Enter the rows of all pairs that can still be merged into a new table (pass C)."""
    first = progress[ENTERED]
    last = min(progress[PAIR_COUNT], first + budget)
    for row in range(first, last):
        if pairs.total[row] >= floor:
            enter_pair(table, np.int64(pairs.left[row]), np.int64(pairs.right[row]), row)
    progress[ENTERED] = last
    return DONE if last == progress[PAIR_COUNT] else OUT_OF_BUDGET


@kernel
def list_byte_places(
    corpus: Corpus, cursors: Numbers, end: Int, progress: Numbers, budget: Int
) -> Int:
    """List places as :func:`pass_over_pairs` does up to ``end``, where all symbols are bytes.

    ``cursors`` has the next place in the list of each pair; :data:`EMPTY` of those without a row.
    """
    symbols, places = corpus.symbols, corpus.places
    first = progress[REACHED]
    last = min(end, first + budget)
    left = np.int64(symbols[first])
    for place in range(first, last):
        right = np.int64(symbols[place + 1])
        if left >= 0 and right >= 0:
            cursor = cursors[left << 8 | right]
            if cursor >= 0:
                places[cursor] = place
                cursors[left << 8 | right] = cursor + 1
        left = right
    progress[REACHED] = last
    return OUT_OF_BUDGET if last < end else DONE
