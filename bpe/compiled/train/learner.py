"""The compiled byte-level learner: the merges of :mod:`bpe.algorithm.basic`, for corpora of real
size.

The loop itself is in :mod:`bpe.compiled.train.merging`, drawn there. Here is its memory, and the
generator that hands out merges in slices of time.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.compiled.compiling import packed
from bpe.compiled.encode.encoder import CompiledEncoder
from bpe.compiled.train import indexing, merging
from bpe.compiled.train.merging import Tallies
from bpe.compiled.train.pair_heap import (
    EMPTY,
    FIRST_SEEN,
    LEXICOGRAPHIC,
    SMALLEST_IDS,
    Corpus,
    Pairs,
    PairTable,
    Vocabulary,
    empty_pair_table,
)
from bpe.errors import BPEError
from bpe.limits import num_threads, require_memory, trim
from bpe.progress import OnProgress, Progress
from bpe.text.readable import IN_ORDER

Ids: TypeAlias = npt.NDArray[np.int32]
Kernel: TypeAlias = Callable[..., Any]

TIE_BREAKS = {
    "lexicographic": LEXICOGRAPHIC,
    "first-seen": FIRST_SEEN,
    "smallest-ids": SMALLEST_IDS,
    "huggingface": SMALLEST_IDS,  # of bytes that are renumbered before
}
_SLICE_SECONDS = 0.02  # what a call of a kernel aims at
_LEAST_BUDGET, _FIRST_BUDGET, _MOST_BUDGET = 10_000, 100_000, 1_000_000  # places of one call
_LEAST_PAIRS = 3072  # three times a power of two fills the table of pairs to three quarters
_BLOCK_SHIFT = 4  # 16 places share a weight
_MOST_PLACES = 2**31 - 1  # a place is a 32-bit number
WORTH_A_THREAD = 1 << 16  # places: some milliseconds, as a busy machine may let a thread wait

_WORTH_TRIMMING = 1 << 19  # bytes of distinct words

# Of memory: what each byte of distinct words takes, and each pair that gets a row.
_LEAST_MEMORY = 32_000_000
_PLACE_BYTES = 18  # a symbol, a byte of text, half a byte of weight, three places
_PAIR_BYTES = 62  # 40 in the columns, 16 for each slot of the table, of which a quarter is empty

# A vocabulary of V ids over text of T bytes is learned from pairs that occur T / V times and more:
# the last merge has some 6 to 40 times less. Below that, a pair is not worth a row before others
# have run out; then the floor falls by a factor.
_FLOOR_DIVISOR = 64
_FLOOR_FALLS_BY = 16


class Start(NamedTuple):
    """A vocabulary to extend: what encodes with it, and the bytes of each id below ``first_id``.

    Merges are numbered from ``first_id`` on, and at most ``limit`` are made.
    """

    encoder: CompiledEncoder
    tokens: Sequence[bytes]
    first_id: int
    limit: int | None


def learn(
    word_counts: Mapping[bytes, int],
    recipe: Recipe,
    *,
    start: Start | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[Merge]:
    """Yield the merges of :func:`bpe.algorithm.basic.train`, some 20 ms of them at a time.

    With ``start`` they are those of the naive learner of :mod:`bpe.training.extend`.

    ``on_progress`` is called after each such slice, while the pairs are indexed and while a single
    merge takes longer too. The GIL is free while a slice is computed. A corpus that would not fit
    into memory raises :class:`BPEError` before any work is done.
    """
    words = WordCounts.of(word_counts)
    refuse_if_too_large(len(words.text), len(words))
    renumbered = recipe.tie_break == "huggingface"
    if renumbered:  # each byte by its place in GPT-2's alphabet
        places = np.argsort(np.array(IN_ORDER, np.uint8)).astype(np.uint8)
        words = replace(words, text=places[words.text])
    training = CompiledTraining(recipe, start)
    slices = training.run(words)
    del word_counts, words  # the words are laid out now
    for _ in slices:
        if on_progress is not None:
            on_progress(training.so_far())
        merges = training.new_merges()
        yield from map(_of_bytes, merges) if renumbered else merges


def _of_bytes(merge: Merge) -> Merge:
    left, right = (IN_ORDER[part] if part < BYTES else part for part in merge[:2])
    return merge._replace(left=left, right=right)


def estimated_memory(size: int) -> int:
    """Return an upper bound of the bytes of memory that training takes until no pair is left.

    ``size`` is how many bytes all distinct words have together. Per byte: 4 for its symbol, 1 for
    its text, 0.5 for its weight, at most 12 for places (each byte pair, and two for each merged
    occurrence), 8 for the neighbours of the most frequent pair; a sixth more for borders between
    words, and 150 for each pair that is made (measured: one per seven bytes).
    """
    return _LEAST_MEMORY + 50 * size


def refuse_if_too_large(size: int, words: int) -> None:
    """Raise :class:`BPEError` if words of so many bytes exceed the memory or the 32-bit places."""
    places = size + 2 * words
    if places > _MOST_PLACES:
        raise BPEError(
            "The distinct words of this corpus have {size} million bytes; the compiled learner "
            "takes up to {most} million. Train on a part of the corpus.",
            size=places // 10**6,
            most=_MOST_PLACES // 10**6,
        )
    require_memory(_LEAST_MEMORY + _PLACE_BYTES * size)


class CompiledTraining:
    """The arrays of one training, and the kernels that work on them, a slice of time at a time."""

    def __init__(self, recipe: Recipe, start: Start | None = None) -> None:
        self.recipe = recipe
        self.start = start
        self.first_id = recipe.first_merge_id if start is None else start.first_id
        self.limit = recipe.merge_limit if start is None else start.limit
        self.tie_break = TIE_BREAKS[recipe.tie_break]
        self.shift = 0 if self.tie_break == FIRST_SEEN else _BLOCK_SHIFT
        self.progress = np.zeros(merging.PROGRESS, np.int64)  # then that of each share of a round
        self.progress[merging.NEXT_ID] = self.told = self.first_id
        self.indexed: int | None = 0  # places that were passed over; None while pairs are merged
        self.size = 0  # the number of places, once it is known
        self.starts = [0]  # the place where each thread begins to lay out words, and the last one
        self.byte_pairs: indexing.BytePairs | None = None  # of each thread, until they are indexed
        self.pool = ThreadPoolExecutor(num_threads())  # its threads end with this
        self.corpus: Corpus
        self.vocabulary: Vocabulary
        self.read: tuple[Any, ...]  # these two, for kernels
        self.pairs: Pairs
        self.table: PairTable
        self.tallies: tuple[Any, ...]
        self.shares: list[tuple[Any, ...]]  # of each thread: its tallies and its progress
        self.floor: int  # how often a pair has to occur to be worth a row

    def run(self, words: WordCounts) -> Iterator[None]:
        """Do all the work; yield after each slice of it.

        What has counted the words, and then the words, are given back before more memory is taken.
        """
        is_large = len(words.text) > _WORTH_TRIMMING
        if is_large:
            trim()
        slices = self._lay_out(words)
        del words
        yield from slices
        if is_large:
            trim()
        yield from self._index()
        yield from self._merge()

    def _merge(self) -> Iterator[None]:
        """Merge until no id or no pair is left; yield after each slice of that."""
        pace = Pace(self.pool)
        why = merging.OUT_OF_BUDGET
        while why != merging.DONE:
            rules = self.floor, self.last_id, WORTH_A_THREAD
            tables = *self.read, self.pairs, self.table, *self.tallies
            (why,) = pace.call(merging.merge_best, (*tables, *rules, self.progress))
            if why == merging.TO_BE_SHARED:
                is_walk = self.progress[merging.PASS] == merging.WALK
                if is_walk:
                    self._divide_round()
                sharing = self.shares[: self.progress[merging.SHARES]]
                shares = [(*self.read, self.pairs, *share) for share in sharing]
                kernel: Kernel = merging.walk if is_walk else merging.list_new
                yield from self._in_shares(kernel, shares, pace)
                self.progress[merging.PASS] += 1
                continue
            yield
            if why == merging.PAIR_ROOM_NEEDED:
                yield from self._move_pairs(2 * len(self.pairs.total))
            elif why == merging.OUT_OF_PAIRS:
                if self.floor == self.recipe.min_frequency:
                    return
                self.floor = max(self.recipe.min_frequency, self.floor // _FLOOR_FALLS_BY)
                self.indexed = self.size
                yield from self._index()

    def _divide_round(self) -> None:
        """Divide the places of the pair that is merged next between threads, by their words.

        There are as many threads as have enough to do.
        """
        main = self.progress[: merging.PROGRESS]
        most = len(self.shares)
        threads = max(1, min(most, int(main[merging.END]) // WORTH_A_THREAD))
        main[merging.SHARES] = threads
        start = self.pairs.start[main[merging.ROW]]
        places = self.corpus.places[start : start + main[merging.END]]
        borders = [self.starts[number * most // threads] for number in range(1, threads)]
        inner = np.searchsorted(places, np.array(borders, np.int32))
        cuts = [0, *inner.tolist(), len(places)]
        for (first, last), (*_, progress) in zip(pairwise(cuts), self.shares, strict=False):
            progress[:] = main
            for field in (merging.FIRST, merging.REACHED, merging.STANDING):
                progress[field] = first
            progress[merging.END] = last

    def so_far(self) -> Progress:
        if self.indexed is not None:
            return Progress("indexing", self.indexed, 3 * self.size)
        done = int(self.progress[merging.NEXT_ID]) - self.first_id
        return Progress("merging", done, self.limit)

    def new_merges(self) -> Iterator[Merge]:
        first, last = self.told, int(self.progress[merging.NEXT_ID])
        self.told = last
        if first == last:
            return iter(())
        columns = (
            self.vocabulary.left[first:last].tolist(),
            self.vocabulary.right[first:last].tolist(),
            range(first, last),
            self.vocabulary.total[first:last].tolist(),
        )
        return map(Merge._make, zip(*columns, strict=True))

    def _lay_out(self, words: WordCounts) -> Iterator[None]:
        lengths = np.diff(words.offsets)
        symbols = lengths
        tokens: list[Ids] = []
        if self.start is not None:
            numbers = []
            for ids, of_each in self.start.encoder.encode_words(words):
                tokens.append(ids)
                numbers.append(of_each)
                yield
            symbols = np.concatenate(numbers) if numbers else symbols
        order = np.flatnonzero((symbols > 1) & (words.counts > 0))
        yield
        if self.tie_break != FIRST_SEEN:
            most = 2**16 - 1  # sixteen bits are sorted without comparing; few occur more often
            common = (most - np.minimum(words.counts[order], most)).astype(np.uint16)
            order = order[np.argsort(common, kind="stable")]
            yield
        counts, lengths = words.counts[order], lengths[order]
        yield
        ends = np.cumsum(lengths)
        letters = int(ends[-1]) if len(ends) else 0
        threads = max(1, min(num_threads(), letters // WORTH_A_THREAD))
        self.progress = np.append(self.progress, np.zeros(threads * merging.PROGRESS, np.int64))
        inner = [int(np.searchsorted(ends, letters * n // threads)) for n in range(1, threads)]
        cuts = [0, *inner, len(order)]
        for first, last in pairwise(cuts):
            changes = int(np.count_nonzero(np.diff(counts[first:last])))
            room = int(lengths[first:last].sum()) + last - first + (changes << self.shift) - changes
            self.starts.append(self.starts[-1] + (-(-room >> self.shift) << self.shift))
        self.size = size = self.starts[-1] + 1
        self.corpus = Corpus(
            symbols=np.empty(size, np.int32),
            text=np.empty(size + 8, np.uint8),
            weights=np.empty((size >> self.shift) + 1, np.int64),
            # Room for every byte pair and for two places per merged occurrence. The system only
            # gives memory to the pages that are written.
            places=np.empty(3 * size, np.int32),
            shift=self.shift,
        )
        limit = size if self.limit is None else min(self.limit, size)
        self.last_id = self.first_id + limit
        single = [bytes([byte]) for byte in range(BYTES)]
        known = single if self.start is None else self.start.tokens
        self.vocabulary = _vocabulary(known, self.last_id)
        typical = int(np.dot(counts, lengths)) // max(limit, 1)
        self.floor = max(self.recipe.min_frequency, typical // _FLOOR_DIVISOR)
        del counts, lengths, ends
        self.byte_pairs = indexing.BytePairs(*np.zeros((2, threads, BYTES * BYTES), np.int64))
        counted = words.text, words.offsets, words.counts
        each = zip(
            pairwise(cuts), map(indexing.BytePairs, *self.byte_pairs), self._begin(), strict=True
        )
        shares = [
            (*counted, order[first:last], self.corpus, byte_pairs, progress)
            for (first, last), byte_pairs, progress in each
        ]
        yield from self._over_places(indexing.lay_out, shares)
        for (*_, progress), end in zip(shares, self.starts[1:], strict=True):
            self.corpus.symbols[progress[merging.REACHED] : end] = -1
        self.corpus.symbols[-1] = -1
        if self.start is not None:
            self.byte_pairs = None
            token_offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(symbols)])
            joined = np.concatenate(tokens) if tokens else np.empty(0, np.int32)
            tables = self.corpus, self.vocabulary, joined, token_offsets
            each_end = zip(self.starts[1:], self._begin(), strict=True)
            yield from self._in_shares(indexing.write_tokens, [(*tables, *end) for end in each_end])
        self.indexed = size
        self.read = packed(self.corpus, self.vocabulary)
        self.pairs = _pairs(_LEAST_PAIRS, self.tie_break)

    def _index(self) -> Iterator[None]:
        """Index the pairs of symbols that reach the floor."""
        for field in (merging.PAIR_COUNT, merging.HEAP_SIZE, merging.PLACES_USED):
            self.progress[field] = 0
        byte_pairs, self.byte_pairs = self.byte_pairs, None
        if byte_pairs is not None:
            pairs = np.arange(BYTES * BYTES, dtype=np.int32)
            self.pairs = _pairs(len(pairs), self.tie_break)
            kept = self._keep(pairs >> 8, pairs & 0xFF, *(each.sum(0) for each in byte_pairs))
            of_each = byte_pairs.length[:, kept]
            cursors = np.full(byte_pairs.length.shape, EMPTY)
            cursors[:, kept] = self.pairs.start[: len(kept)] + np.cumsum(of_each, 0) - of_each
            self.indexed = 2 * self.size  # they were counted while words were laid out
        else:
            yield from self._count_pairs()
            counted = slice(int(self.progress[merging.PAIR_COUNT]))
            columns = self.pairs.left, self.pairs.right, self.pairs.total, self.pairs.length
            self._keep(*(column[counted] for column in columns))
        rows = int(self.progress[merging.PAIR_COUNT])
        self._make_tallies(int(self.pairs.length[:rows].max(initial=0)))
        room = _LEAST_PAIRS
        while room < 2 * rows:
            room *= 2
        yield from self._move_pairs(room)
        yield from self._touch_places()
        if byte_pairs is None:
            self.progress[merging.REACHED] = 0
            tables = *self.read, self.pairs, self.table
            yield from self._over_places(indexing.pass_over_pairs, [(*tables, 1, self.progress)])
        else:
            each = zip(cursors, self.starts[1:], self._begin(), strict=True)
            shares = [(self.corpus, *of_thread) for of_thread in each]
            yield from self._over_places(indexing.list_byte_places, shares)
        self.indexed = 3 * self.size
        yield
        self.pairs.bound[:rows] = self.pairs.total[:rows]
        self.pairs.heap[:rows] = np.arange(rows)
        self.progress[merging.WAITING], self.progress[merging.PASS] = rows, merging.CHOOSE
        self.indexed = None

    def _keep(self, *columns: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Make rows of the pairs that reach the floor, and reserve their places; return which."""
        left, right, total, length = columns
        kept = np.flatnonzero(total >= self.floor)
        lengths = length[kept]
        ends = np.cumsum(lengths, dtype=np.int64)
        starts = ends - lengths  # and the cursors of the lists, for now
        rows = left[kept], right[kept], total[kept], starts, lengths, starts
        for column, values in zip(self.pairs, rows, strict=False):
            column[: len(kept)] = values
        self.progress[merging.PAIR_COUNT] = len(kept)
        self.progress[merging.PLACES_USED] = ends[-1] if len(ends) else 0
        return kept

    def _make_tallies(self, occurrences: int) -> None:
        """Make empty tallies for pairs that occur so often at most: of a round, and its shares."""
        keys, progresses = 2 * self.last_id, self.progress.reshape(-1, merging.PROGRESS)
        kinds = np.int64, np.int64, np.int32
        of_keys: list[Any] = [np.zeros(len(progresses) * keys, kind) for kind in kinds]
        of_occurrences = np.empty(2 * occurrences, np.int32)
        self.tallies = packed(Tallies._make([*of_keys, of_occurrences]))
        self.shares = []
        for number, progress in enumerate(progresses[1:], start=1):
            own = [column[number * keys : (number + 1) * keys] for column in of_keys]
            self.shares.append((*packed(Tallies._make([*own, of_occurrences])), progress))

    def _count_pairs(self) -> Iterator[None]:
        """Make a row of each pair; where there is no room for one more, make it and go on."""
        self.table = empty_pair_table(len(self.pairs.total))
        self.progress[merging.REACHED] = 0
        while self.progress[merging.REACHED] < self.size:
            tables = *self.read, self.pairs, self.table
            yield from self._over_places(indexing.pass_over_pairs, [(*tables, 0, self.progress)])
            if self.progress[merging.REACHED] < self.size:
                yield from self._move_pairs(2 * len(self.pairs.total), floor=0)

    def _touch_places(self) -> Iterator[None]:
        """Have the system give memory to the places bit by bit, not all at the first few lists."""
        used = int(self.progress[merging.PLACES_USED])
        for first in range(0, used, _MOST_BUDGET):
            self.corpus.places[first : min(used, first + _MOST_BUDGET) : 1024] = 0  # one a page
            yield

    def _move_pairs(self, room: int, floor: int | None = None) -> Iterator[None]:
        """Give the pairs another room; nothing is there twice for longer than one column."""
        used = int(self.progress[merging.PAIR_COUNT])
        require_memory(_PAIR_BYTES * max(0, room - len(self.pairs.total)))
        self.table = empty_pair_table(0)
        for name in Pairs._fields[:-1]:
            column = getattr(self.pairs, name)
            moved = np.empty(room, column.dtype)
            moved[:used] = column[:used]
            self.pairs = self.pairs._replace(**{name: moved})
            del column, moved
            yield
        self.table = empty_pair_table(room)
        self.progress[merging.ENTERED] = 0
        least = self.floor if floor is None else floor
        entering = self.pairs, least, self.table, self.progress
        yield from self._in_shares(indexing.enter_rows, [entering])

    def _begin(self) -> list[npt.NDArray[np.int64]]:
        """Return the progress of each thread where its words begin."""
        each = self.progress.reshape(-1, merging.PROGRESS)[1:]
        each[:] = 0
        each[:, merging.REACHED] = self.starts[:-1]
        return list(each)

    def _in_shares(
        self, kernel: Kernel, shares: list[tuple[Any, ...]], pace: "Pace | None" = None
    ) -> Iterator[None]:
        """Call a kernel, in a thread for each share, until it has passed over all; yield often."""
        pace = pace or Pace(self.pool)
        reasons = [merging.OUT_OF_BUDGET]
        while merging.OUT_OF_BUDGET in reasons:
            reasons = pace.call(kernel, *shares)
            yield

    def _over_places(self, kernel: Kernel, shares: list[tuple[Any, ...]]) -> Iterator[None]:
        """Do as :meth:`_in_shares` does, and note how far the places were passed over."""
        reached = [progress[merging.REACHED : merging.REACHED + 1] for *_, progress in shares]
        before = (self.indexed or 0) - int(np.sum(reached))
        for _ in self._in_shares(kernel, shares):
            self.indexed = before + int(np.sum(reached))
            yield


