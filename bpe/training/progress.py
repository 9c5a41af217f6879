"""How far a training has come: what a bar is drawn from, and where a training can be stopped."""

from collections.abc import Callable
from typing import Literal, NamedTuple

Phase = Literal["compiling", "counting", "joining", "indexing", "merging"]


class Progress(NamedTuple):
    """``done`` of ``total`` of a phase, ``None`` where nobody knows how much there will be.

    ``"compiling"`` waits for the kernels, ``"counting"`` counts characters of the corpus,
    ``"joining"`` words that the threads have counted, ``"indexing"`` places of the words (a byte
    has three, one per pass), ``"merging"`` merges.
    """

    phase: Phase
    done: int
    total: int | None

    @property
    def share(self) -> float:
        """The part of this phase that is done, from 0 to 1; 0 where the total is not known."""
        return min(self.done / self.total, 1.0) if self.total else 0.0


OnProgress = Callable[[Progress], object]
"""Called a few dozen times a second while there is work. What it raises stops the work."""
