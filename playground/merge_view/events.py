"""A training as events: what each merge chose and changed, small enough to send to a browser.

The words are sent once. The browser cuts a word as it stood after any merge by applying the
merges up to there, so an event holds only what cannot be worked out from one word: counts over
the whole corpus.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sized
from dataclasses import dataclass
from heapq import heappush, nlargest
from itertools import accumulate, islice
from typing import Any, Literal, NamedTuple

from bpe.algorithm.basic import TieBreak
from bpe.algorithm.character import initial_vocabulary, learn_incrementally, split_word
from bpe.algorithm.pair_index import Pair, PairIndex
from bpe.training.recipe import BYTES, Recipe

TOP = 10
"""Pairs kept of every round, the most frequent first."""
CHANGED = 24
"""Words kept of those that a merge changes, the most frequent first."""
MOST_MERGES = 2_000
"""Merges recorded; a browser has no use for more at once."""


class Counted(NamedTuple):
    """A pair, how often it stands in the words now, and how often before the last merge."""

    left: int
    right: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    before: int


@dataclass(frozen=True, slots=True)
class Round:
    """The words between two merges: what is counted, and which merge led here.

    ``top`` has the most frequent pairs in the order in which the learner would take them; the
    first one is merged next. ``ties`` is how many pairs are as frequent as the first. ``tokens``
    is how many symbols the corpus has, ``vocabulary_size`` how many the vocabulary.
    ``changed`` and ``removed`` are what the merge before this round did: the words that it
    changed (their indices, the most frequent first) and the symbols that left the vocabulary.
    """

    top: tuple[Counted, ...]
    ties: int
    tokens: int
    vocabulary_size: int
    changed: tuple[int, ...] = ()
    changed_total: int = 0
    removed: tuple[int, ...] = ()


class EventMerge(NamedTuple):
    """The two symbols of a merge, the symbol that it makes, and how often the two met."""

    left: int
    right: int
    new: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here


@dataclass(frozen=True)
class Events:
    """A training to be watched: the words with their counts, and round by round what was done.

    ``rounds`` has one entry more than ``merges``: round ``k`` stands after ``k`` merges. It may be
    empty where only the merges are wanted.
    ``symbols`` gives what each id stands for at the start: bytes, or characters. In ``words``,
    ``end_of_word`` is not written out. ``specials`` are special tokens, which are never merged.
    """

    unit: Literal["bytes", "characters"]
    words: tuple[tuple[str, int], ...]
    symbols: tuple[bytes, ...] | tuple[str, ...]
    merges: tuple[EventMerge, ...]
    rounds: tuple[Round, ...]
    end_of_word: str = ""
    specials: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A name for this value within one run of the app."""
        return f"{hash((self.unit, self.words, self.merges, self.specials)):x}"


def record(
    word_counts: Mapping[bytes, int] | Mapping[str, int],
    recipe: Recipe,
    *,
    most_merges: int = MOST_MERGES,
) -> Events:
    """Train on counted words and keep what happened.

    ``word_counts`` has the UTF-8 of each pre-token for ``"byte-bpe"``, text for
    ``"character-bpe"``; either takes both. 1,000 merges of 100 KB of text take about a second.
    """
    if recipe.algorithm == "character-bpe":
        texts = {
            word if isinstance(word, str) else word.decode(): n for word, n in word_counts.items()
        }
        return _record_characters(texts, recipe, most_merges)
    words = {
        word if isinstance(word, bytes) else word.encode(): n for word, n in word_counts.items()
    }
    spelling = {byte: bytes([byte]) for byte in range(BYTES)}
    index = _Index(words.items(), spelling, recipe.tie_break)
    limit = recipe.merge_limit
    limit = most_merges if limit is None else min(limit, most_merges)
    recorder = _Recorder(index, words, words.values(), recipe.first_merge_id)
    while len(recorder.merges) < limit and recorder.frequency >= recipe.min_frequency:
        recorder.merge(recipe.first_merge_id + len(recorder.merges))
    return Events(
        "bytes",
        tuple((word.decode(), n) for word, n in words.items()),
        tuple(spelling.values()),
        tuple(recorder.merges),
        tuple(recorder.rounds),
        specials=recipe.special_tokens,
    )


