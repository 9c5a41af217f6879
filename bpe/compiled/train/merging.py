"""The merge loop: replace the best pair everywhere, and touch nothing else.

The words of the corpus lie one behind the other, one place per byte and a border before each word.
A symbol writes its id on its first and its last place, so that both neighbours read it without a
link; the length of each id says where the next symbol begins::

    text      .  l  o  w  .  l  o  w  e  r  .          words: low, lower
    symbols  -1  l  o  w -2  l  o  w  e  r  -1         a border holds -1 - (number of the word)
    merge (l, o) -> 256, then (256, w) -> 257
    symbols  -1 257 x 257 -2 257 x 257 e  r  -1        x: DEAD, never read as a neighbour

Words of equal count lie together, in blocks of ``2**shift`` places that belong to one count, so one
weight per block is enough (``shift`` is 0 where the order of the corpus counts).

All symbols of an id come to be in one round. So all occurrences of a pair come to be in the round
of its younger symbol, and its places can be written once, side by side; later they only go stale.
One round merges (left, right) into ``new``::

    1. walk    for each place of the pair that still stands: write ``new``, and add the weight of
               the word to a tally of the symbol before, and of the symbol behind
    2. settle  per distinct neighbour, not per occurrence: (before, left) and (right, behind) lose
               the tally, (before, new) and (new, behind) get theirs from it
    3. list    write the places of the new pairs, a counting sort on the neighbours

A long list of places is divided between threads, at borders of words: each walks and lists its own
share with tallies of its own, which are added up before they are settled. The places of a new pair
stay in order, as each share gets room behind that of the shares before it.

Most pairs of a corpus are rare, and few of them are ever merged. As counts only fall, a pair that
begins below some ``floor`` stays below it: it gets no row at all while better pairs are left
(:mod:`.indexing` finds the rare ones again when they are needed).

A kernel comes back when its budget of places is spent, in the middle of a round too, and goes on
from there when it is called again: ``progress`` holds all that it has to know.
"""

from typing import NamedTuple

import numpy as np

from bpe.compiled.characters import Ids, Numbers
from bpe.compiled.compiling import Int, inlined, kernel
from bpe.compiled.instructions import prefetch
from bpe.compiled.train.pair_heap import (
    EMPTY,
    Corpus,
    Pairs,
    PairTable,
    Vocabulary,
    enter_pair,
    pair_slot,
    pop_best,
    sift_up,
)

DEAD = np.int32(-(2**31))

# Fields of the progress of a training, an int64 array that kernels and caller share.
(
    NEXT_ID,
    PAIR_COUNT,
    HEAP_SIZE,
    PLACES_USED,
    PASS,  # which pass of a round is under way
    REACHED,  # where a pass over words, places or pairs has come to
    ROW,  # the pair of the round and its figures
    FIRST,  # of its places those that are walked, and behind the last of them
    END,
    STANDING,  # behind those of them where it still stood
    SHARES,  # threads that have a share of the round; 0 where the kernel does all
    DISTINCT_BEFORE,
    DISTINCT_BEHIND,
    CHAINED,  # occurrences that follow themselves and become (new, new), and their weight
    CHAINED_WEIGHT,
    FIRST_NEW,  # the first pair that the round makes
    CHAIN_CURSOR,
    WORD,  # where laying out has come to: the word, and its next byte
    BYTE,
) = range(19)
PROGRESS = 19
CHOOSE, WALK, SETTLE, LIST, FINISH = range(5)

_AHEAD = 24
"""Places ahead of the present one whose memory is asked for."""

# Why a kernel came back.
OUT_OF_BUDGET, OUT_OF_PAIRS, PAIR_ROOM_NEEDED, TO_BE_SHARED, DONE = range(5)


class Tallies(NamedTuple):
    """Figures of a round: per symbol id before and behind the pair, and per occurrence.

    Those per id are there once for the whole round, then once for each share of it.
    """

    weight_before: Numbers  # how often the id stands before the pair
    weight_behind: Numbers
    cursor_before: Numbers  # number of places, then where to write the next one
    cursor_behind: Numbers
    distinct_before: Ids  # the ids whose tallies are not zero
    distinct_behind: Ids
    before: Ids  # the neighbours of each occurrence
    behind: Ids


