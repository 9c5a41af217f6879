"""The incremental learner at work: its tables before and after each merge, what each merge changes.

The tables are the state of :class:`bpe.algorithm.pair_index.PairIndex` itself, which is drawn
there, for a text of a few lines. It is laid out in bytes as it is read, each occurrence of a word
on its own. The bytes of special tokens take places too, but are in no pair.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappush
from types import MappingProxyType
from typing import Any, NamedTuple

from bpe.algorithm.basic import TieBreak
from bpe.algorithm.incremental import learn_from
from bpe.algorithm.pair_index import DEAD, END, Pair, PairIndex, WatchedIndex
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.text.pretokenize import normaliser, split
from bpe.text.readable import readable
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text

Place = tuple[int | None, int | None, int | None]
"""A place of the text: its symbol, ``None`` once it was merged into its left, and the places before
and after it in its word."""


class HeapEntry(NamedTuple):
    """An entry of the heap for a pair; stale where the pair has changed since it was pushed."""

    left: int
    right: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not needed here
    stale: bool


@dataclass(frozen=True)
class Changes:
    """The cells of the tables that a merge changed."""

    symbols: tuple[int, ...] = ()
    """Places whose symbol is another, or is gone."""
    previous: tuple[int, ...] = ()
    next: tuple[int, ...] = ()
    positions: tuple[Pair, ...] = ()
    counts: tuple[Pair, ...] = ()
    popped: tuple[tuple[int, int, int], ...] = ()
    """Left, right and count of entries that left the heap."""
    pushed: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class TableStep:
    """The tables after a merge and what it changed; before the first, there is no merge.

    Pairs stand in the order in which they came.
    """

    merge: Merge | None
    spelling: tuple[str, ...]
    """Of each symbol, as a reader sees it."""
    places: tuple[Place, ...]
    positions: tuple[tuple[int, int, tuple[int, ...]], ...]
    """Left, right, and each place where the pair has ever stood: these lists only grow."""
    counts: tuple[tuple[int, int, int], ...]
    """Left, right, number of times; 0 where the pair no longer occurs."""
    heap: tuple[HeapEntry, ...]
    """In the order in which the entries would be popped."""
    changes: Changes = Changes()


def tables(text: str, recipe: Recipe) -> Iterator[TableStep]:
    """Yield the tables of ``text`` before the first merge, and then after each.

    >>> before, after, *_ = tables("Hello helo, I'm", Recipe(pattern="none"))
    >>> after.merge
    Merge(left=108, right=111, new_id=256, count=2)
    >>> before.counts[1:5]
    ((101, 108, 2), (108, 108, 1), (108, 111, 2), (111, 32, 1))
    >>> after.changes.symbols
    (3, 4, 8, 9)
    """
    words: list[bytes] = []
    normalise = normaliser(recipe.normalisation)
    for part, special in split_specials(scalar_text(text), recipe.special_tokens):
        if special:  # each byte a word of its own, so that it has no neighbour
            words += (bytes([byte]) for byte in part.encode())
        else:
            words += map(str.encode, split(normalise(part), recipe.pattern))
    spelling = {byte: bytes([byte]) for byte in range(BYTES)}
    spelling |= {BYTES + n: token.encode() for n, token in enumerate(recipe.special_tokens)}
    index = PairIndex([(word, 1) for word in words], spelling, recipe.tie_break)
    step = _step(None, index)
    yield step
    for merge in learn_from(index, recipe):
        before, step = step, _step(merge, index)
        yield replace(step, changes=_changes(before, step))


def _step(merge: Merge | None, index: PairIndex) -> TableStep:
    columns = (index.symbols, index.previous_place, index.next_place)
    assert DEAD == END
    listed = ([None if number == END else number for number in column] for column in columns)
    return TableStep(
        merge,
        spelling=tuple(readable(index.spelling[symbol]) for symbol in range(len(index.spelling))),
        places=tuple(zip(*listed, strict=True)),
        positions=tuple((*pair, tuple(places)) for pair, places in index.positions.items()),
        counts=tuple((*pair, count) for pair, count in index.counts.items()),
        heap=tuple(
            HeapEntry(entry[-1][0], entry[-1][1], -entry[0], not index.is_fresh(entry))
            for entry in sorted(index.heap)
        ),
    )


def _changes(before: TableStep, after: TableStep) -> Changes:
    def places(field: int) -> tuple[int, ...]:
        pairs = enumerate(zip(before.places, after.places, strict=True))
        return tuple(n for n, (old, new) in pairs if old[field] != new[field])

    def rows(
        old: tuple[tuple[Any, ...], ...], new: tuple[tuple[Any, ...], ...]
    ) -> tuple[Pair, ...]:
        past, now = ({row[:2]: row[2] for row in table} for table in (old, new))
        return tuple(pair for pair in {**past, **now} if past.get(pair) != now.get(pair))

    old_heap, new_heap = (Counter(entry[:3] for entry in state.heap) for state in (before, after))
    return Changes(
        symbols=places(0),
        previous=places(1),
        next=places(2),
        positions=rows(before.positions, after.positions),
        counts=rows(before.counts, after.counts),
        popped=tuple((old_heap - new_heap).elements()),
        pushed=tuple((new_heap - old_heap).elements()),
    )


class ChangesIndex(WatchedIndex):
    """An index that tells its last merge, and the best pairs with those as frequent as they are."""

    pair: Pair
    """The pair merged last."""
    new: int
    """The symbol that it became."""
    former: Mapping[Pair, int] = MappingProxyType({})
    """How often the pairs occurred before that which then occurred more or less often."""
    places: tuple[int, ...] = ()
    """Where the last merge took place; the symbol there is the one that it made."""
    merged: int = 0
    """How often it took place in the corpus."""

    def __init__(
        self, words: Iterable[tuple[Iterable[int], int]], meaning: Mapping[int, Any], tie: TieBreak
    ) -> None:
        super().__init__(words, meaning, tie)
        self._known = dict(self.counts)
        self.by_count: dict[int, set[Pair]] = {}
        for pair, count in self.counts.items():
            self.by_count.setdefault(count, set()).add(pair)

    def merge(self, pair: Pair, new: int) -> int:
        self.pair, self.new = pair, new
        listed = sorted(self.positions[pair])
        listed = [place for place in listed if self.symbols[place] == pair[0]]
        self.merged = super().merge(pair, new)
        self.places = tuple(place for place in listed if self.symbols[place] == new)
        former = {each: self._known.get(each, 0) for each in self.touched or ()}
        self.former = {each: old for each, old in former.items() if old != self.counts.get(each, 0)}
        for each, old in self.former.items():
            self._known[each] = now = self.counts.get(each, 0)
            if old:
                self.by_count[old].discard(each)
            if now:
                self.by_count.setdefault(now, set()).add(each)
        return self.merged

    def best(self, number: int) -> dict[Pair, int]:
        """Return the best pairs with their counts, in order."""
        best: dict[Pair, int] = {}
        while len(best) < number and (pair := self.pop_best()) is not None:
            best[pair] = self.counts[pair]
        for pair in best:
            heappush(self.heap, self._entry(pair))
        return best


class _WorkIndex(ChangesIndex):
    neighbours: int | None = None
    work: tuple[int, int]

    def merge(self, pair: Pair, new: int) -> int:
        if self.neighbours is None:
            self.neighbours = sum(following != END for following in self.next_place)
        visited = len(self.positions[pair])
        merged = super().merge(pair, new)
        self.work = self.neighbours, visited + self.added
        self.neighbours -= len(self.places)
        return merged


def work(word_counts: Mapping[bytes, int], recipe: Recipe) -> list[tuple[int, int]]:
    """Return how many neighbours have to be looked at for each merge of a byte-level training.

    By the definition, which counts all of them before each merge, and by the incremental learner;
    neither number depends on the machine.
    """
    meaning = {byte: bytes([byte]) for byte in range(BYTES)}
    index = _WorkIndex(word_counts.items(), meaning, recipe.tie_break)
    return [index.work for _ in learn_from(index, recipe)]
