"""The compiled learner of symbols that are characters: BPE of characters, and WordPiece.

Unlike with bytes, two merges may spell one symbol: “ab” + “c” and “a” + “bc”. Then a pair becomes
more frequent again, so that its places cannot be written once. Each place where a symbol begins is
in the list of its pair, linked both ways, and is taken out when the pair changes::

    words low, lower         l   o   w       l   o   w   e   r
    places   SYMBOL     -1   0   1   2  -1   0   1   2   3   4  -1    at its first and last place
             SIZE            1   1   1       1   1   1   1   1        its places, at both as well
             ROW             0   1           0   1   2   3            the pair that begins here
             BEFORE          5   6          -1  -1  -1  -1            its neighbours in the list
             BEHIND         -1  -1           1   2  -1  -1
             WORD            0   0   0       1   1   1   1   1

    rows     KEY (left << 32 | right), TOTAL (occurrences), BOUND (the total in the heap)
    links    HEAD (of the list), WHERE (in the heap), FIRST (no place of the list comes before it)

A row whose total falls below its bound is refreshed when it reaches the top of the heap; one whose
total rises takes its new turn at once. Rows below a floor wait outside the heap, until it is empty.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from bpe.algorithm import character, wordpiece
from bpe.algorithm.character import CharacterMerge, limit_reached
from bpe.algorithm.recipe import Recipe
from bpe.algorithm.wordpiece import INSIDE, PieceMerge
from bpe.compiled.characters import Ids, Numbers
from bpe.compiled.compiling import Int, inlined, kernel, routine
from bpe.compiled.train.counting import longer
from bpe.compiled.train.learner import TIE_BREAKS, Pace, refuse_if_too_large
from bpe.compiled.train.merging import DONE, OUT_OF_BUDGET, PAIR_ROOM_NEEDED
from bpe.compiled.train.pair_heap import FIRST_SEEN, LEXICOGRAPHIC
from bpe.limits import require_memory
from bpe.progress import OnProgress, Progress

SYMBOL, SIZE, ROW, BEFORE, BEHIND, WORD = range(6)  # of a place
KEY, TOTAL, BOUND = range(3)  # of a row
HEAD, WHERE, FIRST = range(3)
START, LENGTH, PREFIX, OCCURRENCES = range(4)  # of an id
LEFT, RIGHT, NEW, COUNT, LEFT_COUNT, RIGHT_COUNT, MERGED = range(7)  # of a merge
# Of the progress; the rows that are WAITING behind the heap enter it before the next round.
(ROWS, HEAP_SIZE, WAITING, FLOOR, IDS, POOL, LONGEST, MADE, MOST, ENTERED, NAMED, PLACE) = range(12)

OUTSIDE, BEHIND_IT = -1, -2
"""``WHERE`` of a row that is not in the heap, and of one that is waiting behind it."""

NAME_ROOM_NEEDED = DONE + 1  # why a kernel came back, beside the reasons of bytes

_LEAST_ROWS = 3072  # three times a power of two fills the table of pairs to three quarters
_MERGES_AT_ONCE = 1024
_FLOOR_FALLS_BY = 4
_CODES = 0x110000  # of all characters; behind them, that of an end of several characters
_ROW_BYTES = 46  # 40 in the columns, 4 for each slot of the table, of which a quarter is empty


class Symbols(NamedTuple):
    """The columns drawn above, one number behind the other, and what each id spells.

    An id has in ``ids`` the START and LENGTH of its spelling in ``pool``, its first three
    characters as a number that compares like them (PREFIX), and its OCCURRENCES.
    """

    places: Ids
    counts: Numbers  # of each word
    rows: Numbers
    links: Ids
    heap: Ids
    table: Ids  # the hash table from a pair to its row
    ids: Numbers
    pool: Ids
    slots: Ids  # the hash table from a spelling to its id


@kernel
def lay_out(
    letters: Ids, lengths: Numbers, has_inside: Int, end: Int, numbers: Ids, names: Int, places: Ids
) -> Int:
    """Write the symbols of words into ``places``; return how many ``names`` there are with them.

    ``letters`` are the characters of all words, ``end`` the one that ends each, or -1. ``numbers``
    has at twice a character the number of its symbol, from 1 on, and behind it that of the one
    inside a word; they count up by first occurrence.
    """
    place = letter = np.int64(0)
    for word in range(len(lengths)):
        place += 1
        for index in range(lengths[word] + (1 if end >= 0 else 0)):
            code = np.int64(end)
            if index < lengths[word]:
                code = np.int64(letters[letter])
                letter += 1
            code = 2 * code + (1 if has_inside and index > 0 else 0)
            if numbers[code] == 0:
                names += 1
                numbers[code] = names
            places[6 * place + SYMBOL] = numbers[code] - 1
            places[6 * place + SIZE] = 1
            places[6 * place + WORD] = word
            place += 1
    return names


@kernel
def index_places(symbols: Symbols, progress: Numbers, budget: Int) -> Int:
    """Put each place into the list of its pair."""
    places = symbols.places
    place, size = progress[PLACE], len(places) // 6
    stop = min(size, place + budget)
    _enter(symbols, progress)
    while place < stop - 1:
        left, right = np.int64(places[6 * place + SYMBOL]), np.int64(places[6 * place + 6 + SYMBOL])
        if left >= 0:
            weight = symbols.counts[places[6 * place + WORD]]
            if right >= 0:
                if 3 * progress[ROWS] == len(symbols.rows):
                    progress[PLACE] = place
                    return PAIR_ROOM_NEEDED
                row = _row_of(symbols, left, right, place, progress)
                _put_in(symbols, row, place, weight)
            symbols.ids[4 * left + OCCURRENCES] += weight
        place += 1
    progress[PLACE] = place
    return DONE if stop == size else OUT_OF_BUDGET


@kernel
def merge_best(
    symbols: Symbols,
    tie_break: Int,
    least: Int,
    by_likelihood: Int,
    left_out: Int,
    made: Numbers,
    progress: Numbers,
    budget: Int,
) -> Int:
    """Merge the best pairs that occur ``least`` times, until ``MOST`` merges are ``made``.

    The symbol on the right leaves out its first ``left_out`` characters.
    """
    places, rows, links, ids = symbols.places, symbols.rows, symbols.links, symbols.ids
    _enter(symbols, progress)
    while budget > 0 and progress[MADE] < progress[MOST]:
        if 3 * (progress[ROWS] + 2 * progress[IDS] + 2) > len(rows):
            return PAIR_ROOM_NEEDED
        longest = 2 * progress[LONGEST]
        if 4 * progress[IDS] == len(ids) or progress[POOL] + longest > len(symbols.pool):
            return NAME_ROOM_NEEDED
        if by_likelihood:
            row = _likeliest(symbols, tie_break, least, progress)
        else:
            row = _most_frequent(symbols, tie_break, least, progress)
        if row < 0:
            return DONE
        left, right = rows[3 * row + KEY] >> 32, rows[3 * row + KEY] & 0xFFFFFFFF
        new = _name_of(symbols, left, right, left_out, progress)
        merge = 7 * progress[MADE]
        made[merge + LEFT], made[merge + RIGHT], made[merge + NEW] = left, right, new
        made[merge + COUNT] = rows[3 * row + TOTAL]
        made[merge + LEFT_COUNT] = ids[4 * left + OCCURRENCES]
        made[merge + RIGHT_COUNT] = ids[4 * right + OCCURRENCES]
        merged = np.int64(0)
        while links[3 * row + HEAD] >= 0:
            place = np.int64(links[3 * row + HEAD])
            if left == right:  # in "aaa" the first two are merged, and the list has no such order
                while places[6 * place - 6 + SYMBOL] == left:
                    place -= places[6 * place - 6 + SIZE]
            while True:
                middle = place + places[6 * place + SIZE]
                end = middle + places[6 * middle + SIZE]
                weight = symbols.counts[places[6 * place + WORD]]
                before = np.int64(places[6 * place - 6 + SYMBOL])
                behind = np.int64(places[6 * end + SYMBOL])
                previous = place - np.int64(places[6 * place - 6 + SIZE])
                _take_out(symbols, place, weight)
                if before >= 0:
                    _take_out(symbols, previous, weight)
                if behind >= 0:
                    _take_out(symbols, middle, weight)
                places[6 * place + SYMBOL] = places[6 * end - 6 + SYMBOL] = new
                places[6 * place + SIZE] = places[6 * end - 6 + SIZE] = end - place
                for side in range(2):
                    first = place if side else previous
                    if (behind if side else before) >= 0:
                        a, b = (new, behind) if side else (before, new)
                        added = _row_of(symbols, a, b, first, progress)
                        _put_in(symbols, added, first, weight)
                        _raise(symbols, tie_break, added, first, progress)
                merged += weight
                budget -= 1
                if left != right or places[6 * end + ROW] != row:
                    break
                place = end
        ids[4 * left + OCCURRENCES] -= merged
        ids[4 * right + OCCURRENCES] -= merged
        ids[4 * new + OCCURRENCES] += merged
        made[merge + MERGED] = merged
        progress[MADE] += 1
        budget -= 16
    return OUT_OF_BUDGET


@inlined
def _put_in(symbols: Symbols, row: Int, place: Int, weight: Int) -> None:
    """Put a place into the list of a pair."""
    places, links = symbols.places, symbols.links
    head = np.int64(links[3 * row + HEAD])
    places[6 * place + ROW] = row
    places[6 * place + BEFORE] = -1
    places[6 * place + BEHIND] = head
    if head >= 0:
        places[6 * head + BEFORE] = place
    links[3 * row + HEAD] = place
    symbols.rows[3 * row + TOTAL] += weight


@inlined
def _take_out(symbols: Symbols, place: Int, weight: Int) -> None:
    """Take a place out of the list of its pair."""
    places = symbols.places
    row = np.int64(places[6 * place + ROW])
    before, behind = np.int64(places[6 * place + BEFORE]), np.int64(places[6 * place + BEHIND])
    if before >= 0:
        places[6 * before + BEHIND] = behind
    else:
        symbols.links[3 * row + HEAD] = behind
    if behind >= 0:
        places[6 * behind + BEFORE] = before
    places[6 * place + ROW] = -1
    symbols.rows[3 * row + TOTAL] -= weight


@inlined
def _slot_of(symbols: Symbols, key: Int) -> Int:
    """Return the index in ``table`` where the row of a pair is, or the empty one for it."""
    mask = len(symbols.table) - 1
    slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while symbols.table[slot] >= 0 and symbols.rows[3 * symbols.table[slot] + KEY] != key:
        slot = (slot + 1) & mask
    return slot


@inlined
def _row_of(symbols: Symbols, left: Int, right: Int, place: Int, progress: Numbers) -> Int:
    """Return the row of a pair that stands at a place, a new one where it has none."""
    slot = _slot_of(symbols, left << 32 | right)
    row = np.int64(symbols.table[slot])
    if row >= 0:
        return row
    row = progress[ROWS]
    symbols.rows[3 * row + KEY] = left << 32 | right
    symbols.rows[3 * row + TOTAL] = 0
    symbols.links[3 * row + HEAD] = -1
    symbols.links[3 * row + WHERE] = OUTSIDE
    symbols.links[3 * row + FIRST] = place
    symbols.table[slot] = row
    progress[ROWS] = progress[ENTERED] = row + 1
    return row


@inlined
def _raise(symbols: Symbols, tie_break: Int, row: Int, place: Int, progress: Numbers) -> None:
    """Give a row that a place was added to its new turn, or have it wait behind the heap."""
    rows, links = symbols.rows, symbols.links
    earlier = place < links[3 * row + FIRST]
    if earlier:
        links[3 * row + FIRST] = place
    where = np.int64(links[3 * row + WHERE])
    if where == OUTSIDE:
        symbols.heap[progress[HEAP_SIZE] + progress[WAITING]] = row
        progress[WAITING] += 1
        links[3 * row + WHERE] = BEHIND_IT
    elif where >= 0 and (earlier or rows[3 * row + TOTAL] > rows[3 * row + BOUND]):
        rows[3 * row + BOUND] = max(rows[3 * row + BOUND], rows[3 * row + TOTAL])
        _sift_up(symbols, tie_break, where)


@inlined
def _most_frequent(symbols: Symbols, tie_break: Int, least: Int, progress: Numbers) -> Int:
    """Take the best row off the heap; -1 where no pair occurs ``least`` times."""
    rows, heap, links = symbols.rows, symbols.heap, symbols.links
    while True:
        for index in range(progress[HEAP_SIZE], progress[HEAP_SIZE] + progress[WAITING]):
            row = np.int64(heap[index])
            links[3 * row + WHERE] = OUTSIDE
            if rows[3 * row + TOTAL] >= progress[FLOOR]:
                rows[3 * row + BOUND] = rows[3 * row + TOTAL]
                heap[progress[HEAP_SIZE]] = row
                progress[HEAP_SIZE] += 1
                _sift_up(symbols, tie_break, progress[HEAP_SIZE] - 1)
        progress[WAITING] = 0
        if progress[HEAP_SIZE] == 0:
            if progress[FLOOR] <= least:
                return np.int64(-1)
            progress[FLOOR] = max(np.int64(least), progress[FLOOR] // _FLOOR_FALLS_BY)
            progress[WAITING] = progress[ROWS]
            for each in range(progress[ROWS]):
                heap[each] = each
            continue
        row = np.int64(heap[0])
        total = rows[3 * row + TOTAL]
        if total >= progress[FLOOR]:
            late = tie_break == FIRST_SEEN and _is_late(symbols, row)
            if late or total < rows[3 * row + BOUND]:
                rows[3 * row + BOUND] = total
                _sift_down(symbols, tie_break, progress[HEAP_SIZE])
                continue
        progress[HEAP_SIZE] -= 1
        links[3 * row + WHERE] = OUTSIDE
        if progress[HEAP_SIZE] > 0:
            heap[0] = heap[progress[HEAP_SIZE]]
            _sift_down(symbols, tie_break, progress[HEAP_SIZE])
        if total >= progress[FLOOR]:
            return row


@inlined
def _likeliest(symbols: Symbols, tie_break: Int, least: Int, progress: Numbers) -> Int:
    """Return the row that its parts let expect least; -1 where none occurs ``least`` times.

    A merge changes the likelihood of all pairs that its parts are in, so no heap would hold.
    """
    rows, ids = symbols.rows, symbols.ids
    best, highest = np.int64(-1), -1.0
    for row in range(progress[ROWS]):
        total = rows[3 * row + TOTAL]
        if total >= least:
            left, right = rows[3 * row + KEY] >> 32, rows[3 * row + KEY] & 0xFFFFFFFF
            score = total / (ids[4 * left + OCCURRENCES] * ids[4 * right + OCCURRENCES])
            if score < highest:
                continue
            if score == highest:
                if tie_break == FIRST_SEEN:
                    _is_late(symbols, best)
                    _is_late(symbols, row)
                if not _precedes(symbols, tie_break, row, best):
                    continue
            best, highest = np.int64(row), score
    return best


@routine
def _is_late(symbols: Symbols, row: Int) -> Int:
    """Return whether the first place of a pair has become another one, which is noted."""
    places, links = symbols.places, symbols.links
    if places[6 * np.int64(links[3 * row + FIRST]) + ROW] == row:
        return False
    place = first = np.int64(links[3 * row + HEAD])
    while place >= 0:
        first = min(first, place)
        place = np.int64(places[6 * place + BEHIND])
    links[3 * row + FIRST] = first
    return True


@inlined
def _precedes(symbols: Symbols, tie_break: Int, a: Int, b: Int) -> Int:
    """Return whether one row comes before another by the tie-break."""
    if tie_break == FIRST_SEEN:
        return symbols.links[3 * a + FIRST] < symbols.links[3 * b + FIRST]
    key_a, key_b = symbols.rows[3 * a + KEY], symbols.rows[3 * b + KEY]
    if tie_break != LEXICOGRAPHIC:
        return key_a < key_b
    if key_a >> 32 != key_b >> 32:
        return _is_greater(symbols.ids, symbols.pool, key_a >> 32, key_b >> 32)
    return _is_greater(symbols.ids, symbols.pool, key_a & 0xFFFFFFFF, key_b & 0xFFFFFFFF)


@routine
def _is_greater(ids: Numbers, pool: Ids, a: Int, b: Int) -> Int:
    """Return whether the characters of one id come after those of another."""
    if ids[4 * a + PREFIX] != ids[4 * b + PREFIX]:
        return ids[4 * a + PREFIX] > ids[4 * b + PREFIX]
    for index in range(3, min(ids[4 * a + LENGTH], ids[4 * b + LENGTH])):
        here, there = pool[ids[4 * a + START] + index], pool[ids[4 * b + START] + index]
        if here != there:
            return here > there
    return ids[4 * a + LENGTH] > ids[4 * b + LENGTH]


@inlined
def _outranks(symbols: Symbols, tie_break: Int, a: Int, b: Int) -> Int:
    bound_a, bound_b = symbols.rows[3 * a + BOUND], symbols.rows[3 * b + BOUND]
    if bound_a != bound_b:
        return bound_a > bound_b
    return _precedes(symbols, tie_break, a, b)


@routine
def _sift_up(symbols: Symbols, tie_break: Int, index: Int) -> None:
    """Let an entry of the heap rise to its place."""
    heap, links = symbols.heap, symbols.links
    row = np.int64(heap[index])
    while index > 0:
        parent = (index - 1) >> 1
        other = np.int64(heap[parent])
        if not _outranks(symbols, tie_break, row, other):
            break
        heap[index] = other
        links[3 * other + WHERE] = index
        index = parent
    heap[index] = row
    links[3 * row + WHERE] = index


@routine
def _sift_down(symbols: Symbols, tie_break: Int, size: Int) -> None:
    """Let the first entry of a heap sink to its place."""
    heap, links = symbols.heap, symbols.links
    row = np.int64(heap[0])
    index = 0
    while 2 * index + 1 < size:
        child = 2 * index + 1
        if child + 1 < size and _outranks(
            symbols, tie_break, np.int64(heap[child + 1]), np.int64(heap[child])
        ):
            child += 1
        other = np.int64(heap[child])
        if not _outranks(symbols, tie_break, other, row):
            break
        heap[index] = other
        links[3 * other + WHERE] = index
        index = child
    heap[index] = row
    links[3 * row + WHERE] = index


@inlined
def _name_of(symbols: Symbols, left: Int, right: Int, left_out: Int, progress: Numbers) -> Int:
    """Return the id of what two symbols spell, a new one where there is none."""
    ids, pool = symbols.ids, symbols.pool
    start = end = progress[POOL]
    for side in range(2):
        part = right if side else left
        for index in range(left_out if side else 0, ids[4 * part + LENGTH]):
            pool[end] = pool[ids[4 * part + START] + index]
            end += 1
    new = progress[IDS]
    ids[4 * new + START], ids[4 * new + LENGTH] = start, end - start
    ids[4 * new + OCCURRENCES] = 0
    named = _enter_name(ids, pool, symbols.slots, new)
    if named == new:
        progress[IDS] = progress[NAMED] = new + 1
        progress[POOL], progress[LONGEST] = end, max(progress[LONGEST], end - start)
    return named


@routine
def _enter_name(ids: Numbers, pool: Ids, slots: Ids, new: Int) -> Int:
    """Enter the spelling of an id; return the id that has it already, or this one."""
    start, length = ids[4 * new + START], ids[4 * new + LENGTH]
    hashed, prefix = np.uint64(length), np.int64(0)
    for index in range(max(length, 3)):
        code = np.int64(pool[start + index]) + 1 if index < length else np.int64(0)
        hashed = (hashed ^ np.uint64(code)) * np.uint64(0x9E3779B97F4A7C15)
        hashed ^= hashed >> np.uint64(32)
        if index < 3:
            prefix = prefix << 21 | code
    ids[4 * new + PREFIX] = prefix
    slot = np.int64(hashed & np.uint64(len(slots) - 1))
    while slots[slot] >= 0:
        other = np.int64(slots[slot])
        if ids[4 * other + LENGTH] == length and ids[4 * other + PREFIX] == prefix:
            index = 3
            while index < length and pool[ids[4 * other + START] + index] == pool[start + index]:
                index += 1
            if index >= length:
                return other
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = new
    return new


@inlined
def _enter(symbols: Symbols, progress: Numbers) -> None:
    """Enter rows and spellings into tables that are new."""
    for row in range(progress[ENTERED], progress[ROWS]):
        symbols.table[_slot_of(symbols, symbols.rows[3 * row + KEY])] = row
    for each in range(progress[NAMED], progress[IDS]):
        _enter_name(symbols.ids, symbols.pool, symbols.slots, each)
    progress[ENTERED], progress[NAMED] = progress[ROWS], progress[IDS]


def learn_characters(
    word_counts: Mapping[str, int], recipe: Recipe, on_progress: OnProgress = lambda progress: None
) -> Iterator[CharacterMerge]:
    """Yield the same merges as :func:`bpe.algorithm.character.learn`."""
    names: list[str] = []
    vocabulary = set(character.initial_vocabulary({}, recipe))
    steps = _merges(word_counts, names, vocabulary, recipe, on_progress, end=recipe.end_of_word)
    for left, right, _new, count, left_count, right_count, merged in steps:
        gone = 2 * merged if left == right else merged
        pair = names[left], names[right]
        rest = left_count - gone, right_count - gone
        present = {part for part, number in zip(pair, rest, strict=True) if number}
        yield character.prune(pair, count, vocabulary, present, recipe)


def learn_pieces(
    word_counts: Mapping[str, int], recipe: Recipe, on_progress: OnProgress = lambda progress: None
) -> Iterator[PieceMerge]:
    """Yield the same merges as :func:`bpe.algorithm.wordpiece.learn`."""
    names = list(wordpiece.initial_vocabulary({}, recipe))
    vocabulary: set[str] = set()
    steps = _merges(word_counts, names, vocabulary, recipe, on_progress, inside=INSIDE)
    for left, right, new, count, left_count, right_count, _merged in steps:
        vocabulary.add(names[new])
        yield PieceMerge(names[left], names[right], count, left_count, right_count)


def _merges(
    words: Mapping[str, int],
    names: list[str],
    vocabulary: set[str],
    recipe: Recipe,
    on_progress: OnProgress,
    *,
    inside: str = "",
    end: str = "",
) -> Iterator[list[int]]:
    """Yield the columns of each merge, some 20 ms of them at a time.

    All symbols are added to ``names``, and the first ones to the ``vocabulary``; the caller adds
    the others, and its size may end the work. ``inside`` stands before those that do not begin a
    word; ``end`` is the one that ends each word.
    """
    symbols = _laid_out(words, names, inside, end)
    vocabulary.update(names)
    progress = np.zeros(PLACE + 1, np.int64)
    lengths = [*map(len, names)]
    progress[IDS], progress[POOL], progress[LONGEST] = (
        len(names),
        sum(lengths),
        max(lengths, default=0),
    )
    pace = Pace(ThreadPoolExecutor(1))  # in this thread alone
    size = len(symbols.places) // 6
    why = OUT_OF_BUDGET
    while why != DONE:
        (why,) = pace.call(index_places, (symbols, progress))
        on_progress(Progress("indexing", int(progress[PLACE]), size))
        symbols = _with_room(symbols, progress, why)
    by_likelihood = recipe.score == "likelihood"
    most = int(symbols.rows[TOTAL : 3 * progress[ROWS] : 3].max(initial=recipe.min_frequency))
    progress[FLOOR] = 2**62 if by_likelihood else most + 1  # or no row would be taken off the heap
    made = np.zeros((_MERGES_AT_ONCE, 7), np.int64)
    flat = made.reshape(-1)
    done, why = 0, OUT_OF_BUDGET
    while why != DONE and not limit_reached(recipe, done, len(vocabulary)):
        limits = [_MERGES_AT_ONCE]
        if recipe.merges is not None:
            limits.append(recipe.merges - done)
        if recipe.vocabulary_size is not None:  # a merge adds one entry at the most
            limits.append(recipe.vocabulary_size - len(vocabulary))
        progress[MADE], progress[MOST] = 0, min(limits)
        options = TIE_BREAKS[recipe.tie_break], recipe.min_frequency, int(by_likelihood)
        (why,) = pace.call(merge_best, (symbols, *options, len(inside), flat, progress))
        symbols = _with_room(symbols, progress, why)
        on_progress(Progress("merging", done, recipe.merges))
        for row in made[: progress[MADE]].tolist():
            if row[NEW] == len(names):
                names.append(names[row[LEFT]] + names[row[RIGHT]].removeprefix(inside))
            done += 1
            yield row


def _laid_out(words: Mapping[str, int], names: list[str], inside: str, end: str) -> Symbols:
    """Lay out words one behind the other; add the symbols that they begin with to ``names``."""
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    refuse_if_too_large(2 * int(lengths.sum()), len(words))  # there is more for each than for bytes
    size = int(lengths.sum()) + (2 if end else 1) * len(words) + 1
    places = np.full(6 * size, -1, np.int32)
    numbers = np.zeros(2 * (_CODES + 1), np.int32)
    for number, name in enumerate(names, start=1):
        letter = name.removeprefix(inside)
        if len(letter) == 1:
            numbers[2 * ord(letter) + (letter != name)] = number
    letters = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.int32)
    last = -1 if not end else ord(end) if len(end) == 1 else _CODES
    lay_out(letters, lengths, len(inside) > 0, last, numbers, len(names), places)
    del letters
    met = np.flatnonzero(numbers)
    met = met[np.argsort(numbers[met])]
    for index in met[numbers[met] > len(names)].tolist():
        code, is_inside = divmod(index, 2)
        names.append((inside if is_inside else "") + (end if code == _CODES else chr(code)))
    counts = np.fromiter(words.values(), np.int64, len(words))
    ids = np.zeros((max(2 * len(names), 1024), 4), np.int64)
    ids[: len(names), LENGTH] = spelled = np.fromiter(map(len, names), np.int64, len(names))
    ids[: len(names), START] = np.cumsum(spelled) - spelled
    pool = np.frombuffer("".join(names).encode("utf-32-le", "surrogatepass"), np.int32)
    room = _LEAST_ROWS
    while room < size // 8:
        room *= 2
    return Symbols(
        places=places,
        counts=counts,
        rows=np.empty(3 * room, np.int64),
        links=np.empty(3 * room, np.int32),
        heap=np.empty(room, np.int32),
        table=_empty(room),
        ids=ids.reshape(-1),
        pool=longer(pool, 2 * len(pool) + 1024),
        slots=_empty(len(ids)),
    )


def _with_room(symbols: Symbols, progress: Numbers, why: int) -> Symbols:
    """Return arrays with twice the room where a kernel came back for that."""
    if why == NAME_ROOM_NEEDED:
        progress[NAMED] = 0
        ids, pool = (longer(each, 2 * len(each)) for each in (symbols.ids, symbols.pool))
        return symbols._replace(ids=ids, pool=pool, slots=_empty(len(ids) // 4))
    if why == PAIR_ROOM_NEEDED:
        progress[ENTERED] = 0
        room = 2 * len(symbols.heap)
        require_memory(_ROW_BYTES * room)
        symbols = symbols._replace(table=_empty(1))
        for name in ("rows", "links", "heap"):
            column = getattr(symbols, name)
            symbols = symbols._replace(**{name: longer(column, 2 * len(column))})
        return symbols._replace(table=_empty(room))
    return symbols


def _empty(entries: int) -> Ids:
    """Return a hash table that so many entries fill to three quarters at the most."""
    return np.full(1 << (4 * entries // 3 - 1).bit_length(), -1, np.int32)
