"""A training as events: what each merge chose and changed, small enough to send to a browser.

The words are sent once. The browser cuts a word as it stood after any merge by applying the
merges up to there, so an event holds only what cannot be worked out from one word: counts over
the whole corpus.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, nlargest
from itertools import accumulate, islice
from typing import Literal, NamedTuple

from bpe.algorithm import character, incremental
from bpe.algorithm.pair_index import Pair
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.teaching.tables import ChangesIndex

TOP = 10
"""Pairs stored of every round, the most frequent first."""
CHANGED = 24
"""Words stored of those that a merge changes, the most frequent first."""
MOST_MERGES = 2_000
"""Merges recorded; a browser has no use for more at once."""


class Counted(NamedTuple):
    """A pair, how often it stands in the words now, and how often before the last merge."""

    left: int
    right: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not needed here
    before: int


class Round(NamedTuple):
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


@dataclass(frozen=True)
class Events:
    """A training to be watched: the words with their counts, and each round.

    ``rounds`` has one entry more than ``merges``: round ``k`` stands after ``k`` merges. It may be
    empty where only the merges are wanted.
    ``symbols`` gives what each id stands for at the start: bytes, or characters. In ``words``,
    ``end_of_word`` is not written out. ``specials`` are special tokens, which are never merged.
    """

    unit: Literal["bytes", "characters"]
    words: tuple[tuple[str, int], ...]
    symbols: tuple[bytes, ...] | tuple[str, ...]
    merges: tuple[Merge, ...]
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
    if recipe.kind.unit == "characters":
        texts = {
            word if isinstance(word, str) else word.decode(): n for word, n in word_counts.items()
        }
        return _record_characters(texts, recipe, most_merges)
    words = {
        word if isinstance(word, bytes) else word.encode(): n for word, n in word_counts.items()
    }
    spelling = {byte: bytes([byte]) for byte in range(BYTES)}
    index = _Index(words.items(), spelling, recipe.tie_break)
    recorder = _Recorder(index, [(len(word), n) for word, n in words.items()])
    recorder.start(recipe.first_merge_id)
    for merge in islice(incremental.learn_from(index, recipe), most_merges):
        recorder.note(merge, merge.new_id + 1)
    return Events(
        "bytes",
        tuple((word.decode(), n) for word, n in words.items()),
        tuple(spelling.values()),
        tuple(recorder.merges),
        tuple(recorder.rounds),
        specials=recipe.special_tokens,
    )


def _record_characters(word_counts: Mapping[str, int], recipe: Recipe, most: int) -> Events:
    words, spelling = character.numbered(word_counts, recipe)
    initial = character.initial_vocabulary(word_counts, recipe)
    index = _Index(words, spelling, recipe.tie_break)
    recorder = _Recorder(index, [(len(symbols), n) for symbols, n in words])
    recorder.start(len(initial))
    for step in islice(character.learn_from(index, initial, recipe), most):
        left, right = index.pair
        removed = tuple(left if symbol == step.left else right for symbol in step.removed)
        merge = Merge(left, right, index.new, step.count)
        recorder.note(merge, step.vocabulary_size, removed)
    return Events(
        "characters",
        tuple(word_counts.items()),
        tuple(spelling.values()),
        tuple(recorder.merges),
        tuple(recorder.rounds),
        recipe.end_of_word,
        recipe.special_tokens,
    )


class _Index(ChangesIndex):
    """An index that also tells its last merge, and the pairs behind the best one."""

    pair: Pair
    new: int

    def merge(self, pair: Pair, new: int) -> int:
        self.pair, self.new = pair, new
        return super().merge(pair, new)

    def best(self, number: int) -> dict[Pair, int]:
        """Return the best pairs with their counts, in order."""
        best: dict[Pair, int] = {}
        while len(best) < number and (pair := self.pop_best()) is not None:
            best[pair] = self.counts[pair]
        for pair in best:
            heappush(self.heap, self._entry(pair))
        return best


class _Recorder:
    """Writes down each round of an index; ``words`` are lengths with numbers of occurrences."""

    def __init__(self, index: _Index, words: Sequence[tuple[int, int]]) -> None:
        self.index = index
        self.word_counts = [count for _, count in words]
        self.starts = [0, *accumulate(length for length, _ in words)]
        self.tokens = sum(length * count for length, count in words)
        self.merges: list[Merge] = []
        self.rounds: list[Round] = []

    def start(self, vocabulary_size: int) -> None:
        """Write down the round before the first merge."""
        self.rounds.append(Round(*self._top(), self.tokens, vocabulary_size))

    def note(self, merge: Merge, vocabulary_size: int, removed: tuple[int, ...] = ()) -> None:
        """Write down the merge that the index has made last, and the round behind it."""
        self.merges.append(merge)
        self.tokens -= self.index.merged
        changed = {bisect_right(self.starts, place) - 1 for place in self.index.places}
        most = nlargest(CHANGED, sorted(changed), key=self.word_counts.__getitem__)
        top, ties = self._top()
        self.rounds.append(
            Round(top, ties, self.tokens, vocabulary_size, tuple(most), len(changed), removed)
        )

    def _top(self) -> tuple[tuple[Counted, ...], int]:
        best = self.index.best(TOP)
        before = {(change.left, change.right): change.before for change in self.index.changes}
        top = tuple(Counted(*pair, n, before.get(pair, n)) for pair, n in best.items())
        return top, len(self.index.by_count[top[0].count]) if top else 0
