"""A training, merge by merge, as data: what a view needs to draw any round of it.

:func:`rounds` watches the incremental learner and keeps of each merge only what it changed, so that
a thousand merges of a hundred kilobytes are a few megabytes of JSON, and whoever draws them can go
forward and back without asking again. :mod:`bpe.algorithm.walk` writes the rounds out in full.

Symbols are numbers: of bytes the token ids, of characters their order of occurrence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any, NamedTuple

from bpe.algorithm import character, incremental
from bpe.algorithm.basic import TieBreak
from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.pair_index import END, Pair, WatchedIndex
from bpe.algorithm.recipe import BYTES, Recipe
from bpe.text.readable import readable

Words = Sequence[tuple[Sequence[int], int]]

TIED = 12
"""How many of the pairs that are as frequent as the chosen one an event names."""


class Word(NamedTuple):
    """A word as a reader sees it, how often it occurs, and the places of its symbols."""

    text: str
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    start: int
    end: int


class Change(NamedTuple):
    """How often a pair occurred before a merge and after it."""

    left: int
    right: int
    before: int
    after: int


class Event(NamedTuple):
    """A merge, and all that it changed.

    At each of ``places`` the symbol became ``new``; the one at the same index of ``partners``, its
    right neighbour, is gone. To go back, put ``left`` and ``right`` there again.
    """

    left: int
    right: int
    new: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    ties: int
    """How many other pairs occurred as often."""
    tied: tuple[Pair, ...]
    """The first :data:`TIED` of these, in the order in which the rule would have taken them."""
    places: tuple[int, ...]
    partners: tuple[int, ...]
    changes: tuple[Change, ...]
    added: tuple[int, ...]
    """The symbol that is new to the vocabulary; none where it was there, spelled another way."""
    removed: tuple[int, ...]
    """The symbols that left the vocabulary, as they no longer occur on their own."""
    vocabulary_size: int
    recounted: int
    """How many neighbours the definition counts before this merge."""
    visited: int
    """How many the incremental learner looks at for it; neither depends on the machine."""


@dataclass(frozen=True)
class Rounds:
    """The words before the first merge, and what each merge changes."""

    recipe: Recipe
    spelling: tuple[str, ...]
    """Of each symbol, as a reader sees it."""
    words: tuple[Word, ...]
    symbols: tuple[int, ...]
    """The symbol at each place. The places of a word are consecutive."""
    counts: tuple[tuple[int, int, int], ...]
    """Left symbol, right symbol, number of times, in order of first occurrence."""
    vocabulary: tuple[int, ...]
    events: tuple[Event, ...]

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values, events as objects with the names of their fields."""
        return {
            "recipe": self.recipe.as_json(),
            "spelling": list(self.spelling),
            "words": [word._asdict() for word in self.words],
            "symbols": list(self.symbols),
            "counts": [list(row) for row in self.counts],
            "vocabulary": list(self.vocabulary),
            "events": [event._asdict() for event in self.events],
        }


def rounds(word_counts: Mapping[str, int] | Mapping[bytes, int], recipe: Recipe) -> Rounds:
    """Train on words of characters or, where the recipe says so, of bytes; keep what happens.

    >>> recipe = Recipe(algorithm="character-bpe", merges=2)
    >>> training = rounds({"low": 1, "lower": 1, "lowest": 1}, recipe)
    >>> [training.spelling[event.new] for event in training.events]
    ['ow', 'low']
    >>> training.events[1].places, training.events[1].partners
    ((0, 4, 10), (1, 5, 11))
    """
    words, meaning, vocabulary = start(word_counts, recipe)
    index = _EventIndex(words, meaning, recipe.tie_break)
    symbols = tuple(index.symbols)
    counts = tuple((*pair, count) for pair, count in index.counts.items())
    events = tuple(_events(index, vocabulary, recipe))
    spelling = tuple(shown(index.spelling[number]) for number in range(len(index.spelling)))
    spans = tuple(_spans(word_counts, [len(symbols) for symbols, _ in words]))
    return Rounds(recipe, spelling, spans, symbols, counts, vocabulary, events)


