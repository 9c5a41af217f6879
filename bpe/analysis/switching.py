"""A change of tokenizer or model on texts of one's own: their tokens before and after."""

import heapq
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

import regex

from bpe.analysis.metrics import count_hanzi

Group = TypeVar("Group", bound=Hashable)
Writing = Literal["han", "latin", "other"]

_LATIN, _KANA, _LETTER = (
    regex.compile(letters) for letters in (r"\p{Latin}", r"[\p{Hiragana}\p{Katakana}]", r"\p{L}")
)
_LOOKED_AT = 300
_LATIN_FOR_HAN = 3


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

    def by(self, groups: Sequence[Group]) -> dict[Group, "Switch"]:
        """Return the change of each group of texts, the largest first."""
        places: dict[Group, list[int]] = {}
        for place, group in enumerate(groups):
            places.setdefault(group, []).append(place)
        return {
            group: Switch(
                [self.before[place] for place in members], [self.after[place] for place in members]
            )
            for group, members in sorted(places.items(), key=lambda item: -len(item[1]))
        }


def percent_more(before: int, after: int) -> float:
    """Return by how many percent a number of tokens grows; 0 where there were none.

    >>> percent_more(200, 150)
    -25.0
    """
    return round(100 * (after / before - 1), 4) if before else 0.0


def writing_of(text: str) -> Writing:
    """Return which letters the beginning of a text is written in.

    A Han character counts as three Latin letters, which say about as much.

    >>> writing_of("用 Python 写程序"), writing_of("The word 词"), writing_of("漢字かな")
    ('han', 'latin', 'other')
    """
    beginning = text[:_LOOKED_AT]
    han = count_hanzi(beginning)
    latin, kana, letters = (len(pattern.findall(beginning)) for pattern in (_LATIN, _KANA, _LETTER))
    if kana or not letters or letters > 2 * (han + latin):
        return "other"
    return "han" if _LATIN_FOR_HAN * han >= latin else "latin"
