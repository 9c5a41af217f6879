"""A queue of large trainings: one runs at a time, the others see their place and may leave."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOK_EVERY = 0.15
"""Seconds between two looks at the queue, in which who waits may be stopped."""


class TrainingQueue:
    """A queue of threads. All methods may be called from several."""

    def __init__(self) -> None:
        self._queue: list[object] = []
        """Who has the turn, then those who wait."""
        self._moved = threading.Condition()

    def __len__(self) -> int:
        return len(self._queue)

    @contextmanager
    def turn(self, waiting: Callable[[int], object]) -> Iterator[None]:
        """Wait for the turn, and have it until the end of the block.

        Meanwhile ``waiting`` is told the place, from 1 for the next, some times a second. It may
        raise, which leaves the queue.
        """
        ticket = object()
        with self._moved:
            self._queue.append(ticket)
        try:
            while (place := self._queue.index(ticket)) > 0:
                waiting(place)
                with self._moved:
                    self._moved.wait(LOOK_EVERY)
            yield
        finally:
            with self._moved:
                self._queue.remove(ticket)
                self._moved.notify_all()
