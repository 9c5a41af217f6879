"""How uncertain a corpus is about the next character and the one before: where its words end."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

LONGEST = 2
"""Characters of a context at the most."""
SEEN = 2
"""How often a context must have been seen; else it is a character shorter."""
SAMPLE = 2_000_000
"""Characters of a corpus that are counted: of a larger one, the beginning of each document."""

_END = "\0"


class Gap(NamedTuple):
    """A place between two characters: the entropy of each, given those on the other side."""

    next: float
    """Bits of the character behind, after the characters before."""
    previous: float
    """Bits of the character before, given the characters behind."""

    @property
    def bits(self) -> float:
        """Both together: low within a word of the corpus, high between two."""
        return self.next + self.previous


class Branching:
    """The branching entropy of a corpus (Harris 1955; Jin and Tanaka-Ishii 2006), in bits.

    It is Shannon's entropy of the characters that stand beside a context: the nearest
    :data:`LONGEST` characters, or so many fewer, down to none, that these were seen beside a
    character :data:`SEEN` times. Contexts end with their document, and at a NUL. Hu et al. 2025
    (arXiv 2506.15889) cut Chinese by the entropies of both sides before it is merged.

    >>> gaps = Branching(["北京城", "北京人", "南京人"]).gaps("北京人")
    >>> [(round(gap.next, 2), round(gap.previous, 2)) for gap in gaps]
    [(0.0, 1.0), (1.0, 0.0)]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        characters = sum(map(len, texts))
        share = min(1.0, SAMPLE / max(characters, 1))
        parts = [text[: math.ceil(share * len(text))] for text in texts]
        self.counted = sum(map(len, parts))
        """Characters that were counted."""
        self.sampled = self.counted < characters
        self._text = _END + _END.join(parts) + _END * LONGEST
        self._codes = np.frombuffer(self._text.encode("utf-32-le", "surrogatepass"), np.uint32)
        pairs = self._codes[:-1].astype(np.uint64) << 32 | self._codes[1:]
        self._order = np.argsort(pairs).astype(np.uint32)

    @property
    def memory(self) -> int:
        return 12 * len(self._text)

    def gaps(self, text: str) -> list[Gap]:
        """Return the entropies at each place between two characters of a text."""
        return [
            Gap(self._beside(text[:at], after=True), self._beside(text[at:], after=False))
            for at in range(1, len(text))
        ]

    def _beside(self, text: str, *, after: bool) -> float:
        """Return the entropy of what stands after the end of a text, or before its start."""
        for length in range(min(len(text), LONGEST), 0, -1):
            context = text[-length:] if after else text[:length]
            places = self._places(context) + (length if after else -1)
            found = self._codes[places] if _END not in context else self._codes[:0]
            if np.count_nonzero(found) >= SEEN:
                return _bits(found)
        return self._of_any

    @cached_property
    def _of_any(self) -> float:
        return _bits(self._codes)

    def _places(self, context: str) -> npt.NDArray[np.int64]:
        def here(place: int) -> str:
            return self._text[place : place + len(context)]

        first = bisect_left(self._order, context, key=here)
        last = bisect_right(self._order, context, lo=first, key=here)
        return self._order[first:last].astype(np.int64)


def _bits(codes: npt.NDArray[np.uint32]) -> float:
    counts = np.unique(codes[codes != 0], return_counts=True)[1]
    shares = counts / max(counts.sum(), 1)
    return abs(float(shares @ np.log2(shares)))  # not -0.0