class Pace:
    """Calls a kernel with as many places to visit as take some 20 ms."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self.pool = pool
        self.budget = _FIRST_BUDGET

    def call(self, kernel: Kernel, *shares: tuple[Any, ...]) -> list[int]:
        """Call a kernel for each share, in a thread; return why each call came back."""
        began = time.perf_counter()
        first, *others = shares
        called = [self.pool.submit(kernel, *share, self.budget) for share in others]
        reasons = [kernel(*first, self.budget), *(each.result() for each in called)]
        if merging.OUT_OF_BUDGET in reasons:  # otherwise it had places left
            factor = _SLICE_SECONDS / max(time.perf_counter() - began, 1e-6)
            budget = int(self.budget * min(max(factor, 0.25), 4))
            self.budget = min(max(budget, _LEAST_BUDGET), _MOST_BUDGET)
        return reasons


def _vocabulary(tokens: Sequence[bytes], ids: int) -> Vocabulary:
    """Return a vocabulary with room for ``ids`` ids that knows the first ones.

    Where those of several bytes stand in the corpus is found while it is laid out.
    """
    kinds = np.int32, np.int32, np.uint64, np.int32, np.int32, np.int64
    columns: list[Any] = [np.zeros(ids, kind) for kind in kinds]
    vocabulary = Vocabulary(*columns)
    first = len(tokens)
    heads = b"".join(token[:8].ljust(8, b"\0") for token in tokens)
    vocabulary.prefix[:first] = np.frombuffer(heads, ">u8")
    vocabulary.length[:first] = np.fromiter(map(len, tokens), np.int32, first)
    return vocabulary


def _pairs(room: int, tie_break: int) -> Pairs:
    kinds = np.int32, np.int32, np.int64, np.int64, np.int32, np.int64, np.int32
    fields: list[Any] = [*(np.empty(room, kind) for kind in kinds), tie_break]
    return Pairs(*fields)
