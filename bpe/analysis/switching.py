"""A change of tokenizer or model on texts of one's own: their tokens before and after."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Switch:
    """The tokens of the same texts, one by one, before a change of tokenizer and after it."""

    before: Sequence[int]
    after: Sequence[int]

    @property
    def percent(self) -> float:
        """By how many percent all texts together become longer."""
        return percent_more(sum(self.before), sum(self.after))

    @cached_property
    def percents(self) -> list[float]:
        return list(map(percent_more, self.before, self.after))

    def at(self, share: float) -> float:
        """Return the percentage that so large a share of the texts stays below, 1.0 the highest.

        >>> Switch([10, 10, 10], [10, 12, 9]).at(0.5)
        0.0
        """
        ordered = sorted(self.percents) or [0.0]
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)]

    def growing_most(self, number: int = 10) -> list[int]:
        """Return the places of the texts that grow most in percent; equals by their new tokens.

        >>> Switch([1, 2, 4], [1, 4, 8]).growing_most(2)
        [2, 1]
        """

        def growth(place: int) -> tuple[float, int]:
            return self.percents[place], self.after[place] - self.before[place]

        return heapq.nlargest(number, range(len(self.before)), key=growth)


def percent_more(before: int, after: int) -> float:
    """Return by how many percent a number of tokens grows; 0 where there were none.

    >>> percent_more(200, 150)
    -25.0
    """
    return round(100 * (after / before - 1), 4) if before else 0.0