@kernel
def merge_best(
    corpus: Corpus,
    vocabulary: Vocabulary,
    pairs: Pairs,
    table: PairTable,
    tallies: Tallies,
    floor: Int,
    last_id: Int,
    worth_sharing: Int,
    progress: Numbers,
    budget: Int,
) -> Int:
    """Merge the best pairs one after the other; return why the loop stopped.

    It stops before id ``last_id``, when no pair reaches ``floor``, when ``budget`` places were
    visited, when the new pairs of the next round might not find room, or where ``worth_sharing``
    places and more are to be walked, and then listed, by several threads. ``progress`` has the
    fields of the whole round, then those of each share.
    """
    while budget > 0:
        if progress[PASS] == CHOOSE:
            if progress[NEXT_ID] >= last_id:
                return DONE
            row, size = pop_best(pairs, vocabulary, corpus, floor, progress[HEAP_SIZE])
            progress[HEAP_SIZE] = size
            if row < 0:
                return OUT_OF_BUDGET if size > 0 else OUT_OF_PAIRS
            # Each new pair has an occurrence, a neighbour and at least the floor of its own.
            most = min(np.int64(pairs.length[row]), progress[NEXT_ID])
            most = min(most, pairs.total[row] // max(floor, 1))
            if progress[PAIR_COUNT] + 2 * most + 1 > len(pairs.total):
                pairs.heap[size] = row
                progress[HEAP_SIZE] = size + 1
                sift_up(pairs, vocabulary, corpus, size)
                return PAIR_ROOM_NEEDED
            for field in range(REACHED, FIRST_NEW):
                progress[field] = 0
            progress[ROW], progress[END] = row, pairs.length[row]
            progress[PASS] = WALK
            if progress[END] >= worth_sharing:
                return TO_BE_SHARED
        if progress[PASS] == WALK:
            budget = walk(corpus, vocabulary, pairs, tallies, progress, budget)
        if progress[PASS] == SETTLE:
            _add_up(tallies, progress)
            _name(vocabulary, pairs, corpus, progress)
            _settle(pairs, table, tallies, floor, progress)
            progress[PASS], progress[REACHED] = LIST, 0
            if progress[SHARES] > 0:
                _deal_out(tallies, np.int64(pairs.left[progress[ROW]]), progress)
                _forget(tallies, progress)
                return TO_BE_SHARED
        if progress[PASS] == LIST:
            budget = list_new(corpus, vocabulary, pairs, tallies, progress, budget)
        if progress[PASS] == FINISH:
            for added in range(progress[FIRST_NEW], progress[PAIR_COUNT]):
                push(pairs, vocabulary, corpus, added, progress)
            progress[PASS] = CHOOSE
            progress[NEXT_ID] += 1
            budget -= 16
    return OUT_OF_BUDGET


@kernel
def walk(
    corpus: Corpus,
    vocabulary: Vocabulary,
    pairs: Pairs,
    tallies: Tallies,
    progress: Numbers,
    budget: Int,
) -> Int:
    """Write the new id over the next ``budget`` places of the pair; return what is left of it.

    That is 0, as :data:`OUT_OF_BUDGET`, or all are done and :data:`PASS` is the next one.
    Places that stand are moved to the front of the list, which is not needed any more.
    """
    symbols, places = corpus.symbols, corpus.places
    row, new = progress[ROW], progress[NEXT_ID]
    left, right = np.int64(pairs.left[row]), np.int64(pairs.right[row])
    to_right = np.int64(vocabulary.length[left])
    size = to_right + np.int64(vocabulary.length[right])
    begin = pairs.start[row]
    first = progress[REACHED]
    last = min(progress[END], first + budget)
    standing = progress[STANDING]
    distinct_before, distinct_behind = progress[DISTINCT_BEFORE], progress[DISTINCT_BEHIND]
    final = begin + progress[END] - 1
    for index in range(begin + first, begin + last):
        ahead = np.int64(places[min(index + _AHEAD, final)])
        prefetch(symbols, ahead)
        prefetch(corpus.weights, ahead >> corpus.shift)
        place = np.int64(places[index])
        middle = place + to_right
        if symbols[place] != left or symbols[middle] != right:
            continue
        end = place + size
        weight = corpus.weights[place >> corpus.shift]
        before, behind = np.int64(symbols[place - 1]), np.int64(symbols[end])
        symbols[middle] = DEAD
        symbols[place] = new
        symbols[end - 1] = new
        if before == new:
            tallies.behind[standing - 1] = new
            progress[CHAINED_WEIGHT] += weight
            progress[CHAINED] += 1
        elif before >= 0:
            if tallies.cursor_before[before] == 0:
                tallies.distinct_before[distinct_before] = before
                distinct_before += 1
            tallies.weight_before[before] += weight
            tallies.cursor_before[before] += 1
        if behind >= 0:
            if tallies.cursor_behind[behind] == 0:
                tallies.distinct_behind[distinct_behind] = behind
                distinct_behind += 1
            tallies.weight_behind[behind] += weight
            tallies.cursor_behind[behind] += 1
        tallies.before[standing] = before
        tallies.behind[standing] = behind
        places[begin + standing] = place
        standing += 1
    progress[REACHED] = last
    progress[STANDING] = standing
    progress[DISTINCT_BEFORE], progress[DISTINCT_BEHIND] = distinct_before, distinct_behind
    if last == progress[END]:
        progress[PASS] = SETTLE
    return budget - (last - first)


@inlined
def _name(vocabulary: Vocabulary, pairs: Pairs, corpus: Corpus, progress: Numbers) -> None:
    """Enter the merge of the pair, and what its new id stands for, into the vocabulary."""
    row, new = progress[ROW], progress[NEXT_ID]
    left, right = pairs.left[row], pairs.right[row]
    start = np.int64(corpus.places[pairs.start[row]])
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
def _add_up(tallies: Tallies, progress: Numbers) -> None:
    """Add the tallies of the shares up to those of the round."""
    ids = len(tallies.weight_before) // (len(progress) // PROGRESS)
    before, behind = progress[DISTINCT_BEFORE], progress[DISTINCT_BEHIND]
    for share in range(1, progress[SHARES] + 1):
        own, fields = share * ids, share * PROGRESS
        progress[CHAINED] += progress[fields + CHAINED]
        progress[CHAINED_WEIGHT] += progress[fields + CHAINED_WEIGHT]
        for index in range(own, own + progress[fields + DISTINCT_BEFORE]):
            symbol = np.int64(tallies.distinct_before[index])
            if tallies.cursor_before[symbol] == 0:
                tallies.distinct_before[before] = symbol
                before += 1
            tallies.weight_before[symbol] += tallies.weight_before[own + symbol]
            tallies.cursor_before[symbol] += tallies.cursor_before[own + symbol]
        for index in range(own, own + progress[fields + DISTINCT_BEHIND]):
            symbol = np.int64(tallies.distinct_behind[index])
            if tallies.cursor_behind[symbol] == 0:
                tallies.distinct_behind[behind] = symbol
                behind += 1
            tallies.weight_behind[symbol] += tallies.weight_behind[own + symbol]
            tallies.cursor_behind[symbol] += tallies.cursor_behind[own + symbol]
    progress[DISTINCT_BEFORE], progress[DISTINCT_BEHIND] = before, behind


@inlined
def _deal_out(tallies: Tallies, left: Int, progress: Numbers) -> None:
    """Give each share room to list the new pairs, behind that of the shares before it."""
    ids = len(tallies.weight_before) // (len(progress) // PROGRESS)
    for share in range(1, progress[SHARES] + 1):
        own, fields = share * ids, share * PROGRESS
        progress[fields + REACHED] = progress[fields + FIRST]
        progress[fields + CHAIN_CURSOR] = progress[CHAIN_CURSOR]
        if progress[fields + CHAINED] > 0:
            tallies.cursor_behind[own + left] -= progress[fields + CHAINED]
            if progress[CHAIN_CURSOR] >= 0:
                progress[CHAIN_CURSOR] += progress[fields + CHAINED]
        for index in range(own, own + progress[fields + DISTINCT_BEFORE]):
            _reserve(tallies.cursor_before, np.int64(tallies.distinct_before[index]), own)
        for index in range(own, own + progress[fields + DISTINCT_BEHIND]):
            _reserve(tallies.cursor_behind, np.int64(tallies.distinct_behind[index]), own)


@inlined
def _reserve(cursors: Numbers, symbol: Int, own: Int) -> None:
    occurrences, cursor = cursors[own + symbol], cursors[symbol]
    cursors[own + symbol] = cursor
    if cursor >= 0:
        cursors[symbol] = cursor + occurrences


@inlined
def _settle(
    pairs: Pairs, table: PairTable, tallies: Tallies, floor: Int, progress: Numbers
) -> None:
    """Take the tallies from the pairs that are gone, and make rows of the new ones.

    The cursors become the place in :attr:`Corpus.places` where the next occurrence is listed, or
    EMPTY where the new pair stays below the floor.
    """
    row, new = progress[ROW], progress[NEXT_ID]
    left, right = np.int64(pairs.left[row]), np.int64(pairs.right[row])
    progress[FIRST_NEW] = progress[PAIR_COUNT]
    for index in range(progress[DISTINCT_BEFORE]):
        symbol = np.int64(tallies.distinct_before[index])
        weight, occurrences = tallies.weight_before[symbol], tallies.cursor_before[symbol]
        slot = pair_slot(table, symbol, left)
        if table[slot] != EMPTY:
            pairs.total[table[slot + 1]] -= weight
        tallies.cursor_before[symbol] = EMPTY
        if weight >= floor:
            tallies.cursor_before[symbol] = progress[PLACES_USED]
            _add_pair(pairs, table, progress, symbol, new, weight, occurrences)
    for index in range(progress[DISTINCT_BEHIND]):
        symbol = np.int64(tallies.distinct_behind[index])
        weight, occurrences = tallies.weight_behind[symbol], tallies.cursor_behind[symbol]
        slot = pair_slot(table, right, symbol)
        if table[slot] != EMPTY:
            pairs.total[table[slot + 1]] -= weight
        if symbol == left:  # some of these were the left half of the next occurrence
            weight -= progress[CHAINED_WEIGHT]
            occurrences -= progress[CHAINED]
        tallies.cursor_behind[symbol] = EMPTY
        if weight >= floor and occurrences > 0:
            tallies.cursor_behind[symbol] = progress[PLACES_USED]
            _add_pair(pairs, table, progress, new, symbol, weight, occurrences)
    pairs.total[row] = 0  # a pair such as (a, a) is its own neighbour
    progress[CHAIN_CURSOR] = EMPTY
    if progress[CHAINED] > 0 and progress[CHAINED_WEIGHT] >= floor:
        progress[CHAIN_CURSOR] = progress[PLACES_USED]
        _add_pair(pairs, table, progress, new, new, progress[CHAINED_WEIGHT], progress[CHAINED])


@kernel
def list_new(
    corpus: Corpus,
    vocabulary: Vocabulary,
    pairs: Pairs,
    tallies: Tallies,
    progress: Numbers,
    budget: Int,
) -> Int:
    """List the places of the new pairs, for ``budget`` occurrences; return as :func:`walk` does."""
    places = corpus.places
    begin, new = pairs.start[progress[ROW]], progress[NEXT_ID]
    first = progress[REACHED]
    last = min(progress[STANDING], first + budget)
    for index in range(first, last):
        place = np.int64(places[begin + index])
        before, behind = np.int64(tallies.before[index]), np.int64(tallies.behind[index])
        if before >= 0 and before != new and tallies.cursor_before[before] >= 0:
            places[tallies.cursor_before[before]] = place - vocabulary.length[before]
            tallies.cursor_before[before] += 1
        if behind == new:
            if progress[CHAIN_CURSOR] >= 0:
                places[progress[CHAIN_CURSOR]] = place
                progress[CHAIN_CURSOR] += 1
        elif behind >= 0 and tallies.cursor_behind[behind] >= 0:
            places[tallies.cursor_behind[behind]] = place
            tallies.cursor_behind[behind] += 1
    progress[REACHED] = last
    if last == progress[STANDING]:
        _forget(tallies, progress)
        progress[PASS] = FINISH
    return budget - (last - first)


@inlined
def _forget(tallies: Tallies, progress: Numbers) -> None:
    for index in range(progress[DISTINCT_BEFORE]):
        tallies.weight_before[tallies.distinct_before[index]] = 0
        tallies.cursor_before[tallies.distinct_before[index]] = 0
    for index in range(progress[DISTINCT_BEHIND]):
        tallies.weight_behind[tallies.distinct_behind[index]] = 0
        tallies.cursor_behind[tallies.distinct_behind[index]] = 0


@inlined
def _add_pair(
    pairs: Pairs,
    table: PairTable,
    progress: Numbers,
    left: Int,
    right: Int,
    weight: Int,
    occurrences: Int,
) -> None:
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
def push(pairs: Pairs, vocabulary: Vocabulary, corpus: Corpus, row: Int, progress: Numbers) -> None:
    size = progress[HEAP_SIZE]
    pairs.heap[size] = row
    progress[HEAP_SIZE] = size + 1
    sift_up(pairs, vocabulary, corpus, size)
