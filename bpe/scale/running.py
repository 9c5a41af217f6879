"""Give pieces of work to any executor, or do them here, and tell how far they are."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import islice
from typing import Any, TypeAlias

from bpe.errors import BPEError
from bpe.progress import OnProgress, Progress

Job: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], int]
"""A function, what it is called with, and the size of its work in bytes."""

_UNDER_WAY = 64
_TELL_SECONDS = 0.1


class Run:
    """Runs jobs and tells how many bytes of ``total`` are done."""

    def __init__(
        self, executor: Executor | None, on_progress: OnProgress, total: int | None
    ) -> None:
        self._executor = executor
        self._on_progress = on_progress
        self._total = total
        self._done = 0

    def all(self, jobs: Iterable[Job], *, here: bool = False, **more: Any) -> Iterator[Any]:
        """Yield what each job returns, as they end; what one raises stops the others.

        ``here`` does without the executor. ``more`` goes to each job. Jobs are taken as there is
        room for them.
        """
        if here or self._executor is None:
            for work, arguments, size in jobs:
                yield work(*arguments, **more)
                self._add(size)
            return
        waiting = iter(jobs)
        running: dict[Future[Any], int] = {}
        try:
            while True:
                for work, arguments, size in islice(waiting, _UNDER_WAY - len(running)):
                    running[self._executor.submit(work, *arguments, **more)] = size
                if not running:
                    return
                done, _ = wait(running, _TELL_SECONDS, FIRST_COMPLETED)
                self._add(0)
                for future in done:
                    yield future.result()
                    self._add(running.pop(future))
        except BrokenExecutor as error:
            raise BPEError(
                "A worker has ended in the middle of its work. Where what is done is kept, run "
                "this again: it is not done again."
            ) from error
        finally:
            for future in running:
                future.cancel()

    def _add(self, size: int) -> None:
        self._done += size
        self._on_progress(Progress("shards", self._done, self._total))
