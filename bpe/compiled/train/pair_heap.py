"""The pairs of a running training, and the heap that knows which of them is next.

A pair is a row of :class:`Pairs`. A heap entry is the number of a row::

    row       left  right  total  start  length  bound        places
    0         108   111        3      0       3      3        0  7 12 | 1  8 | ...
    1         111   119        1      3       2      2        row 0    row 1

``total`` (occurrences, each times the count of its word) is exact at any time. It only falls, so
``bound``, the total when the row last took its place in the heap, is an upper bound; a row at the
top whose bound is out of date is refreshed and sinks. ``places[start : start + length]`` are the
places where the left symbol of the pair stood when the pair was made, ascending; some may be stale.

The hash table from a pair of ids to a number, for learner and encoder.

Slots of two numbers lie side by side, so that a look-up reads one line of the cache::

    table    left << 32 | right,  number    EMPTY,  -    left << 32 | right,  number    ...

At least a quarter of the slots are empty, and their number is a power of two.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.compiled.characters import Ids, Numbers
from bpe.compiled.compiling import Int, inlined, routine

EMPTY = np.int64(-1)

PairTable = Numbers


def empty_pair_table(pairs: int) -> PairTable:
    slots = 16
    while 3 * slots < 4 * pairs:
        slots *= 2
    return np.full(2 * slots, EMPTY, np.int64)


@inlined
def pair_slot(table: PairTable, left: Int, right: Int) -> Int:
    """Return the index in ``table`` where the key of a pair is, or the empty one for it."""
    key = np.int64(left) << 32 | np.int64(right)
    mask = (len(table) >> 1) - 1
    slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while table[2 * slot] != key and table[2 * slot] != EMPTY:
        slot = (slot + 1) & mask
    return 2 * slot


@inlined
def enter_pair(table: PairTable, left: Int, right: Int, number: Int) -> None:
    slot = pair_slot(table, left, right)
    table[slot] = np.int64(left) << 32 | np.int64(right)
    table[slot + 1] = number


LEXICOGRAPHIC, FIRST_SEEN, SMALLEST_IDS = range(3)

_MOST_THROWN_AWAY = 10_000  # by one call, so that it returns within a few milliseconds


class Corpus(NamedTuple):
    """The words of a corpus laid out one behind the other (drawn in :mod:`.merging`)."""

    symbols: Ids  # the id at the first and last byte of each symbol; borders < 0
    text: npt.NDArray[np.uint8]  # the bytes themselves, which never change
    weights: Numbers  # weights[place >> shift]: how often the word of a place occurs
    places: Ids  # the places of all pairs
    shift: Int


class Vocabulary(NamedTuple):
    """The bytes of each id: a slice of :attr:`Corpus.text`, and the merge that made it."""

    start: Ids
    length: Ids
    prefix: npt.NDArray[np.uint64]  # the first eight bytes, as a number that compares like them
    left: Ids
    right: Ids
    total: Numbers


class Pairs(NamedTuple):
    """The columns drawn above, the heap of row numbers, and how equally frequent ones compare."""

    left: Ids
    right: Ids
    total: Numbers
    start: Numbers
    length: Ids
    bound: Numbers
    heap: Ids
    tie_break: Int


@inlined
def compare_spelling(vocabulary: Vocabulary, text: npt.NDArray[np.uint8], a: Int, b: Int) -> Int:
    """Return a number below, at or above 0 as the bytes of ``a`` are less, equal or greater."""
    if a == b:
        return 0
    if vocabulary.prefix[a] != vocabulary.prefix[b]:
        return -1 if vocabulary.prefix[a] < vocabulary.prefix[b] else 1
    at_a, at_b = vocabulary.start[a], vocabulary.start[b]
    for index in range(8, min(vocabulary.length[a], vocabulary.length[b])):
        difference = np.int64(text[at_a + index]) - np.int64(text[at_b + index])
        if difference != 0:
            return difference
    return np.int64(vocabulary.length[a]) - np.int64(vocabulary.length[b])


@inlined
def compare_pairs(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, a: Int, b: Int) -> Int:
    """Compare two pairs of ids as pairs of byte strings, as :func:`compare_spelling` does."""
    order = compare_spelling(vocabulary, corpus.text, pairs.left[a], pairs.left[b])
    if order == 0:
        order = compare_spelling(vocabulary, corpus.text, pairs.right[a], pairs.right[b])
    return order


@inlined
def outranks(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, a: Int, b: Int) -> Int:
    """Return whether pair ``a`` comes before pair ``b``, by bounds and then by the tie-break."""
    if pairs.bound[a] != pairs.bound[b]:
        return pairs.bound[a] > pairs.bound[b]
    if pairs.tie_break == LEXICOGRAPHIC:
        return compare_pairs(pairs, vocabulary, corpus, a, b) > 0
    if pairs.tie_break == FIRST_SEEN:
        return corpus.places[pairs.start[a]] < corpus.places[pairs.start[b]]
    if pairs.left[a] != pairs.left[b]:
        return pairs.left[a] < pairs.left[b]
    return pairs.right[a] < pairs.right[b]


@inlined
def sift_up(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, index: Int) -> None:
    """Let the entry at index ``index`` rise to its place."""
    row = pairs.heap[index]
    while index > 0:
        parent = (index - 1) >> 1
        if not outranks(pairs, vocabulary, corpus, row, pairs.heap[parent]):
            break
        pairs.heap[index] = pairs.heap[parent]
        index = parent
    pairs.heap[index] = row


@inlined
def sift_down(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, size: Int) -> None:
    """Let the first entry of a heap of ``size`` entries sink to its place."""
    row = pairs.heap[0]
    index = 0
    while True:
        child = 2 * index + 1
        if child >= size:
            break
        if child + 1 < size and outranks(
            pairs, vocabulary, corpus, pairs.heap[child + 1], pairs.heap[child]
        ):
            child += 1
        if not outranks(pairs, vocabulary, corpus, pairs.heap[child], row):
            break
        pairs.heap[index] = pairs.heap[child]
        index = child
    pairs.heap[index] = row


@inlined
def stands(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, row: Int, place: Int) -> Int:
    """Return whether the pair still stands at ``place``, one of its places of old."""
    left = pairs.left[row]
    if corpus.symbols[place] != left:
        return False
    return corpus.symbols[place + vocabulary.length[left]] == pairs.right[row]


@inlined
def drop_stale_front(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, row: Int) -> None:
    """Make the first place of a pair that occurs one where it still stands."""
    while not stands(pairs, vocabulary, corpus, row, np.int64(corpus.places[pairs.start[row]])):
        pairs.start[row] += 1
        pairs.length[row] -= 1


@inlined
def pop_best(
    pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, min_frequency: Int, size: Int
) -> tuple[Int, Int, Int]:
    """Take the best pair off a heap of ``size`` entries; return its row and the size left.

    The row is -1 when no pair occurs ``min_frequency`` times; if the size is not 0, many rare pairs
    were thrown away and there are more to look at. Two pairs of ids may spell the same pair of byte
    strings; then no rule but the order of the corpus tells which one is better. The others wait
    behind the heap; how many there are is the third number.
    """
    best = np.int64(-1)
    thrown_away = waiting = 0
    end = size
    while size > 0:
        row = np.int64(pairs.heap[0])
        if best >= 0 and not (
            pairs.bound[row] == pairs.total[best]
            and compare_pairs(pairs, vocabulary, corpus, row, best) == 0
        ):
            break
        is_late = min_frequency <= pairs.total[row] < pairs.bound[row]
        if is_late:
            pairs.bound[row] = pairs.total[row]
            if pairs.tie_break == FIRST_SEEN:
                drop_stale_front(pairs, vocabulary, corpus, row)
        else:
            size -= 1
            pairs.heap[0] = pairs.heap[size]
        sift_down(pairs, vocabulary, corpus, size)
        if is_late:
            continue
        if pairs.total[row] < min_frequency:
            thrown_away += 1
            if thrown_away >= _MOST_THROWN_AWAY and best < 0:
                break
        elif best < 0:
            best = row
            if pairs.tie_break != LEXICOGRAPHIC:
                break
        else:
            worse = row
            if _first_met(pairs, vocabulary, corpus, row) < _first_met(
                pairs, vocabulary, corpus, best
            ):
                worse, best = best, row
            waiting += 1
            pairs.heap[end - waiting] = worse
    for index in range(waiting):
        pairs.heap[size + index] = pairs.heap[end - waiting + index]
    return best, size, waiting


@routine
def _first_met(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, row: Int) -> Int:
    """Return the first word in which a pair stands, and behind it the place, in one number."""
    first = np.int64(2**62)
    for index in range(pairs.start[row], pairs.start[row] + pairs.length[row]):
        place = np.int64(corpus.places[index])
        if stands(pairs, vocabulary, corpus, row, place):
            begin = place
            while corpus.symbols[begin - 1] >= 0:
                begin -= vocabulary.length[corpus.symbols[begin - 1]]
            word = -1 - np.int64(corpus.symbols[begin - 1])
            first = min(first, word << 32 | place)
    return first
