"""The incremental learner at work: its tables before and after each merge, what each merge changes.

The tables are the state of :class:`bpe.algorithm.pair_index.PairIndex` itself, which is drawn
there, for a text of a few lines. It is laid out in bytes as it is read, each occurrence of a word
on its own. The bytes of special tokens take places too, but are in no pair.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bpe.algorithm.basic import TieBreak
from bpe.algorithm.incremental import learn_from
from bpe.algorithm.pair_index import DEAD, END, Pair, PairIndex, WatchedIndex
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.text.pretokenize import normaliser, split
from bpe.text.readable import readable
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text


class Place(NamedTuple):
    """A place of the text: its symbol, ``None`` once it was merged into its left, and its links."""

    symbol: int | None
    previous: int | None
    next: int | None
    special: bool
    """Whether it belongs to a special token."""


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
    words: list[tuple[bytes, int]] = []
    special_places: set[int] = set()
    normalise = normaliser(recipe.normalisation)
    places = 0
    for part, special in split_specials(scalar_text(text), recipe.special_tokens):
        pieces = [part] if special else split(normalise(part), recipe.pattern)
        for piece in map(str.encode, pieces):
            # Bytes of a special token are words of their own, so that they have no neighbours.
            words += [(bytes([byte]), 1) for byte in piece] if special else [(piece, 1)]
            special_places.update(range(places, places + len(piece)) if special else ())
            places += len(piece)
    spelling = {byte: bytes([byte]) for byte in range(BYTES)}
    spelling |= {BYTES + n: token.encode() for n, token in enumerate(recipe.special_tokens)}
    index = PairIndex(words, spelling, recipe.tie_break)
    step = _step(None, index, special_places)
    yield step
    for merge in learn_from(index, recipe):
        before, step = step, _step(merge, index, special_places)
        yield replace(step, changes=_changes(before, step))


def _step(merge: Merge | None, index: PairIndex, special_places: set[int]) -> TableStep:
    columns = zip(index.symbols, index.previous_place, index.next_place, strict=True)
    return TableStep(
        merge,
        spelling=tuple(readable(index.spelling[symbol]) for symbol in range(len(index.spelling))),
        places=tuple(
            Place(_or_none(symbol), _or_none(previous), _or_none(following), n in special_places)
            for n, (symbol, previous, following) in enumerate(columns)
        ),
        positions=tuple((*pair, tuple(places)) for pair, places in index.positions.items()),
        counts=tuple((*pair, count) for pair, count in index.counts.items()),
        heap=tuple(
            HeapEntry(entry[-1][0], entry[-1][1], -entry[0], not index.is_fresh(entry))
            for entry in sorted(index.heap)
        ),
    )


def _or_none(number: int) -> int | None:
    assert DEAD == END
    return None if number == END else number


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
