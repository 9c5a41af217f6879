"""How far a training has come: what a bar is drawn from, and where a training can be stopped."""

import math
import threading
import time
from collections.abc import Callable
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


def while_waiting(
    work: Callable[[], _T], tell: Callable[[], object] = lambda: None, seconds: float = math.inf
) -> _T:
    """Return what ``work`` does, calling ``tell`` some twenty times a second until then.

    For work in one long call that lets other threads run, as NumPy's sorting does, or looking up a
    host name. It cannot be stopped: where ``tell`` raises, and after so many ``seconds``, which
    raises :class:`TimeoutError`, it is not waited for any longer.
    """
    from concurrent.futures import Future, wait  # takes 5 ms

    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="waited for", daemon=True).start()
    end = time.monotonic() + seconds
    while not wait([future], 0.05).done:
        if time.monotonic() > end:
            raise TimeoutError
        tell()
    return future.result()
