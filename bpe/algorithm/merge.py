"""A merge, which training yields, and merging a long pre-token by rank: the lecture's second
optimisation, made fast.

Merging the pair of lowest rank first, leftmost first, is the same as running through the whole
list of merges in order, because a pair that contains a merged symbol always has a higher rank than
the merge that made it.
"""

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

BYTES = 256

Ranks = Mapping[tuple[int, int], tuple[int, int]]
"""Pair to ``(rank, new id)``."""


class Merge(NamedTuple):
    """One step of training: the ids of the two parts, of the whole, and how often they met."""

    left: int
    right: int
    new_id: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not needed here


def merge_by_heap(symbols: Sequence[int], ranks: Ranks) -> list[int]:
    """Return what :func:`bpe.algorithm.basic.encode` does, in time n log n.

    The candidate pairs wait in a heap, the symbols are a linked list.

    >>> merge_by_heap(list(b"tech"), {(116, 101): (1, 301), (99, 104): (0, 300)})
    [301, 300]
    """
    at = list(symbols)  # the symbol that starts at each place, -1 once merged into its left
    following = [*range(1, len(at)), -1]
    preceding = [-1, *range(len(at) - 1)]
    heap: list[tuple[int, int, int, int]] = []  # rank, place, left, right

    def consider(place: int) -> None:
        pair = (at[place], at[following[place]])
        if known := ranks.get(pair):
            heapq.heappush(heap, (known[0], place, *pair))

    for place in range(len(at) - 1):
        consider(place)
    while heap:
        _, place, left, right = heapq.heappop(heap)
        other = following[place]
        if at[place] != left or other == -1 or at[other] != right:
            continue  # a neighbour was merged since this entry was made
        at[place] = ranks[left, right][1]
        at[other] = -1
        following[place] = following[other]
        if following[place] != -1:
            preceding[following[place]] = place
            consider(place)
        if preceding[place] != -1:
            consider(preceding[place])
    return [symbol for symbol in at if symbol != -1]
