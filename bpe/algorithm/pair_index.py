"""Where each pair stands and how often, updated by touching only what a merge changes.

The corpus is laid out once as numbered places, one byte each. Per merge only the places of the
merged pair and their neighbours are visited::

    place        0    1    2    3    4        symbols[p]   the symbol that starts at place p, or
    symbols      l    o    w    l    o                     DEAD once it was merged into its left
    next_place   1    2   END   4   END       next_place, previous_place   links over dead places
    positions    (l,o): [0, 3]  (o,w): [1]    places where a pair's left symbol stood; it grows
    counts       (l,o): 2       (o,w): 1      and is checked on use, so it may hold stale places
    heap         (-2, …, (l,o)) …             stale too: counts of a pair only fall after the round
                                              that made it, so an entry is an upper bound, and is
                                              refreshed when it reaches the top
"""

import heapq
from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Self

from bpe.algorithm.basic import PRINTABLE, TieBreak
from bpe.algorithm.recipe import BYTES
from bpe.progress import OnProgress, Progress

DEAD = -1
END = -1

AT_ONCE = 1 << 12  # places between two calls of `tick`: some milliseconds

Pair = tuple[int, int]


class PairIndex:
    """The places, links, positions, counts and heap drawn above.

    ``words`` are sequences of symbol ids with their numbers of occurrences; ``spelling`` gives
    what each id stands for (bytes or text); every merge adds an entry. Without a
    ``tie_break`` pairs are not ranked: merges can be made, but not chosen.

    Pairs that occur less than ``least`` times are left out, which is most pairs of a large text.
    ``on_progress`` is called a few hundred times a second while there is work, with how many places
    of how many are indexed, and then with how many of ``limit`` merges are made. What it raises
    ends the work.
    """

    def __init__(
        self,
        words: Iterable[tuple[Iterable[int], int]],
        spelling: Mapping[int, Any],
        tie_break: TieBreak | None,
        *,
        least: int = 1,
        on_progress: OnProgress = lambda progress: None,
        limit: int | None = None,
    ) -> None:
        self.tie_break = tie_break
        self.spelling = dict(spelling)
        self.least = least
        self.made = 0
        self._on_progress, self._limit = on_progress, limit
        # Arrays hold a place in four bytes, where a list takes thirty.
        self.symbols = array("i")
        self.weights = array("q")  # how often the word of a place occurs
        self.next_place = array("i")
        self.previous_place = array("i")
        for word, count in words:
            self._lay_out(iter(word), count)
        self.counts: dict[Pair, int] = {}
        self.positions: dict[Pair, array[int]] = {}
        self._index()
        self.first: dict[Pair, int] = {}  # index into positions: the places before it are stale
        self.heap: list[tuple[Any, ...]] = []
        for number, pair in enumerate(self.counts if tie_break else ()):
            heapq.heappush(self.heap, self._entry(pair))
            if number % AT_ONCE == 0:
                self.tick()

    def tick(self) -> None:
        self._on_progress(Progress("merging", self.made, self._limit))

    def _lay_out(self, word: Iterator[int], count: int) -> None:
        start = len(self.symbols)
        while part := array("i", islice(word, AT_ONCE)):
            first = len(self.symbols)
            self.symbols.extend(part)
            self.weights.extend(array("q", (count,)) * len(part))
            self.next_place.extend(range(first + 1, first + len(part) + 1))
            self.previous_place.extend(range(first - 1, first + len(part) - 1))
            if first // AT_ONCE != (first + len(part)) // AT_ONCE:
                self._on_progress(Progress("indexing", 0, first))
        if len(self.symbols) > start:
            self.next_place[-1] = self.previous_place[start] = END

    def _index(self) -> None:
        """Count the pairs and list their places; drop those that are not frequent enough."""
        for place, following in enumerate(self.next_place):
            if following != END:
                self._add(place, (self.symbols[place], self.symbols[following]))
            if place % AT_ONCE == 0:
                self._on_progress(Progress("indexing", place, len(self.symbols)))
        for pair in [pair for pair, count in self.counts.items() if count < self.least]:
            del self.counts[pair], self.positions[pair]

    @classmethod
    def of_bytes(
        cls, word_counts: Mapping[bytes, int], tie_break: TieBreak | None, **options: Any
    ) -> Self:
        """Lay out words of bytes; the options are those of the index itself."""
        spelling = {byte: bytes([byte]) for byte in range(BYTES)}
        return cls(word_counts.items(), spelling, tie_break, **options)

    def symbol_counts(self) -> dict[int, int]:
        totals = dict.fromkeys(self.spelling, 0)
        for symbol, weight in zip(self.symbols, self.weights, strict=True):
            if symbol != DEAD:
                totals[symbol] += weight
        return totals

    def pop_best(self) -> Pair | None:
        """Take the best pair off the heap, refreshing entries whose count or place has changed."""
        while self.heap:
            entry = heapq.heappop(self.heap)
            pair: Pair = entry[-1]
            if not self.counts.get(pair):
                continue
            if (fresh := self._entry(pair)) == entry:
                return pair
            heapq.heappush(self.heap, fresh)
        return None

    def is_fresh(self, entry: tuple[Any, ...]) -> bool:
        """Whether what an entry of the heap says of its pair still holds."""
        pair: Pair = entry[-1]
        return bool(self.counts.get(pair)) and self._entry(pair) == entry

    def merge(self, pair: Pair, new: int) -> int:
        """Replace ``pair`` by ``new`` everywhere, greedily from left to right in each word.

        Return how often that was possible, which is less than the pair's count where occurrences
        overlap.
        """
        left, right = pair
        self.spelling[new] = self.spelling[left] + self.spelling[right]
        touched: set[Pair] = set()
        merged = 0
        # Left to right, as in "aaa" the first two are merged; the list itself has no such order.
        for number, place in enumerate(sorted(self.positions.pop(pair, ()))):
            if number % AT_ONCE == 0:
                self.tick()
            following = self.next_place[place]
            if self.symbols[place] != left or following == END:
                continue
            if self.symbols[following] != right:
                continue
            before, after = self.previous_place[place], self.next_place[following]
            weight = self.weights[place]
            merged += weight
            self.counts[pair] -= weight
            self.symbols[place] = new
            self.symbols[following] = DEAD
            self.next_place[place] = after
            if before != END:
                self._lose((self.symbols[before], left), weight)
                touched.add(self._add(before, (self.symbols[before], new)))
            if after != END:
                self.previous_place[after] = place
                self._lose((right, self.symbols[after]), weight)
                touched.add(self._add(place, (new, self.symbols[after])))
        self.counts.pop(pair, None)
        self.first.pop(pair, None)
        for created in touched:
            self.first.pop(created, None)  # where ``new`` is not new, places may lie before it
            if self.tie_break and self.counts.get(created):
                heapq.heappush(self.heap, self._entry(created))
        self.made += 1
        return merged

    def _add(self, place: int, pair: Pair) -> Pair:
        self.counts[pair] = self.counts.get(pair, 0) + self.weights[place]
        places = self.positions.get(pair)
        if places is None:
            self.positions[pair] = array("i", (place,))
        else:
            places.append(place)
        return pair

    def _lose(self, pair: Pair, weight: int) -> None:
        if pair in self.counts:  # the pair being merged may already be gone
            self.counts[pair] -= weight

    def _entry(self, pair: Pair) -> tuple[Any, ...]:
        """Return the heap key of a pair: most frequent first, then by the tie-break rule."""
        count = -self.counts[pair]
        match self.tie_break:
            case "first-seen":
                return count, self.first_place(pair), pair
            case "smallest-ids":
                return count, pair
            case "huggingface":
                return count, *((part not in PRINTABLE, part) for part in pair), pair
            case _:
                return count, _Descending((self.spelling[pair[0]], self.spelling[pair[1]])), pair

    def first_place(self, pair: Pair) -> int:
        """Return the leftmost place where the pair still stands; it only moves to the right."""
        places = self.positions[pair]
        first = self.first.get(pair, 0)
        if first == 0:
            places = self.positions[pair] = array("i", sorted(places))
        while not self._stands(places[first], pair):
            first += 1
        self.first[pair] = first
        return places[first]

    def _stands(self, place: int, pair: Pair) -> bool:
        following = self.next_place[place]
        return (
            self.symbols[place] == pair[0]
            and following != END
            and self.symbols[following] == pair[1]
        )


class WatchedIndex(PairIndex):
    """An index that says which pairs its last merge touched, in the order in which it did."""

    touched: dict[Pair, None] | None = None
    added: int = 0
    """How often a pair was added to."""

    def merge(self, pair: Pair, new: int) -> int:
        self.touched, self.added = {pair: None}, 0
        return super().merge(pair, new)

    def _add(self, place: int, pair: Pair) -> Pair:
        if self.touched is not None:
            self.touched[pair] = None
            self.added += 1
        return super()._add(place, pair)

    def _lose(self, pair: Pair, weight: int) -> None:
        if self.touched is not None:
            self.touched[pair] = None
        super()._lose(pair, weight)


class _Descending:
    """Turns the order of a value around, so that the smallest of the heap is the greatest."""

    __slots__ = ("value",)

    def __init__(self, value: tuple[Any, Any]) -> None:
        self.value = value

    def __lt__(self, other: "_Descending") -> bool:
        return self.value > other.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and self.value == other.value
