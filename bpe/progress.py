"""How far a training has come: what a bar is drawn from, and where a training can be stopped."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from typing import Literal, NamedTuple, TypeVar

Phase = Literal["compiling", "shards", "counting", "joining", "indexing", "merging", "fitting"]


class Progress(NamedTuple):
    """``done`` of ``total`` of a phase, ``None`` where that is not known.

    ``"compiling"`` waits for the kernels, ``"shards"`` counts bytes of the files that are done and
    added up, ``"counting"`` counts characters of the corpus,
    ``"joining"`` words that the threads have counted, ``"indexing"`` places of the words (a byte
    has three, one per pass), ``"merging"`` merges, ``"fitting"`` waits for Unigram's pieces.
    """

    phase: Phase
    done: int
    total: int | None

    @property
    def share(self) -> float:
        return min(self.done / self.total, 1.0) if self.total else 0.0


OnProgress = Callable[[Progress], object]
"""Called a few dozen times a second while there is work. What it raises stops the work."""

_T = TypeVar("_T")


def while_waiting(work: Callable[[], _T], tell: Callable[[], object]) -> _T:
    """Return what ``work`` does, calling ``tell`` some twenty times a second until then.

    For work in one long call that lets other threads run, as NumPy's sorting does. It cannot be
    stopped: where ``tell`` raises, it is not waited for any longer.
    """
    pool = ThreadPoolExecutor(1)
    try:
        future = pool.submit(work)
        while True:
            try:
                return future.result(0.05)
            except TimeoutError:
                tell()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
