"""Several segmentations of the same bytes, cut where all have a boundary."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from bpe.analysis.segmentation import Segmentation
from bpe.errors import BPEError


@dataclass(frozen=True, slots=True)
class Block:
    """The shortest stretch of bytes at whose two ends every segmentation has a boundary."""

    start: int
    end: int
    tokens: tuple[range, ...]
    """For each segmentation, the indices of its tokens here."""


@dataclass(frozen=True, eq=False)
class Alignment(Sequence[Block]):
    """The blocks of several segmentations, each made when it is asked for."""

    ends: npt.NDArray[np.int64]
    """Where each block ends, in bytes."""
    stops: tuple[npt.NDArray[np.int64], ...]
    """For each segmentation, the index behind the last token of each block."""

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> Block: ...
    @overload
    def __getitem__(self, place: slice) -> list[Block]: ...
    def __getitem__(self, place: int | slice) -> Block | list[Block]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        place %= len(self)
        before = place - 1
        return Block(
            start=int(self.ends[before]) if place else 0,
            end=int(self.ends[place]),
            tokens=tuple(range(int(s[before]) if place else 0, int(s[place])) for s in self.stops),
        )

    @property
    def memory(self) -> int:
        return self.ends.nbytes + sum(stops.nbytes for stops in self.stops)


def align(segmentations: Sequence[Segmentation]) -> Alignment:
    """Cut the bytes at every boundary that all the segmentations have, in linear time.

    Different bytes (one of the tokenizers normalises) raise :class:`BPEError`.
    """
    if not segmentations:
        return Alignment(np.zeros(0, np.int64), ())
    first = segmentations[0]
    for other in segmentations[1:]:
        if other.data != first.data:
            raise BPEError(
                "{first} and {second} spell different bytes (one of them changes the text),"
                " so their tokens cannot be aligned; compare them on text that both keep",
                first=first.name,
                second=other.name,
            )
    ends = [np.asarray(segmentation.starts[1:], np.int64) for segmentation in segmentations]
    is_shared = np.ones(len(first.data) + 1, bool)
    for end in ends:
        is_boundary = np.zeros_like(is_shared)
        is_boundary[end] = True
        is_shared &= is_boundary
    shared = np.flatnonzero(is_shared)
    # A block without bytes only where there is nothing else: tokens without bytes go with the
    # block that ends where they stand, at the very start with the first.
    shared = shared[shared > 0] if shared.size and shared[-1] > 0 else shared
    return Alignment(shared, tuple(np.searchsorted(end, shared, side="right") for end in ends))
