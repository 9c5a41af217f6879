"""How every smaller vocabulary of a training cuts a word: the frames of its film.

A :data:`Cut` is a step and the pieces of the word from that step on. What follows from it, such as
the number of tokens of a corpus after each step, is the same for every algorithm.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Cut = tuple[int, list[str]]


@dataclass(frozen=True)
class Film:
    """The smaller vocabularies of a training; step ``n`` is after ``n`` changes."""

    symbols: tuple[str, ...]
    """The vocabulary before the first step."""
    cuts: Callable[[Sequence[str]], list[list[Cut]]]
    """The cuts of each word, in order of steps; a piece that is in no vocabulary is unknown."""
    inside: str = ""
    """The beginning of a piece that does not begin a word."""
    bytes: frozenset[str] = frozenset()
    """The symbols that stand for one byte."""
    split: Callable[[str], list[str]] | None = None
    """The symbols of a word before the first step, where a step joins its pair wherever it is."""
    dropped: tuple[tuple[str, ...], ...] = ()
    """The symbols that leave the vocabulary with each step, where steps join nothing."""

    def is_inside(self, symbol: str) -> bool:
        """Return whether a symbol stands inside a word; a word of signs is none of these."""
        return bool(self.inside) and symbol.startswith(self.inside) and symbol != self.inside


LONGEST_WORD = 1_000
"""Characters of the longest word that WordPiece encodes; others are unknown."""


def by_merges(symbols: Sequence[str], ranks: Mapping[tuple[str, str], int]) -> list[Cut]:
    """Return the cuts of a word by BPE, where the pair of lowest rank is merged first.

    >>> by_merges("aab", {("a", "b"): 0, ("a", "ab"): 1})
    [(0, ['a', 'a', 'b']), (1, ['a', 'ab']), (2, ['aab'])]
    """
    word = list(symbols)
    cuts = [(0, word)]
    while places := [
        (ranks[pair], place) for place, pair in enumerate(pairwise(word)) if pair in ranks
    ]:
        rank, place = min(places)
        word = [*word[:place], word[place] + word[place + 1], *word[place + 2 :]]
        if rank < cuts[-1][0]:  # again, or a merge of earlier that fits only now
            cuts[-1] = (cuts[-1][0], word)
        else:
            cuts.append((rank + 1, word))
    return cuts


def by_longest(word: str, since: Mapping[str, int], inside: str, longest: int) -> list[Cut] | None:
    """Return the cuts of a word by its longest pieces; ``None`` if it is unknown.

    ``since`` says from which step on a piece is in the vocabulary, ``inside`` is what pieces that
    begin no word start with, ``longest`` how many characters a piece has at the most.

    >>> by_longest("hugs", {"h": 0, "##u": 0, "##g": 0, "##s": 0, "##gs": 1, "hu": 2}, "##", 2)
    [(0, ['h', '##u', '##g', '##s']), (1, ['h', '##u', '##gs']), (2, ['hu', '##gs'])]
    """
    if len(word) > LONGEST_WORD:
        return None
    fits: list[list[tuple[int, str, int]]] = []
    for place in range(len(word)):
        prefix = inside if place else ""
        pieces = [
            (end, piece, since[piece])
            for end in range(min(len(word), place + longest), place, -1)
            if (piece := prefix + word[place:end]) in since
        ]
        if not pieces:
            return None
        fits.append(pieces)
    cuts: list[Cut] = []
    steps = {0}
    while steps:
        step, place, cut = min(steps), 0, list[str]()
        steps.clear()
        while place < len(word):
            number = next((n for n, fit in enumerate(fits[place]) if fit[2] <= step), None)
            if number is None:
                return None
            steps.update(begins for _, _, begins in fits[place][:number])
            place, piece, _ = fits[place][number]
            cut.append(piece)
        cuts.append((step, cut))
    return cuts