def _record_characters(word_counts: Mapping[str, int], recipe: Recipe, most: int) -> Events:
    ids: dict[str, int] = {}
    words = [
        [ids.setdefault(symbol, len(ids)) for symbol in split_word(word, recipe)]
        for word in word_counts
    ]
    symbols = tuple(ids)
    index = _Index(
        zip(words, word_counts.values(), strict=True),
        {number: symbol for symbol, number in ids.items()},
        recipe.tie_break,
    )
    size = len(initial_vocabulary(word_counts, recipe))
    recorder = _Recorder(index, words, word_counts.values(), size)
    for step in islice(learn_incrementally(word_counts, recipe), most):
        new = ids.setdefault(step.new, len(ids))
        removed = tuple(ids[symbol] for symbol in step.removed)
        recorder.merge(new, removed, step.vocabulary_size)
    return Events(
        "characters",
        tuple(word_counts.items()),
        symbols,
        tuple(recorder.merges),
        tuple(recorder.rounds),
        recipe.end_of_word,
        recipe.special_tokens,
    )


class _Index(PairIndex):
    """A pair index that also tells the pairs behind the best one, and what a merge changed."""

    def __init__(
        self, words: Iterable[tuple[Iterable[int], int]], spelling: Mapping[int, Any], tie: TieBreak
    ) -> None:
        self.touched: dict[Pair, int] = {}  # count before the last merge
        super().__init__(words, spelling, tie)
        self.having = Counter(self.counts.values())  # count -> how many pairs have it
        self.touched = {}

    def merge(self, pair: Pair, new: int) -> int:
        self.touched = {pair: self.counts[pair]}
        merged = super().merge(pair, new)
        for changed, before in self.touched.items():
            self.having[before] -= 1
            self.having[self.counts.get(changed, 0)] += 1
        return merged

    def best(self, number: int) -> dict[Pair, int]:
        """Return the best pairs with their counts, in order."""
        best: dict[Pair, int] = {}
        while len(best) < number and (pair := self.pop_best()) is not None:
            best[pair] = self.counts[pair]
        for pair in best:
            heappush(self.heap, self._entry(pair))
        return best

    def _add(self, place: int, pair: Pair) -> Pair:
        self.touched.setdefault(pair, self.counts.get(pair, 0))
        return super()._add(place, pair)

    def _lose(self, pair: Pair, weight: int) -> None:
        self.touched.setdefault(pair, self.counts.get(pair, 0))
        super()._lose(pair, weight)


class _Recorder:
    """Makes the merges of an index one after another and writes down each round."""

    def __init__(
        self,
        index: _Index,
        words: Iterable[Sized],
        word_counts: Iterable[int],
        vocabulary_size: int,
    ) -> None:
        self.index = index
        self.word_counts = list(word_counts)
        lengths = [len(word) for word in words]
        self.starts = [0, *accumulate(lengths)]
        self.tokens = sum(n * size for n, size in zip(self.word_counts, lengths, strict=True))
        self.size = vocabulary_size
        self.merges: list[EventMerge] = []
        self.rounds = [Round(*self._top(), self.tokens, self.size)]

    @property
    def frequency(self) -> int:
        """How often the next pair stands in the words; 0 where there is none."""
        top = self.rounds[-1].top
        return top[0].count if top else 0

    def merge(self, new: int, removed: tuple[int, ...] = (), size: int | None = None) -> None:
        left, right, count, _ = self.rounds[-1].top[0]
        places = self.index.positions[left, right]
        self.tokens -= self.index.merge((left, right), new)
        self.size = self.size + 1 if size is None else size
        self.merges.append(EventMerge(left, right, new, count))
        changed = {
            bisect_right(self.starts, place) - 1
            for place in places
            if self.index.symbols[place] == new
        }
        most = nlargest(CHANGED, sorted(changed), key=self.word_counts.__getitem__)
        self.rounds.append(
            Round(*self._top(), self.tokens, self.size, tuple(most), len(changed), removed)
        )

    def _top(self) -> tuple[tuple[Counted, ...], int]:
        best = self.index.best(TOP)
        before = self.index.touched
        top = tuple(Counted(*pair, n, before.get(pair, n)) for pair, n in best.items())
        return top, self.index.having[top[0].count] if top else 0
