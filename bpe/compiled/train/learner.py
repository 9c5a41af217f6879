"""The compiled byte-level learner: the merges of :mod:`bpe.algorithm.basic`, for corpora of real
size.

The loop itself is in :mod:`bpe.compiled.train.merging`, drawn there. Here is its memory, and the
generator that hands out merges in slices of time.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import BYTES, Merge, Recipe
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
from bpe.limits import available_memory, trim
from bpe.progress import OnProgress, Progress
from bpe.text.readable import IN_ORDER

Ids: TypeAlias = npt.NDArray[np.int32]
Kernel: TypeAlias = Callable[..., Any]

_TIE_BREAKS = {
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
    refuse_if_too_large(words)
    renumbered = recipe.tie_break == "huggingface"
    if renumbered:
        words = in_alphabet(words)
    training = CompiledTraining(recipe, start)
    slices = training.run(words)
    del word_counts, words  # the words are laid out now
    for _ in slices:
        if on_progress is not None:
            on_progress(training.so_far())
        merges = training.new_merges()
        yield from map(_of_bytes, merges) if renumbered else merges


def in_alphabet(words: WordCounts) -> WordCounts:
    """Return words with each byte numbered by its place in GPT-2's alphabet."""
    places = np.argsort(np.array(IN_ORDER, np.uint8)).astype(np.uint8)
    return replace(words, text=places[words.text])


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


def refuse_if_too_large(words: WordCounts) -> None:
    """Raise :class:`BPEError` if the corpus exceeds the memory or the 32-bit places."""
    places = len(words.text) + 2 * len(words)
    if places > _MOST_PLACES:
        raise BPEError(
            "The distinct words of this corpus have {size} million bytes; the compiled learner "
            "takes up to {most} million. Train on a part of the corpus.",
            size=places // 10**6,
            most=_MOST_PLACES // 10**6,
        )
    needed, free = _LEAST_MEMORY + _PLACE_BYTES * len(words.text), available_memory()
    if free is not None and needed > free:
        raise BPEError(
            "Training on this corpus takes {needed} MB of memory or more, and {free} MB are free. "
            "Train on a part of the corpus.",
            needed=needed // 10**6,
            free=free // 10**6,
        )


