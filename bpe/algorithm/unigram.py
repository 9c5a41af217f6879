"""Unigram: of all ways to cut a text into known pieces, the likeliest.

Each piece has a probability, whatever stands beside it; a cut is as likely as the product of its
pieces (Kudo 2018, arXiv 1804.10959). There are no merges. Training begins with many pieces, fits
their probabilities to the corpus, and drops those that are missed least, until few are left.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Cut(NamedTuple):
    """One way to cut a text, and the logarithm of its probability."""

    pieces: tuple[str, ...]
    score: float


def score(pieces: tuple[str, ...], scores: Mapping[str, float]) -> float:
    """Return the logarithm of a cut's probability: the sum over its pieces.

    >>> score(("un", "able"), {"un": -1.0, "able": -2.5})
    -3.5
    """
    return math.fsum(scores[piece] for piece in pieces)


def all_cuts(text: str, scores: Mapping[str, float]) -> list[Cut]:
    """Return every way to cut ``text`` into pieces, the likeliest first; there may be 2ⁿ⁻¹.

    >>> scores = {"a": -2.0, "b": -2.0, "ab": -3.0}
    >>> [cut.pieces for cut in all_cuts("ab", scores)]
    [('ab',), ('a', 'b')]
    """
    cuts = [Cut(pieces, score(pieces, scores)) for pieces in _cuts(text, scores)]
    return sorted(cuts, key=_likeliest_first)


def _cuts(text: str, scores: Mapping[str, float]) -> Iterator[tuple[str, ...]]:
    if not text:
        yield ()
    for end in range(1, len(text) + 1):
        if text[:end] in scores:
            for rest in _cuts(text[end:], scores):
                yield (text[:end], *rest)


def best_cuts(text: str, scores: Mapping[str, float], number: int = 1) -> list[Cut]:
    """Return the likeliest cuts, without going through all of them.

    The best cuts of a text end with a piece behind one of the best cuts of what is before it.
    Empty where some character is in no piece.

    >>> best_cuts("abab", {"a": -2.0, "b": -2.0, "ab": -3.0, "ba": -5.0}, 2)
    [Cut(pieces=('ab', 'ab'), score=-6.0), Cut(pieces=('a', 'b', 'ab'), score=-7.0)]
    """
    longest = max(map(len, scores), default=0)
    best: list[list[Cut]] = [[Cut((), 0.0)]]
    for end in range(1, len(text) + 1):
        candidates = [
            Cut((*cut.pieces, piece), score((*cut.pieces, piece), scores))
            for start in range(max(0, end - longest), end)
            if (piece := text[start:end]) in scores
            for cut in best[start]
        ]
        best.append(sorted(candidates, key=_likeliest_first)[:number])
    return best[-1]


def _likeliest_first(cut: Cut) -> tuple[float, tuple[str, ...]]:
    return -cut.score, cut.pieces


def share(cut: Cut, text: str, scores: Mapping[str, float]) -> float:
    """Return how much of the probability of all cuts of ``text`` is this cut's, from 0 to 1.

    >>> scores = {"a": math.log(0.4), "b": math.log(0.4), "ab": math.log(0.2)}
    >>> round(share(best_cuts("ab", scores)[0], "ab", scores), 3)
    0.556
    """
    longest = max(map(len, scores), default=0)
    reach = [1.0] + [0.0] * len(text)  # probability of all cuts of the text up to each place
    for end in range(1, len(text) + 1):
        for start in range(max(0, end - longest), end):
            if (piece := text[start:end]) in scores:
                reach[end] += reach[start] * math.exp(scores[piece])
    return math.exp(cut.score) / reach[-1] if reach[-1] else 0.0
