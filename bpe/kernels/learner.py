"""The compiled byte-level learner: the merges of :mod:`bpe.naive`, for corpora of real size.

The loop itself is in :mod:`bpe.kernels.merging`, drawn there. Here is its memory, and the
generator that hands out merges in slices of time.
"""

import sys
import time
from collections.abc import Iterator, Mapping

import numpy as np

from bpe.errors import BPEError
from bpe.kernels import merging
from bpe.kernels.merging import Tallies
from bpe.kernels.pair_heap import FIRST_SEEN, LEXICOGRAPHIC, SMALLEST_IDS, Corpus, Pairs, Vocabulary
from bpe.kernels.pair_table import empty_pair_table
from bpe.kernels.word_counts import WordCounts
from bpe.recipe import BYTES, Merge, Recipe

_TIE_BREAKS = {
    "lexicographic": LEXICOGRAPHIC,
    "first-seen": FIRST_SEEN,
    "smallest-ids": SMALLEST_IDS,
}
_SLICE_SECONDS = 0.02  # a slice aims at this; one round of a huge corpus may take longer
_BLOCK_SHIFT = 4  # 16 places share a weight
_MOST_PLACES = 2**31 - 1  # a place is a 32-bit number


def learn(word_counts: Mapping[bytes, int], recipe: Recipe) -> Iterator[Merge]:
    """Yield the merges of :func:`bpe.naive.learn`, some 20 ms of them at a time.

    The GIL is free while a slice is computed. A corpus that would not fit into memory raises
    :class:`BPEError` before any work is done.
    """
    words = WordCounts.of(word_counts)
    refuse_if_too_large(words)
    training = _Training(words, recipe)
    budget = 100_000
    while training.may_go_on:
        began = time.perf_counter()
        first, last = training.merge_some(budget)
        seconds = time.perf_counter() - began
        budget = int(np.clip(budget * _SLICE_SECONDS / max(seconds, 1e-6), budget / 4, budget * 4))
        budget = max(budget, 10_000)
        yield from training.merges(first, last)


def estimated_memory(size: "WordCounts | Mapping[bytes, int] | int") -> int:
    """Return an upper bound of the bytes of memory that training takes.

    ``size`` is the word counts, or the number of bytes that all distinct words have together. Per
    byte of distinct words: 4 for its symbol, 1 for its text, 0.5 for its weight, at most 12 for
    places (each byte pair, and two for each merged occurrence), 8 for the neighbours of the most
    frequent pair; a sixth more for borders between words, and 150 for each pair that is born
    (measured: one per seven bytes).
    """
    if isinstance(size, Mapping):
        size = len(WordCounts.of(size).text)
    return 32_000_000 + 50 * size


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
    needed, free = estimated_memory(words), available_memory()
    if free is not None and needed > free:
        raise BPEError(
            "Training on this corpus may take {needed} MB of memory, and {free} MB are free. Train "
            "on a part of the corpus.",
            needed=needed // 10**6,
            free=free // 10**6,
        )


def available_memory() -> int | None:
    """Return how many bytes of memory this process could still get, or ``None`` if unknown."""
    free = None
    if sys.platform == "linux":
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    free = int(line.split()[1]) * 1024
    return free


