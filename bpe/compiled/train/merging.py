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
               the word to a tally of the symbol before, and of the symbol behind, which is ``new``
               where the pair stands again; that one then has no symbol before
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
    WAITING,  # rows behind the heap, which enter it before the next round
    PLACES_USED,
    ENTERED,  # rows that are in the table, while all are entered
    PASS,  # which pass of a round is under way
    ROW,  # the pair of the round
    REACHED,  # where a pass over words, places or pairs has come to
    FIRST,  # of the places of the pair those that are walked, and behind the last of them
    END,
    STANDING,  # behind those of them where it still stood
    SHARES,  # threads that have a share of the round; 0 where the kernel does all
    DISTINCT,
    WORD,  # where laying out has come to: the word, and its next byte
    BYTE,
) = range(16)
PROGRESS = 16
BEGIN, WALK, SETTLE, LIST, CHOOSE = range(5)

_AHEAD = 24
"""Places ahead of the present one whose memory is asked for."""

# Why a kernel came back.
OUT_OF_BUDGET, OUT_OF_PAIRS, PAIR_ROOM_NEEDED, TO_BE_SHARED, DONE = range(5)


class Tallies(NamedTuple):
    """Figures of a round, by keys: twice the id before the pair, and twice that behind it plus 1.

    Those of keys are there once for the whole round, then once for each share of it.
    """

    weight: Numbers  # how often the id stands there
    cursor: Numbers  # number of places, then where to write the next one
    distinct: Ids  # the keys whose tallies are not zero
    keys: Ids  # two of each occurrence, or -1 without a neighbour


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
            size = progress[HEAP_SIZE]
            entering = min(progress[WAITING], budget)
            for index in range(size, size + entering):
                sift_up(pairs, vocabulary, corpus, index)
            progress[HEAP_SIZE] += entering
            progress[WAITING] -= entering
            if progress[WAITING] > 0:
                break
            if progress[NEXT_ID] >= last_id:
                return DONE
            row, size, waiting = pop_best(pairs, vocabulary, corpus, floor, progress[HEAP_SIZE])
            progress[ROW], progress[HEAP_SIZE], progress[WAITING] = row, size, waiting
            if row < 0:
                return OUT_OF_BUDGET if size > 0 else OUT_OF_PAIRS
            progress[PASS] = BEGIN
        row = progress[ROW]
        if progress[PASS] == BEGIN:
            # Each new pair has an occurrence, a neighbour and at least the floor of its own.
            most = min(np.int64(pairs.length[row]), progress[NEXT_ID])
            most = min(most, pairs.total[row] // max(floor, 1))
            if progress[PAIR_COUNT] + 2 * most + 1 > len(pairs.total):
                return PAIR_ROOM_NEEDED
            for field in range(REACHED, DISTINCT + 1):
                progress[field] = 0
            progress[END] = pairs.length[row]
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
            progress[NEXT_ID] += 1
            if progress[SHARES] > 0:
                _deal_out(tallies, progress)
                _forget(tallies, progress)
                return TO_BE_SHARED
        if progress[PASS] == LIST:
            budget = list_new(corpus, vocabulary, pairs, tallies, progress, budget) - 16
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
    standing, distinct = progress[STANDING], progress[DISTINCT]
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
        if behind == left and symbols[end + to_right] == right:
            behind = new
        symbols[middle] = DEAD
        symbols[place] = new
        symbols[end - 1] = new
        for side in range(2):
            neighbour = behind if side else before
            key = np.int64(-1)
            if neighbour >= 0 and (side or neighbour != new):
                key = 2 * neighbour + side
                if tallies.cursor[key] == 0:
                    tallies.distinct[distinct] = key
                    distinct += 1
                tallies.weight[key] += weight
                tallies.cursor[key] += 1
            tallies.keys[2 * standing + side] = key
        places[begin + standing] = place
        standing += 1
    progress[REACHED], progress[STANDING], progress[DISTINCT] = last, standing, distinct
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
    keys = len(tallies.weight) // (len(progress) // PROGRESS)
    distinct = progress[DISTINCT]
    for share in range(1, progress[SHARES] + 1):
        own = share * keys
        for index in range(own, own + progress[share * PROGRESS + DISTINCT]):
            key = np.int64(tallies.distinct[index])
            if tallies.cursor[key] == 0:
                tallies.distinct[distinct] = key
                distinct += 1
            tallies.weight[key] += tallies.weight[own + key]
            tallies.cursor[key] += tallies.cursor[own + key]
    progress[DISTINCT] = distinct


@inlined
def _deal_out(tallies: Tallies, progress: Numbers) -> None:
    """Give each share room to list the new pairs, behind that of the shares before it."""
    keys = len(tallies.weight) // (len(progress) // PROGRESS)
    for share in range(1, progress[SHARES] + 1):
        own, fields = share * keys, share * PROGRESS
        progress[fields + REACHED] = progress[fields + FIRST]
        for index in range(own, own + progress[fields + DISTINCT]):
            key = np.int64(tallies.distinct[index])
            occurrences, cursor = tallies.cursor[own + key], tallies.cursor[key]
            tallies.cursor[own + key] = cursor
            if cursor >= 0:
                tallies.cursor[key] = cursor + occurrences


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
    for index in range(progress[DISTINCT]):
        key = np.int64(tallies.distinct[index])
        symbol, is_behind = key >> 1, key & 1
        weight, occurrences = tallies.weight[key], tallies.cursor[key]
        gone = left if symbol == new else symbol  # which was the left half of the next occurrence
        a, b = (right, gone) if is_behind else (symbol, left)
        slot = pair_slot(table, a, b)
        if table[slot] != EMPTY:
            pairs.total[table[slot + 1]] -= weight
        tallies.cursor[key] = EMPTY
        if weight >= floor:
            tallies.cursor[key] = progress[PLACES_USED]
            a, b = (new, symbol) if is_behind else (symbol, new)
            _add_pair(pairs, table, progress, a, b, weight, occurrences)
    pairs.total[row] = 0  # a pair such as (a, a) is its own neighbour


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
    begin = pairs.start[progress[ROW]]
    first = progress[REACHED]
    last = min(progress[STANDING], first + budget)
    for index in range(first, last):
        place = np.int64(places[begin + index])
        for side in range(2):
            key = np.int64(tallies.keys[2 * index + side])
            if key >= 0 and tallies.cursor[key] >= 0:
                before = 0 if side else vocabulary.length[key >> 1]
                places[tallies.cursor[key]] = place - before
                tallies.cursor[key] += 1
    progress[REACHED] = last
    if last == progress[STANDING]:
        _forget(tallies, progress)
        progress[PASS] = CHOOSE
    return budget - (last - first)


@inlined
def _forget(tallies: Tallies, progress: Numbers) -> None:
    for index in range(progress[DISTINCT]):
        tallies.weight[tallies.distinct[index]] = 0
        tallies.cursor[tallies.distinct[index]] = 0


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
    pairs.heap[progress[HEAP_SIZE] + progress[WAITING]] = row
    progress[WAITING] += 1