# Where it begins.


def start(
    word_counts: Mapping[Any, int], recipe: Recipe
) -> tuple[Words, dict[int, Any], tuple[int, ...]]:
    """Return the words as symbol numbers, what each number stands for, and the vocabulary."""
    if recipe.of_bytes:
        meaning: dict[int, Any] = {byte: bytes([byte]) for byte in range(BYTES)}
        meaning |= {BYTES + n: token.encode() for n, token in enumerate(recipe.special_tokens)}
        words = [(list(word), count) for word, count in word_counts.items()]
        return words, meaning, tuple(meaning)
    words, meaning = character.numbered(word_counts, recipe)
    numbers = {symbol: number for number, symbol in meaning.items()}
    vocabulary = character.initial_vocabulary(word_counts, recipe)
    for symbol in vocabulary:
        meaning.setdefault(numbers.setdefault(symbol, len(numbers)), symbol)
    return words, meaning, tuple(numbers[symbol] for symbol in vocabulary)


def shown(symbol: str | bytes) -> str:
    """Return a symbol as a reader sees it."""
    return readable(symbol) if isinstance(symbol, bytes) else symbol


def _spans(word_counts: Mapping[Any, int], lengths: Sequence[int]) -> Iterator[Word]:
    end = 0
    for (word, count), length in zip(word_counts.items(), lengths, strict=True):
        start, end = end, end + length
        yield Word(shown(word), count, start, end)


# Watching the learner.


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
        """Do as :meth:`PairIndex.merge` does, and keep what it changes."""
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


class _EventIndex(ChangesIndex):
    """An index that keeps its last merge as an event."""

    def __init__(
        self, words: Iterable[tuple[Iterable[int], int]], meaning: Mapping[int, Any], tie: TieBreak
    ) -> None:
        super().__init__(words, meaning, tie)
        self.neighbours = sum(following != END for following in self.next_place)
        self.event: Event

    def merge(self, pair: Pair, new: int) -> int:
        count = self.counts[pair]
        equals = self.by_count[count]
        ties = len(equals) - 1
        tied = nsmallest(TIED + 1, equals, key=self._entry)  # the first of them is the pair
        listed = self.positions[pair]
        partners = {place: self.next_place[place] for place in listed}
        visited = len(listed)
        neighbours = self.neighbours
        merged = super().merge(pair, new)
        self.neighbours -= len(self.places)
        self.event = Event(
            *pair,
            new,
            count,
            ties=ties,
            tied=tuple(other for other in tied if other != pair)[:TIED],
            places=self.places,
            partners=tuple(partners[place] for place in self.places),
            changes=self.changes,
            added=(),
            removed=(),
            vocabulary_size=0,
            recounted=neighbours,
            visited=visited + self.added,
        )
        return merged


def _events(index: _EventIndex, vocabulary: tuple[int, ...], recipe: Recipe) -> Iterator[Event]:
    if recipe.of_bytes:
        for merge in incremental.learn_from(index, recipe):
            size = merge.new_id + 1
            yield index.event._replace(added=(merge.new_id,), vocabulary_size=size)
        return
    initial = [index.spelling[number] for number in vocabulary]
    inside = set(vocabulary)
    for step in character.learn_from(index, initial, recipe):
        event = index.event
        removed = tuple(_numbers_of(step, event))
        added = () if event.new in inside else (event.new,)
        inside.add(event.new)
        inside.difference_update(removed)
        yield event._replace(added=added, removed=removed, vocabulary_size=step.vocabulary_size)


def _numbers_of(step: CharacterMerge, event: Event) -> Iterator[int]:
    for symbol in step.removed:
        yield event.left if symbol == step.left else event.right
