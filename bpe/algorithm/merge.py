"""A merge, which training yields, and merging a long pre-token by rank: the lecture's second
optimisation, made fast.

Merging the pair of lowest rank first, leftmost first, is the same as running through the whole
list of merges in order, because a pair that contains a merged symbol always has a higher rank than
the merge that made it.
"""

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple

BYTES = 256

RankOf = Callable[[tuple[int, int]], tuple[int, int] | None]
"""From a pair to its rank and new id; ``None`` where it is not merged."""


class Merge(NamedTuple):
    """One step of training: the ids of the two parts, of the whole, and how often they met."""

    left: int
    right: int
    new_id: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not needed here


def merge_by_heap(symbols: Sequence[int], rank_of: RankOf) -> list[int]:
    """Return what :func:`bpe.algorithm.basic.encode` does, in time n log n.

    The candidate pairs wait in a heap, the symbols are a linked list.

    >>> merge_by_heap(list(b"tech"), {(116, 101): (1, 301), (99, 104): (0, 300)}.get)
    [301, 300]
    """
    row = list(symbols)  # the symbol that starts at each place, -1 once merged into its left
    following = [*range(1, len(row)), -1]
    preceding = [-1, *range(len(row) - 1)]
    heap: list[tuple[int, int, int, int, int]] = []  # rank, place, left, right, new

    def consider(place: int) -> None:
        pair = (row[place], row[following[place]])
        if (merge := rank_of(pair)) is not None:
            heapq.heappush(heap, (merge[0], place, *pair, merge[1]))

    for place in range(len(row) - 1):
        consider(place)
    while heap:
        _, place, left, right, new = heapq.heappop(heap)
        other = following[place]
        if row[place] != left or other == -1 or row[other] != right:
            continue  # a neighbour was merged since this entry was made
        row[place] = new
        row[other] = -1
        following[place] = following[other]
        if following[place] != -1:
            preceding[following[place]] = place
            consider(place)
        if preceding[place] != -1:
            consider(preceding[place])
    return [symbol for symbol in row if symbol != -1]