class CompiledTraining:
    """The arrays of one training, and the kernels that work on them, a slice of time at a time."""

    def __init__(self, recipe: Recipe, start: Start | None = None) -> None:
        self.recipe = recipe
        self.start = start
        self.first_id = recipe.first_merge_id if start is None else start.first_id
        self.limit = recipe.merge_limit if start is None else start.limit
        self.tie_break = _TIE_BREAKS[recipe.tie_break]
        self.shift = 0 if self.tie_break == FIRST_SEEN else _BLOCK_SHIFT
        self.progress = np.zeros(merging.PROGRESS, np.int64)
        self.progress[merging.NEXT_ID] = self.told = self.first_id
        self.indexed: int | None = 0  # places that were passed over; None while pairs are merged
        self.size = 0  # the number of places, once it is known
        self.byte_pairs: indexing.BytePairs | None = None  # until they are indexed
        self.corpus: Corpus
        self.vocabulary: Vocabulary
        self.pairs: Pairs
        self.table: PairTable
        self.tallies: Tallies
        self.floor: int  # how often a pair has to occur to be worth a row

    def run(self, words: WordCounts) -> Iterator[None]:
        """Do all the work; yield after each slice of it."""
        slices = self.prepare(words)
        del words
        yield from slices
        yield from self.merge_up_to(self.last_id)

    def prepare(self, words: WordCounts) -> Iterator[None]:
        """Lay the words out and index their pairs; yield after each slice of that.

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

    def merge_up_to(self, last_id: int) -> Iterator[None]:
        """Merge until ``last_id`` is next, or no pair is left; yield after each slice of that."""
        pace = _Pace(self.progress)
        why = merging.OUT_OF_BUDGET
        while why != merging.DONE:
            why = pace.call(
                merging.merge_best,
                self.corpus,
                self.shift,
                self.vocabulary,
                self.pairs,
                self.table,
                self.tallies,
                self.tie_break,
                self.floor,
                last_id,
                int(self.recipe.whole_characters),
            )
            yield
            if why == merging.PAIR_ROOM_NEEDED:
                yield from self._move_pairs(2 * len(self.pairs.total))
            elif why == merging.OUT_OF_PAIRS:
                if self.floor == self.recipe.min_frequency:
                    return
                self.floor = max(self.recipe.min_frequency, self.floor // _FLOOR_FALLS_BY)
                self.indexed = self.size
                yield from self._index()

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
            order = _by_falling_count(order, words.counts)
            yield
        counts, lengths = words.counts[order], lengths[order]
        yield
        gaps = int(np.count_nonzero(np.diff(counts))) * ((1 << self.shift) - 1)
        self.size = size = int(lengths.sum()) + len(order) + gaps + 1
        self.corpus = Corpus(
            symbols=np.empty(size, np.int32),
            text=np.empty(size + 8, np.uint8),
            weights=np.empty((size >> self.shift) + 1, np.int64),
            # Room for every byte pair and for two places per merged occurrence. The system only
            # gives memory to the pages that are written.
            places=np.empty(3 * size, np.int32),
        )
        limit = size if self.limit is None else min(self.limit, size)
        self.last_id = self.first_id + limit
        if self.start is None:
            self.vocabulary = _byte_vocabulary(self.last_id)
        else:
            self.vocabulary = _vocabulary_of(self.start.tokens, self.last_id)
        typical = int(np.dot(counts, lengths)) // max(limit, 1)
        self.floor = max(self.recipe.min_frequency, typical // _FLOOR_DIVISOR)
        del counts, lengths
        laid_out = (words.text, words.offsets, words.counts, order, self.shift, self.corpus)
        if self.start is None:
            totals, occurrences = np.zeros((2, BYTES * BYTES), np.int64)
            self.byte_pairs = indexing.BytePairs(totals, occurrences)
            yield from self._pass(indexing.lay_out, *laid_out, self.byte_pairs, over_places=True)
        else:
            yield from self._pass(
                indexing.lay_out_tokens,
                *laid_out,
                np.concatenate(tokens) if tokens else np.empty(0, np.int32),
                np.concatenate([np.zeros(1, np.int64), np.cumsum(symbols)]),
                self.vocabulary,
                over_places=True,
            )
        self.corpus.symbols[self.progress[merging.AT] :] = -1
        self.indexed = size
        self.pairs = _pairs(_LEAST_PAIRS)

    def _index(self) -> Iterator[None]:
        """Index the pairs of symbols that reach the floor."""
        for field in (merging.PAIR_COUNT, merging.HEAP_SIZE, merging.PLACES_USED):
            self.progress[field] = 0
        listed: tuple[Any, ...]
        if self.byte_pairs is not None:
            listed = indexing.list_byte_places, self.corpus, self._take_byte_pairs(self.byte_pairs)
            self.byte_pairs = None
        else:
            yield from self._count_pairs()
            counted = int(self.progress[merging.PAIR_COUNT])
            self.progress[merging.PAIR_COUNT] = 0
            yield from self._pass(indexing.keep_frequent, self.pairs, counted, self.floor)
            listed = ()
        rows = int(self.progress[merging.PAIR_COUNT])
        most = int(self.pairs.length[:rows].max(initial=0))
        self.tallies = _tallies(self.last_id, most)
        room = _LEAST_PAIRS
        while room < 2 * rows:
            room *= 2
        yield from self._move_pairs(room)
        yield from self._touch_places()
        if not listed:
            listed = indexing.list_places, self.corpus, self.vocabulary, self.pairs, self.table
        yield from self._pass(*listed, over_places=True)
        yield from self._pass(
            indexing.push_pairs, self.corpus, self.vocabulary, self.pairs, self.tie_break
        )
        self.indexed = None

    def _take_byte_pairs(self, found: indexing.BytePairs) -> npt.NDArray[np.int64]:
        """Make rows of the pairs of bytes that reach the floor; return where each list begins."""
        kept = np.flatnonzero(found.total >= self.floor)
        ends = np.cumsum(found.length[kept])
        self.pairs = _pairs(max(len(kept), _LEAST_PAIRS))
        cursors = np.full(len(found.total), EMPTY)
        cursors[kept] = ends - found.length[kept]
        columns = kept >> 8, kept & 0xFF, found.total[kept], cursors[kept], found.length[kept]
        for name, values in zip(Pairs._fields, columns, strict=False):
            getattr(self.pairs, name)[: len(kept)] = values
        self.progress[merging.PAIR_COUNT] = len(kept)
        self.progress[merging.PLACES_USED] = ends[-1] if len(ends) else 0
        self.indexed = 2 * self.size  # they were counted while words were laid out
        return cursors

    def _count_pairs(self) -> Iterator[None]:
        """Make a row of each pair; where there is no room for one more, make it and go on."""
        self.table = empty_pair_table(len(self.pairs.total))
        before = self.indexed or 0
        pace = _Pace(self.progress)
        at = 0
        why = merging.OUT_OF_BUDGET
        while why != merging.DONE:
            self.progress[merging.AT] = at
            why = pace.call(
                indexing.count_pairs,
                self.corpus,
                self.shift,
                self.vocabulary,
                self.pairs,
                self.table,
            )
            at = int(self.progress[merging.AT])
            self.indexed = before + at
            yield
            if why == merging.PAIR_ROOM_NEEDED:
                yield from self._move_pairs(2 * len(self.pairs.total), floor=0)

    def _touch_places(self) -> Iterator[None]:
        """Have the system give memory to the places bit by bit, not all at the first few lists."""
        used = int(self.progress[merging.PLACES_USED])
        for at in range(0, used, _MOST_BUDGET):
            self.corpus.places[at : min(used, at + _MOST_BUDGET) : 1024] = 0  # one in each page
            yield

    def _move_pairs(self, room: int, floor: int | None = None) -> Iterator[None]:
        """Give the pairs another room; nothing is there twice for longer than one column."""
        used = int(self.progress[merging.PAIR_COUNT])
        self._refuse_if_too_many(room - len(self.pairs.total))
        self.table = empty_pair_table(0)
        for name in Pairs._fields:
            column = getattr(self.pairs, name)
            moved = np.empty(room, column.dtype)
            moved[:used] = column[:used]
            self.pairs = self.pairs._replace(**{name: moved})
            del column, moved
            yield
        self.table = empty_pair_table(room)
        least = self.floor if floor is None else floor
        yield from self._pass(indexing.refill_table, self.pairs, least, self.table)

    def _refuse_if_too_many(self, pairs: int) -> None:
        needed, free = _PAIR_BYTES * pairs, available_memory()
        if free is not None and needed > free:
            raise BPEError(
                "After {merges} merges, going on takes {needed} MB of memory, and {free} MB are "
                "free. Train on a part of the corpus, or with fewer merges.",
                merges=int(self.progress[merging.NEXT_ID]) - self.first_id,
                needed=needed // 10**6,
                free=free // 10**6,
            )

    def _pass(self, kernel: Kernel, *arguments: Any, over_places: bool = False) -> Iterator[None]:
        """Call a kernel until it has passed over everything."""
        before = self.indexed or 0
        self.progress[merging.AT] = 0
        pace = _Pace(self.progress)
        why = merging.OUT_OF_BUDGET
        while why == merging.OUT_OF_BUDGET:
            why = pace.call(kernel, *arguments)
            if over_places:
                self.indexed = before + int(self.progress[merging.AT])
            yield


class _Pace:
    """Calls a kernel with as many places to visit as take some 20 ms."""

    def __init__(self, progress: npt.NDArray[np.int64]) -> None:
        self.progress = progress
        self.budget = _FIRST_BUDGET

    def call(self, kernel: Kernel, *arguments: Any) -> int:
        """Return why the kernel came back."""
        began = time.perf_counter()
        why = int(kernel(*arguments, self.progress, self.budget))
        if why == merging.OUT_OF_BUDGET:  # otherwise it had places left
            factor = _SLICE_SECONDS / max(time.perf_counter() - began, 1e-6)
            budget = int(self.budget * min(max(factor, 0.25), 4))
            self.budget = min(max(budget, _LEAST_BUDGET), _MOST_BUDGET)
        return why


def _by_falling_count(
    order: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    most = 2**16 - 1  # sixteen bits are sorted without comparing
    common = counts[order]
    order = order[np.argsort((most - np.minimum(common, most)).astype(np.uint16), kind="stable")]
    frequent = order[: np.count_nonzero(common >= most)]
    frequent[:] = frequent[np.argsort(-counts[frequent], kind="stable")]
    return order


def _tallies(ids: int, occurrences: int) -> Tallies:
    """Return empty tallies for pairs of so many ids that occur so often at most."""
    return Tallies(
        weight_before=np.zeros(ids, np.int64),
        weight_behind=np.zeros(ids, np.int64),
        cursor_before=np.zeros(ids, np.int64),
        cursor_behind=np.zeros(ids, np.int64),
        distinct_before=np.empty(ids, np.int32),
        distinct_behind=np.empty(ids, np.int32),
        before=np.empty(occurrences, np.int32),
        behind=np.empty(occurrences, np.int32),
    )


def _byte_vocabulary(ids: int) -> Vocabulary:
    vocabulary = Vocabulary(
        start=np.zeros(ids, np.int32),
        length=np.ones(ids, np.int32),
        prefix=np.zeros(ids, np.uint64),
        left=np.zeros(ids, np.int32),
        right=np.zeros(ids, np.int32),
        total=np.zeros(ids, np.int64),
    )
    vocabulary.prefix[:BYTES] = np.arange(BYTES, dtype=np.uint64) << np.uint64(56)
    return vocabulary


def _vocabulary_of(tokens: Sequence[bytes], ids: int) -> Vocabulary:
    """Return a vocabulary with room for ``ids`` ids that knows the first ones.

    Where they stand in the corpus is found while it is laid out.
    """
    vocabulary = _byte_vocabulary(ids)
    first = len(tokens)
    heads = b"".join(token[:8].ljust(8, b"\0") for token in tokens)
    vocabulary.prefix[:BYTES] = 0
    vocabulary.prefix[:first] = np.frombuffer(heads, ">u8")
    vocabulary.length[:first] = np.fromiter(map(len, tokens), np.int32, first)
    return vocabulary


def _pairs(room: int) -> Pairs:
    return Pairs(
        left=np.empty(room, np.int32),
        right=np.empty(room, np.int32),
        total=np.empty(room, np.int64),
        start=np.empty(room, np.int64),
        length=np.empty(room, np.int32),
        bound=np.empty(room, np.int64),
        heap=np.empty(room, np.int32),
    )
