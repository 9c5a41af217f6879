"""What each merge changes, seen from the incremental learner, and how much work it is."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bpe.algorithm import incremental
from bpe.algorithm.basic import TieBreak
from bpe.algorithm.pair_index import END, Pair, WatchedIndex
from bpe.algorithm.recipe import BYTES, Recipe


class Change(NamedTuple):
    """How often a pair occurred before a merge and after it."""

    left: int
    right: int
    before: int
    after: int


class ChangesIndex(WatchedIndex):
    """An index that knows which pairs are equally frequent, and what its last merge changed."""

    changes: tuple[Change, ...] = ()
    places: tuple[int, ...] = ()
    """Where the last merge took place; the symbol there is the one that it made."""
    merged: int = 0
    """How often it took place in the corpus."""

    def __init__(
        self, words: Iterable[tuple[Iterable[int], int]], meaning: Mapping[int, Any], tie: TieBreak
    ) -> None:
        super().__init__(words, meaning, tie)
        self.before = dict(self.counts)
        self.by_count: dict[int, set[Pair]] = {}
        for pair, count in self.counts.items():
            self.by_count.setdefault(count, set()).add(pair)

    def merge(self, pair: Pair, new: int) -> int:
        listed = sorted(self.positions[pair])
        listed = [place for place in listed if self.symbols[place] == pair[0]]
        self.merged = super().merge(pair, new)
        self.places = tuple(place for place in listed if self.symbols[place] == new)
        self.changes = tuple(self._changes())
        return self.merged

    def _changes(self) -> Iterator[Change]:
        for pair in self.touched or ():
            old, now = self.before.get(pair, 0), self.counts.get(pair, 0)
            if old == now:
                continue
            yield Change(*pair, old, now)
            self.before[pair] = now
            if old:
                self.by_count[old].discard(pair)
            if now:
                self.by_count.setdefault(now, set()).add(pair)


class Work(NamedTuple):
    """How many neighbours a merge has to look at; neither number depends on the machine."""

    recounted: int
    """By the definition, which counts all of them before each merge."""
    visited: int
    """By the incremental learner."""


class _WorkIndex(ChangesIndex):
    neighbours: int | None = None
    work: Work

    def merge(self, pair: Pair, new: int) -> int:
        if self.neighbours is None:
            self.neighbours = sum(following != END for following in self.next_place)
        visited = len(self.positions[pair])
        merged = super().merge(pair, new)
        self.work = Work(self.neighbours, visited + self.added)
        self.neighbours -= len(self.places)
        return merged


def work(word_counts: Mapping[bytes, int], recipe: Recipe) -> list[Work]:
    """Return the work of each merge of a byte-level training."""
    meaning = {byte: bytes([byte]) for byte in range(BYTES)}
    index = _WorkIndex(word_counts.items(), meaning, recipe.tie_break)
    return [index.work for _ in incremental.learn_from(index, recipe)]