class _Training:
    """The arrays of one training, and the kernels that work on them."""

    def __init__(self, words: WordCounts, recipe: Recipe) -> None:
        self.tie_break = _TIE_BREAKS[recipe.tie_break]
        self.min_frequency = recipe.min_frequency
        self.shift = 0 if self.tie_break == FIRST_SEEN else _BLOCK_SHIFT
        self.corpus = self._lay_out(words)
        places = len(self.corpus.symbols)
        limit = places if recipe.merge_limit is None else min(recipe.merge_limit, places)
        self.last_id = recipe.first_merge_id + limit
        self.vocabulary = _byte_vocabulary(self.last_id)
        self.progress = np.zeros(merging.PROGRESS, np.int64)
        self.progress[merging.NEXT_ID] = recipe.first_merge_id
        self.may_go_on = limit > 0
        self._index()

    def _lay_out(self, words: WordCounts) -> Corpus:
        lengths = np.diff(words.offsets)
        order = np.flatnonzero((lengths > 1) & (words.counts > 0))
        if self.tie_break != FIRST_SEEN:
            order = order[np.argsort(-words.counts[order], kind="stable")]
        size = merging.measure_layout(lengths, words.counts, order, self.shift)
        corpus = Corpus(
            symbols=np.empty(size, np.int32),
            text=np.zeros(size + 8, np.uint8),
            weights=np.zeros((size >> self.shift) + 1, np.int64),
            # Room for every byte pair and for two places per merged occurrence. The system only
            # gives memory to the pages that are written.
            places=np.empty(3 * size, np.int32),
        )
        merging.lay_out(words.text, words.offsets, words.counts, order, self.shift, corpus)
        return corpus

    def _index(self) -> None:
        weights = np.zeros(BYTES * BYTES, np.int64)
        occurrences = np.zeros(BYTES * BYTES, np.int64)
        merging.count_byte_pairs(self.corpus, self.shift, weights, occurrences)
        most = int(occurrences.max())
        ids = self.last_id
        self.tallies = Tallies(
            weight_before=np.zeros(ids, np.int64),
            weight_behind=np.zeros(ids, np.int64),
            cursor_before=np.zeros(ids, np.int64),
            cursor_behind=np.zeros(ids, np.int64),
            distinct_before=np.empty(ids, np.int32),
            distinct_behind=np.empty(ids, np.int32),
            before=np.empty(most, np.int32),
            behind=np.empty(most, np.int32),
        )
        room = 3072  # three times a power of two fills the table of pairs to three quarters
        while room < 2 * np.count_nonzero(occurrences):
            room *= 2
        self.pairs = _pairs(room)
        self._renew_table(0)
        merging.index_byte_pairs(
            self.corpus,
            self.shift,
            self.vocabulary,
            self.pairs,
            self.table,
            self.tie_break,
            self.min_frequency,
            weights,
            occurrences,
            self.progress,
        )

    def _renew_table(self, pair_count: int) -> None:
        self.table = empty_pair_table(len(self.pairs.total))
        merging.refill_table(self.pairs, pair_count, self.min_frequency, self.table)

    def merge_some(self, budget: int) -> tuple[int, int]:
        """Merge until ``budget`` places were visited; return the range of new ids."""
        first = int(self.progress[merging.NEXT_ID])
        why = merging.merge_best(
            self.corpus,
            self.shift,
            self.vocabulary,
            self.pairs,
            self.table,
            self.tallies,
            self.tie_break,
            self.min_frequency,
            self.last_id,
            budget,
            self.progress,
        )
        last = int(self.progress[merging.NEXT_ID])
        if why == merging.PAIR_ROOM_NEEDED:
            self._make_pair_room()
        elif why == merging.OUT_OF_PAIRS or last >= self.last_id:
            self.may_go_on = False
        return first, last

    def _make_pair_room(self) -> None:
        """Double the room for pairs; nothing is there twice for longer than one column."""
        used = int(self.progress[merging.PAIR_COUNT])
        self.table = empty_pair_table(0)
        for name in Pairs._fields:
            column = getattr(self.pairs, name)
            grown = np.empty(2 * len(column), column.dtype)
            grown[:used] = column[:used]
            self.pairs = self.pairs._replace(**{name: grown})
        self._renew_table(used)

    def merges(self, first: int, last: int) -> Iterator[Merge]:
        """Yield the merges of a range of ids."""
        columns = (
            self.vocabulary.left[first:last].tolist(),
            self.vocabulary.right[first:last].tolist(),
            range(first, last),
            self.vocabulary.total[first:last].tolist(),
        )
        return map(Merge._make, zip(*columns, strict=True))


def _byte_vocabulary(ids: int) -> Vocabulary:
    """Return a vocabulary with room for ``ids`` ids that knows the bytes."""
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
