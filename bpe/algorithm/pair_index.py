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
import operator
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from bpe.algorithm.basic import PRINTABLE, TieBreak
from bpe.algorithm.recipe import BYTES
from bpe.progress import OnProgress, Progress, while_waiting

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Numbers = npt.NDArray[np.int64]

DEAD = -1
END = -1

AT_ONCE = 1 << 12  # places between two calls of `tick`: some milliseconds
_SMALL = 1 << 16  # places that are sorted in some milliseconds

Pair = tuple[int, int]


class PairIndex:
    """The places, links, positions, counts and heap drawn above.

    ``words`` are sequences of symbol ids with their numbers of occurrences; ``spelling`` gives
    what each id stands for (bytes or text); every merge adds an entry, by ``join``. Without a
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
        join: Callable[[Any, Any], Any] = operator.add,
        on_progress: OnProgress = lambda progress: None,
        limit: int | None = None,
    ) -> None:
        self.join = join
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
        self._waiting: dict[int, list[Pair]] = {}  # by count; few of them ever reach the heap
        for number, (pair, count) in enumerate(self.counts.items() if tie_break else ()):
            self._waiting.setdefault(count, []).append(pair)
            if number % AT_ONCE == 0:
                self.tick()
        self._waiting_counts = sorted(self._waiting)

    def tick(self) -> None:
        self._on_progress(Progress("merging", self.made, self._limit))

    def _tell_indexed(self, done: int, places: int) -> None:
        self._on_progress(Progress("indexing", done, places))

    def _lay_out(self, word: Iterator[int], count: int) -> None:
        start = len(self.symbols)
        while part := array("i", islice(word, AT_ONCE)):
            first = len(self.symbols)
            self.symbols.extend(part)
            self.weights.extend(array("q", (count,)) * len(part))
            self.next_place.extend(range(first + 1, first + len(part) + 1))
            self.previous_place.extend(range(first - 1, first + len(part) - 1))
            if first // AT_ONCE != (first + len(part)) // AT_ONCE:
                self._tell_indexed(0, first)
        if len(self.symbols) > start:
            self.next_place[-1] = self.previous_place[start] = END

    def _index(self) -> None:
        """Count the pairs, and list the places of those that are frequent enough."""
        size = len(self.symbols)
        columns = (self.symbols, self.next_place, self.weights, self.least)
        if size < _SMALL:
            pairs, totals, starts, places = _grouped(*columns)
        else:
            pairs, totals, starts, places = while_waiting(
                lambda: _grouped(*columns), lambda: self._tell_indexed(0, size)
            )
        for first in range(0, len(pairs), AT_ONCE):
            self._tell_indexed(min(first, size), size)
            part = slice(first, first + AT_ONCE)
            for key, total, start, end in zip(
                pairs[part].tolist(),
                totals[part].tolist(),
                starts[part, 0].tolist(),
                starts[part, 1].tolist(),
                strict=True,
            ):
                pair = (key >> 32, key & 0xFFFFFFFF)
                self.counts[pair] = total
                self.positions[pair] = array("i", places[start:end].tobytes())

    @classmethod
    def of_bytes(
        cls, word_counts: Mapping[bytes, int], tie_break: TieBreak | None, **options: Any
    ) -> Self:
        """Lay out words of bytes; the options are those of the index itself."""
        spelling = {byte: bytes([byte]) for byte in range(BYTES)}
        return cls(word_counts.items(), spelling, tie_break, **options)

    def symbol_counts(self) -> dict[int, int]:
        import numpy as np

        ids, weights = np.asarray(self.symbols), np.asarray(self.weights)
        alive = ids != DEAD
        totals = np.zeros(len(self.spelling), np.int64)
        np.add.at(totals, ids[alive], weights[alive])
        return dict(enumerate(totals.tolist()))

    def pop_best(self) -> Pair | None:
        """Take the best pair off the heap, refreshing entries whose count or place has changed."""
        while self.fill_heap():
            entry = heapq.heappop(self.heap)
            pair: Pair = entry[-1]
            if not self.counts.get(pair):
                continue
            if (fresh := self._entry(pair)) == entry:
                return pair
            heapq.heappush(self.heap, fresh)
        return None

    def fill_heap(self, *, everything: bool = False) -> bool:
        """Push the pairs that may be as frequent as the top of the heap; say if it has any."""
        while self._waiting_counts:
            count = self._waiting_counts[-1]
            if not everything and self.heap and -self.heap[0][0] > count:
                return True
            self._waiting_counts.pop()
            for number, pair in enumerate(self._waiting.pop(count)):
                if self.counts.get(pair):
                    heapq.heappush(self.heap, self._entry(pair))
                if number % AT_ONCE == 0:
                    self.tick()
        return bool(self.heap)

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
        if new in self.spelling and self.least > 1:
            self._restore(new)
        self.spelling[new] = self.join(self.spelling[left], self.spelling[right])
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

    def _restore(self, symbol: int) -> None:
        """Index the pairs of a symbol that were left out: it is about to occur more often."""
        indexed = set(self.counts)
        for place, here in enumerate(self.symbols):
            if place % AT_ONCE == 0:
                self.tick()
            if here != symbol:
                continue
            before, after = self.previous_place[place], self.next_place[place]
            if before != END and self.symbols[before] != symbol:  # else it is done already
                pair = (self.symbols[before], symbol)
                if pair not in indexed:
                    self._add(before, pair)
            if after != END:
                pair = (symbol, self.symbols[after])
                if pair not in indexed:
                    self._add(place, pair)

    def _add(self, place: int, pair: Pair) -> Pair:
        self.counts[pair] = self.counts.get(pair, 0) + self.weights[place]
        self._note(place, pair)
        return pair

    def _note(self, place: int, pair: Pair) -> None:
        places = self.positions.get(pair)
        if places is None:
            self.positions[pair] = array("i", (place,))
        else:
            places.append(place)

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


def _grouped(
    symbols: "array[int]", next_place: "array[int]", weights: "array[int]", least: int
) -> "tuple[_Numbers, _Numbers, _Numbers, npt.NDArray[np.int32]]":
    """Return the pairs that occur ``least`` times, in order of first occurrence.

    Each is a key, left symbol · 2³² + right; with its total, and where its places start and end in
    the last array.
    """
    import numpy as np

    following, ids = np.asarray(next_place), np.asarray(symbols)
    places = np.flatnonzero(following != END).astype(np.int32)
    keys = ids[places].astype(np.int64) << 32
    keys |= ids[following[places]]
    order = np.argsort(keys, kind="stable")
    places, keys = places[order], keys[order]
    del order
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    if not len(starts):
        return keys, keys, np.zeros((0, 2), np.int64), places
    totals = np.add.reduceat(np.asarray(weights)[places], starts)
    bounds = np.stack([starts, np.append(starts[1:], len(keys))], axis=1)
    frequent = np.flatnonzero(totals >= least)
    frequent = frequent[np.argsort(places[starts[frequent]])]
    return keys[starts[frequent]], totals[frequent], bounds[frequent], places


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
