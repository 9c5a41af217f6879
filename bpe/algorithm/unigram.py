"""Unigram: pieces with their likelihoods, from all parts that repeat down to a vocabulary.

A word is one of its ways to be cut into pieces, each as likely as all of its pieces together. How
often each piece is then expected in the corpus says how likely it is (Kudo 2018, expectation
maximisation), and what the corpus loses without it, which pieces leave. Every place of the text has
the pieces that begin there, its edges, the shortest first::

    text      l o w l o w e r          the words one behind the other, in order; ends 0, 3, 8
    offsets   0   2   4 5   7   9 …    edges of place n are edges[offsets[n] : offsets[n + 1]]
    edges     l lo|o ow|w|l lo|o ow|…  each 16 times the number of the piece, and its length - 1

:func:`expect` and :func:`spell` are what :mod:`bpe.compiled.train` compiles: arrays or lists in and
out, and nothing but sums, products and comparisons, which give the same on every machine.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe.progress import OnProgress, Progress

LONGEST = 16
"""Characters of the longest piece."""

LEAST = 1e-9
"""The likelihood of a piece that is expected nowhere."""

SMALL, LARGE = 2.0**-256, 2.0**256
"""Below the one a likelihood is multiplied by the other, with all that are added to from there on:
that of a long word is no number any more."""

RARE = 8
"""A piece that is expected so often counts for half of what the corpus loses without it: other text
has less of what is rare here, and 1.5 to 3 % fewer tokens by this."""

_STEPS, _STAYING, _SPARE = 2, 0.75, 1.2
"""Steps of expectation maximisation between two times at which pieces leave; how many stay; and at
how many, for each that is wanted, those leave that are expected least, whatever is lost."""

_MOST = 2**63

Floats = npt.NDArray[np.float64]


def expect(
    ends: Any,
    weights: Any,
    offsets: Any,
    edges: Any,
    likelihood: Any,
    forward: Any,
    backward: Any,
    scaled: Any,
    expected: Any,
) -> int:
    """Add to ``expected`` how often each piece is expected in the words, each so many times.

    ``forward``, ``backward`` and ``scaled`` are room for the longest word and :data:`LONGEST` more.
    """
    for word in range(len(weights)):
        first = ends[word]
        size = ends[word + 1] - first
        for place in range(size + LONGEST):
            forward[place] = backward[place] = 0.0
        forward[0] = 1.0
        for place in range(size):
            scaled[place] = LARGE if forward[place] < SMALL else 1.0
            if scaled[place] > 1.0:
                for behind in range(place, place + LONGEST):
                    forward[behind] *= LARGE
            value = forward[place]
            for index in range(offsets[first + place], offsets[first + place + 1]):
                edge = edges[index]
                forward[place + 1 + (edge & 15)] += value * likelihood[edge >> 4]
        backward[size] = weights[word] / forward[size]
        for place in range(size - 1, -1, -1):
            value = 0.0
            for index in range(offsets[first + place], offsets[first + place + 1]):
                edge = edges[index]
                part = likelihood[edge >> 4] * backward[place + 1 + (edge & 15)]
                value += part
                expected[edge >> 4] += forward[place] * part
            backward[place] = value
            if scaled[place] > 1.0:
                for behind in range(place, place + LONGEST):
                    backward[behind] *= LARGE
    return 0


def spell(
    firsts: Any, lengths: Any, offsets: Any, edges: Any, likelihood: Any, best: Any, spelled: Any
) -> int:
    """Write how likely each piece is by the likeliest others that spell it; 0 for a character.

    ``firsts`` are places where they begin, ``best`` is room for :data:`LONGEST` and one more.
    """
    for piece in range(len(firsts)):
        first, size = firsts[piece], lengths[piece]
        for end in range(size + 1):
            best[end] = 0.0
        best[0] = 1.0
        for place in range(size):
            for index in range(offsets[first + place], offsets[first + place + 1]):
                edge = edges[index]
                end = place + 1 + (edge & 15)
                if end > size or edge >> 4 == piece:
                    break
                best[end] = max(best[end], best[place] * likelihood[edge >> 4])
        spelled[piece] = best[size]
    return 0


def leave(number: Any, offsets: Any, edges: Any) -> int:
    """Leave out the edges of pieces whose new number is -1, and move the others together."""
    end = begin = 0
    for place in range(len(offsets) - 1):
        last = offsets[place + 1]
        for index in range(begin, last):
            edge = edges[index]
            if number[edge >> 4] >= 0:
                edges[end] = number[edge >> 4] << 4 | edge & 15
                end += 1
        begin = last
        offsets[place + 1] = end
    return end


class Lattice:
    """The pieces that words can be cut into, and where they begin, as drawn above.

    At first these are all characters, and of the parts that occur twice those that are not always
    within the same longer one. They are in order: the shortest first, then by their characters.
    """

    def __init__(self, words: Mapping[str, int], kernels: Any = None) -> None:
        self._kernels = kernels
        ordered = sorted(filter(None, words))
        self._text = "".join(ordered)
        self._ends = np.cumsum([0, *map(len, ordered)], dtype=np.int32)
        self._weights = np.array([words[word] for word in ordered], np.float64)
        edges_at = np.zeros(len(self._text), np.uint8)
        counts, firsts, rows = [], [], []
        for level, numbers in self._levels():
            begins = numbers >= 0
            rows.append((np.packbits(begins), numbers[begins]))
            counts.append(level)
            firsts.append(np.empty(len(level), np.int32))
            firsts[-1][rows[-1][1]] = np.flatnonzero(begins)
            edges_at += begins
            del numbers, begins  # the next level needs their memory
        sizes = [*map(len, counts)]
        self.alphabet = sizes[0]
        self.counts, self._firsts = np.concatenate(counts), np.concatenate(firsts)
        self.lengths = np.repeat(np.arange(1, len(sizes) + 1, dtype=np.uint8), sizes)
        self._offsets = np.zeros(len(self._text) + 1, np.int32)
        np.cumsum(edges_at, out=self._offsets[1:])
        self._edges = np.empty(self._offsets[-1], np.int32)
        free = self._offsets[:-1].copy()
        for length in range(len(sizes)):
            packed, numbers = rows.pop(0)  # so that its memory is free
            begins = np.unpackbits(packed, count=len(free)).view(bool)
            self._edges[free[begins]] = (numbers + sum(sizes[:length])) << 4 | length
            free += begins

    def _levels(self) -> Iterator[tuple[Any, Any]]:
        """Yield how often the parts of each length occur, and which begins at each place, or -1.

        A part that occurs twice is made of two that do, one character shorter.
        """
        characters = np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), np.uint32)
        ids = np.cumsum(np.bincount(characters) > 0, dtype=np.int32)[characters] - 1
        del characters
        size, lengths = len(ids), np.diff(self._ends)
        word = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        places, here = np.arange(size, dtype=np.int32), np.empty(size + 1, np.int32)
        room = np.minimum(self._ends[word + 1] - places, LONGEST + 1).astype(np.uint8)
        once = (self._weights == 1)[word]
        counts = np.bincount(ids, self._weights[word])
        for length in range(1, LONGEST + 1):
            here[:] = -1
            here[places] = ids
            del ids
            places = places[(room[places] > length) & (here[places + 1] >= 0)]
            keys = here[places].astype(np.int64)
            keys *= len(counts)
            keys += here[places + 1]
            if len(counts) ** 2 * size < _MOST:  # sorted with their places in one number, in place
                keys *= size
                keys += places
                keys.sort()
                places = np.remainder(keys, size, out=places, casting="unsafe")
                keys //= size
            else:
                order = np.argsort(keys, kind="stable")
                keys, places = keys[order], places[order]
            begins = np.concatenate(([True], keys[1:] > keys[:-1], [True]))[: len(keys) + 1]
            kept = ~(begins[:-1] & begins[1:] & once[places])
            keys, places, begins = keys[kept], places[kept], begins[:-1][kept]
            ids = np.cumsum(begins, dtype=np.int32) - 1
            keys = keys[begins]
            totals = np.bincount(ids, self._weights[word[places]], len(keys))
            closed = np.ones(len(counts), bool)
            if 1 < length < LONGEST:
                for parts in np.divmod(keys, len(counts)):
                    closed[parts[totals == counts[parts]]] = False
            number = np.where(closed, np.cumsum(closed, dtype=np.int32) - 1, -1)
            number = np.append(number, np.int32(-1))  # of a place where nothing begins
            yield counts[closed], number[here[:-1]]
            counts = totals
            del keys, kept
            if not len(places):
                return

    def pieces(self) -> list[str]:
        spans = zip(self._firsts.tolist(), self.lengths.tolist(), strict=True)
        return [self._text[first : first + length] for first, length in spans]

    def expected(self, likelihood: Floats) -> Floats:
        """Return how often each piece is expected in the corpus."""
        rooms = np.zeros((3, int(np.diff(self._ends).max()) + LONGEST + 1))
        words = self._ends, self._weights, self._offsets, self._edges
        return self._run(expect, *words, likelihood, *rooms, np.zeros(len(likelihood)))

    def spelled(self, likelihood: Floats) -> Floats:
        """Return how likely each piece is by the likeliest others that spell it."""
        pieces = self._firsts, self.lengths, self._offsets, self._edges
        return self._run(
            spell, *pieces, likelihood, np.zeros(LONGEST + 1), np.zeros(len(likelihood))
        )

    def keep(self, kept: npt.NDArray[np.bool_]) -> None:
        """Leave all other pieces out."""
        self.counts, self.lengths = self.counts[kept], self.lengths[kept]
        self._firsts = self._firsts[kept]
        number = np.where(kept, np.cumsum(kept, dtype=np.int32) - 1, -1)
        self._run(leave, number, self._offsets, self._edges)
        self._edges = self._edges[: self._offsets[-1]]

    def _run(self, kernel: Callable[..., int], *arrays: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Run a kernel, compiled or in plain Python, which writes arrays, and return the last."""
        if self._kernels is not None:
            getattr(self._kernels, kernel.__name__)(*arrays)
        else:
            lists = [array.tolist() for array in arrays]
            kernel(*lists)
            for array, values in zip(arrays, lists, strict=True):
                array[:] = values
        return arrays[-1]


