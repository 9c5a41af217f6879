"""The merge loop: replace the best pair everywhere, and touch nothing else.

The words of the corpus lie one behind the other, one place per byte and a border before each word.
A symbol writes its id on its first and its last place, so that both neighbours read it without a
link; the length of each id says where the next symbol begins::

    text      .  l  o  w  .  l  o  w  e  r  .          words: low, lower
    symbols  -1  l  o  w -2  l  o  w  e  r  -1         a border holds -1 - (number of the word)
    merge (l, o) -> 256, then (256, w) -> 257
    symbols  -1 257 x 257 -2 257 x 257 e  r  -1        x: DEAD, never read as a neighbour

Words of equal count lie together, in blocks of ``2**shift`` places that belong to one count, so one
weight per block is enough (``shift`` is 0 where the order of the corpus must be kept).

All symbols of an id come to be in one round. So all occurrences of a pair come to be in the round
of its younger symbol, and its places can be written once, side by side; later they only go stale.
One round merges (left, right) into ``new``::

    1. walk    for each place of the pair that still stands: write ``new``, and add the weight of
               the word to a tally of the symbol before, and of the symbol behind
    2. settle  per distinct neighbour, not per occurrence: (before, left) and (right, behind) lose
               the tally, (before, new) and (new, behind) are born with it
    3. list    write the places of the newborn pairs, a counting sort on the neighbours
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bpe.kernels.compiling import Int, inlined, kernel
from bpe.kernels.pair_heap import Corpus, Pairs, Vocabulary, pop_best, sift_up
from bpe.kernels.pair_table import EMPTY, PairTable, enter_pair, pair_slot

DEAD = np.int32(-(2**31))

# Progress of a training, an int64 array that kernel and caller share.
NEXT_ID, PAIR_COUNT, HEAP_SIZE, PLACES_USED = range(4)
PROGRESS = 4

# Why the loop came back.
OUT_OF_BUDGET, OUT_OF_PAIRS, PAIR_ROOM_NEEDED = range(3)


class Tallies(NamedTuple):
    """What a round gathers: per symbol id before and behind the pair, and per occurrence."""

    weight_before: npt.NDArray[np.int64]  # how often the id stands before the pair
    weight_behind: npt.NDArray[np.int64]
    cursor_before: npt.NDArray[np.int64]  # number of places, then where to write the next one
    cursor_behind: npt.NDArray[np.int64]
    distinct_before: npt.NDArray[np.int32]  # the ids whose tallies are not zero
    distinct_behind: npt.NDArray[np.int32]
    before: npt.NDArray[np.int32]  # the neighbours of each occurrence
    behind: npt.NDArray[np.int32]


@kernel
def measure_layout(
    lengths: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    order: npt.NDArray[np.int64],
    shift: Int,
) -> Int:
    """Return how many places the words take that :func:`lay_out` writes."""
    mask = (1 << shift) - 1
    at = np.int64(0)
    previous = np.int64(-1)
    for word in order:
        if counts[word] != previous:
            previous = counts[word]
            at = (at + mask) & ~mask
        at += 1 + lengths[word]
    return ((at + mask) & ~mask) + 1


@kernel
def lay_out(
    text: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    order: npt.NDArray[np.int64],
    shift: Int,
    corpus: Corpus,
) -> None:
    """Write the words of ``order`` into ``corpus``, one place per byte."""
    mask = (1 << shift) - 1
    at = np.int64(0)
    previous = np.int64(-1)
    for word in order:
        if counts[word] != previous:
            previous = counts[word]
            while at & mask:
                corpus.symbols[at] = -1
                at += 1
        corpus.symbols[at] = -1 - word
        corpus.weights[at >> shift] = previous
        at += 1
        for index in range(offsets[word], offsets[word + 1]):
            corpus.symbols[at] = text[index]
            corpus.text[at] = text[index]
            corpus.weights[at >> shift] = previous
            at += 1
    while at < len(corpus.symbols):
        corpus.symbols[at] = -1
        at += 1


@kernel
def refill_table(pairs: Pairs, pair_count: Int, min_frequency: Int, table: PairTable) -> None:
    """Enter the rows of all pairs that can still be merged into an empty table."""
    for row in range(pair_count):
        if pairs.total[row] >= min_frequency:
            enter_pair(table, pairs.left[row], pairs.right[row], row)


@kernel
def count_byte_pairs(
    corpus: Corpus, shift: Int, weights: npt.NDArray[np.int64], occurrences: npt.NDArray[np.int64]
) -> None:
    """Add up weight and occurrences of each pair of bytes, at index ``left << 8 | right``."""
    previous = np.int64(-1)
    for place in range(len(corpus.symbols)):
        symbol = np.int64(corpus.symbols[place])
        if previous >= 0 and symbol >= 0:
            pair = previous << 8 | symbol
            weights[pair] += corpus.weights[place >> shift]
            occurrences[pair] += 1
        previous = symbol


@kernel
def index_byte_pairs(
    corpus: Corpus,
    shift: Int,
    vocabulary: Vocabulary,
    pairs: Pairs,
    table: PairTable,
    tie_break: Int,
    min_frequency: Int,
    weights: npt.NDArray[np.int64],
    occurrences: npt.NDArray[np.int64],
    progress: npt.NDArray[np.int64],
) -> None:
    """Make a row, a heap entry and a list of places of each pair of bytes that is frequent enough.

    ``occurrences`` is used up: it becomes the cursor of the lists.
    """
    for key in range(len(weights)):
        found = occurrences[key]
        occurrences[key] = EMPTY
        if found > 0 and weights[key] >= min_frequency:
            occurrences[key] = progress[PLACES_USED]
            _give_birth(pairs, table, progress, key >> 8, key & 255, weights[key], found)
    previous = np.int64(-1)
    for place in range(len(corpus.symbols)):
        symbol = np.int64(corpus.symbols[place])
        if previous >= 0 and symbol >= 0:
            pair = previous << 8 | symbol
            if occurrences[pair] >= 0:
                corpus.places[occurrences[pair]] = place - 1
                occurrences[pair] += 1
        previous = symbol
    _push_newborn(pairs, vocabulary, corpus, tie_break, 0, progress)


@kernel
def merge_best(
    corpus: Corpus,
    shift: Int,
    vocabulary: Vocabulary,
    pairs: Pairs,
    table: PairTable,
    tallies: Tallies,
    tie_break: Int,
    min_frequency: Int,
    last_id: Int,
    budget: Int,
    progress: npt.NDArray[np.int64],
) -> Int:
    """Merge the best pairs one after the other; return why the loop stopped.

    It stops before id ``last_id``, when no pair is left, when ``budget`` places were visited, or
    when the newborn pairs of the next round might not find room.
    """
    while budget > 0 and progress[NEXT_ID] < last_id:
        row, size = pop_best(
            pairs, vocabulary, corpus, tie_break, min_frequency, progress[HEAP_SIZE]
        )
        progress[HEAP_SIZE] = size
        if row < 0:
            return OUT_OF_PAIRS
        new = progress[NEXT_ID]
        room = progress[PAIR_COUNT] + 2 * min(np.int64(pairs.length[row]), new) + 1
        if room > len(pairs.total):
            pairs.heap[size] = row
            progress[HEAP_SIZE] = size + 1
            sift_up(pairs, vocabulary, corpus, tie_break, size)
            return PAIR_ROOM_NEEDED
        _name(vocabulary, pairs, corpus, row, new)
        budget -= 16 + np.int64(pairs.length[row])
        _merge(
            corpus,
            shift,
            vocabulary,
            pairs,
            table,
            tallies,
            tie_break,
            min_frequency,
            row,
            new,
            progress,
        )
        progress[NEXT_ID] = new + 1
    return OUT_OF_BUDGET


@inlined
def _name(vocabulary: Vocabulary, pairs: Pairs, corpus: Corpus, row: Int, new: Int) -> None:
    """Enter the merge of a pair, and what its new id stands for, into the vocabulary."""
    left, right = pairs.left[row], pairs.right[row]
    at = pairs.start[row]
    while corpus.symbols[corpus.places[at]] != left or (
        corpus.symbols[corpus.places[at] + vocabulary.length[left]] != right
    ):
        at += 1
    start = np.int64(corpus.places[at])
    length = np.int64(vocabulary.length[left]) + np.int64(vocabulary.length[right])
    prefix = np.uint64(0)
    for index in range(8):
        byte = np.uint64(corpus.text[start + index]) if index < length else np.uint64(0)
        prefix = prefix << np.uint64(8) | byte
    vocabulary.start[new] = start
    vocabulary.length[new] = length
    vocabulary.prefix[new] = prefix
    vocabulary.left[new] = left
    vocabulary.right[new] = right
    vocabulary.total[new] = pairs.total[row]


@inlined
def _merge(
    corpus: Corpus,
    shift: Int,
    vocabulary: Vocabulary,
    pairs: Pairs,
    table: PairTable,
    tallies: Tallies,
    tie_break: Int,
    min_frequency: Int,
    row: Int,
    new: Int,
    progress: npt.NDArray[np.int64],
) -> None:
    """Do one round: walk, settle, list."""
    symbols, places = corpus.symbols, corpus.places
    left, right = np.int64(pairs.left[row]), np.int64(pairs.right[row])
    to_right = np.int64(vocabulary.length[left])
    size = to_right + np.int64(vocabulary.length[right])
    begin = pairs.start[row]

    # 1. Walk. Places that stand are moved to the front of the list, which nobody needs any more.
    found = np.int64(0)
    count_before = np.int64(0)
    count_behind = np.int64(0)
    chained_weight = np.int64(0)  # where the pair follows itself: new, new
    chained = np.int64(0)
    for index in range(begin, begin + pairs.length[row]):
        place = np.int64(places[index])
        middle = place + to_right
        if symbols[place] != left or symbols[middle] != right:
            continue
        end = place + size
        weight = corpus.weights[place >> shift]
        before, behind = np.int64(symbols[place - 1]), np.int64(symbols[end])
        symbols[middle] = DEAD
        symbols[place] = new
        symbols[end - 1] = new
        if before == new:
            tallies.behind[found - 1] = new
            chained_weight += weight
            chained += 1
        elif before >= 0:
            if tallies.cursor_before[before] == 0:
                tallies.distinct_before[count_before] = before
                count_before += 1
            tallies.weight_before[before] += weight
            tallies.cursor_before[before] += 1
        if behind >= 0:
            if tallies.cursor_behind[behind] == 0:
                tallies.distinct_behind[count_behind] = behind
                count_behind += 1
            tallies.weight_behind[behind] += weight
            tallies.cursor_behind[behind] += 1
        tallies.before[found] = before
        tallies.behind[found] = behind
        places[begin + found] = place
        found += 1
    pairs.total[row] = 0

    # 2. Settle.
    newborn = progress[PAIR_COUNT]
    for index in range(count_before):
        symbol = np.int64(tallies.distinct_before[index])
        weight, occurrences = tallies.weight_before[symbol], tallies.cursor_before[symbol]
        slot = pair_slot(table, symbol, left)
        if table[slot] != EMPTY:
            pairs.total[table[slot + 1]] -= weight
        tallies.cursor_before[symbol] = EMPTY
        if weight >= min_frequency:
            tallies.cursor_before[symbol] = progress[PLACES_USED]
            _give_birth(pairs, table, progress, symbol, new, weight, occurrences)
    for index in range(count_behind):
        symbol = np.int64(tallies.distinct_behind[index])
        weight, occurrences = tallies.weight_behind[symbol], tallies.cursor_behind[symbol]
        slot = pair_slot(table, right, symbol)
        if table[slot] != EMPTY:
            pairs.total[table[slot + 1]] -= weight
        if symbol == left:  # some of these were the left half of the next occurrence
            weight -= chained_weight
            occurrences -= chained
        tallies.cursor_behind[symbol] = EMPTY
        if weight >= min_frequency and occurrences > 0:
            tallies.cursor_behind[symbol] = progress[PLACES_USED]
            _give_birth(pairs, table, progress, new, symbol, weight, occurrences)
    pairs.total[row] = 0  # a pair such as (a, a) is its own neighbour
    chain_cursor = EMPTY
    if chained > 0 and chained_weight >= min_frequency:
        chain_cursor = progress[PLACES_USED]
        _give_birth(pairs, table, progress, new, new, chained_weight, chained)

    # 3. List.
    for index in range(found):
        place = np.int64(places[begin + index])
        before, behind = np.int64(tallies.before[index]), np.int64(tallies.behind[index])
        if before >= 0 and before != new and tallies.cursor_before[before] >= 0:
            places[tallies.cursor_before[before]] = place - vocabulary.length[before]
            tallies.cursor_before[before] += 1
        if behind == new:
            if chain_cursor >= 0:
                places[chain_cursor] = place
                chain_cursor += 1
        elif behind >= 0 and tallies.cursor_behind[behind] >= 0:
            places[tallies.cursor_behind[behind]] = place
            tallies.cursor_behind[behind] += 1
    for index in range(count_before):
        tallies.weight_before[tallies.distinct_before[index]] = 0
        tallies.cursor_before[tallies.distinct_before[index]] = 0
    for index in range(count_behind):
        tallies.weight_behind[tallies.distinct_behind[index]] = 0
        tallies.cursor_behind[tallies.distinct_behind[index]] = 0
    _push_newborn(pairs, vocabulary, corpus, tie_break, newborn, progress)


@inlined
def _give_birth(
    pairs: Pairs,
    table: PairTable,
    progress: npt.NDArray[np.int64],
    left: Int,
    right: Int,
    weight: Int,
    occurrences: Int,
) -> None:
    """Append the row of a new pair and reserve room for its places."""
    row = progress[PAIR_COUNT]
    pairs.left[row] = left
    pairs.right[row] = right
    pairs.total[row] = weight
    pairs.bound[row] = weight
    pairs.start[row] = progress[PLACES_USED]
    pairs.length[row] = occurrences
    progress[PLACES_USED] += occurrences
    progress[PAIR_COUNT] = row + 1
    enter_pair(table, left, right, row)


@inlined
def _push_newborn(
    pairs: Pairs,
    vocabulary: Vocabulary,
    corpus: Corpus,
    tie_break: Int,
    first_row: Int,
    progress: npt.NDArray[np.int64],
) -> None:
    """Put the rows from ``first_row`` on into the heap."""
    for row in range(first_row, progress[PAIR_COUNT]):
        size = progress[HEAP_SIZE]
        pairs.heap[size] = row
        progress[HEAP_SIZE] = size + 1
        sift_up(pairs, vocabulary, corpus, tie_break, size)