def fit(lattice: Lattice, size: int, on_progress: OnProgress) -> list[tuple[str, float]]:
    """Return pieces with the logarithms of their likelihoods, the likeliest first.

    Pieces leave the lattice until there are ``size``, or the characters alone.
    """
    likelihood = _likelihood(lattice.counts * lattice.lengths)
    size = max(size, lattice.alphabet)
    longer = slice(lattice.alphabet, None)
    while True:
        for _ in range(_STEPS):
            on_progress(Progress("fitting", 0, None))
            expected = lattice.expected(likelihood)
            likelihood = _likelihood(expected)
        if (number := len(likelihood)) <= size:
            break
        worth = expected * expected / (expected + RARE)
        staying = size
        if number > (spare := int(_SPARE * size)):
            worth[longer] *= np.log(likelihood[longer] / lattice.spelled(likelihood)[longer])
            used = int(np.count_nonzero(expected >= 0.5)) + lattice.alphabet
            staying = max(min(int(_STAYING * number), used), spare)
        worth[: lattice.alphabet] = np.inf
        kept = np.zeros(number, bool)
        kept[np.argsort(-worth, kind="stable")[:staying]] = True
        lattice.keep(kept)
        likelihood = likelihood[kept]
    scores = np.log(likelihood).round(6).tolist()
    scored = zip(lattice.pieces(), scores, strict=True)
    return sorted(scored, key=lambda piece: (-piece[1], piece[0]))


def _likelihood(expected: Any) -> Floats:
    """Return how likely pieces are that are expected so often.

    Half an occurrence is taken from each, and less from the rarest, as there is less: about what
    ψ of variational Bayes takes, without a logarithm.
    """
    weight = expected * expected / (expected + 0.5)
    likelihood: Floats = np.maximum(weight / np.cumsum(weight)[-1], LEAST)
    return likelihood
