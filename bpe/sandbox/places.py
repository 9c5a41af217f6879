"""How many sandboxed processes there may be, and who is next."""

import contextlib
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bpe import limits as memory_limits
from bpe.errors import BusyError, TooLargeError
from bpe.limits import available_memory

MEMORY = 2 * 2**30
"""Bytes that one process may take beside the libraries that it imports."""
LEAST_MEMORY = 64 * 2**20
"""With less no process is started."""

_LOOK_SECONDS = 0.05


@dataclass(frozen=True)
class Limits:
    """The limits of all sandboxed processes of a program together."""

    processes: int = max(2, os.cpu_count() or 2)
    memory: int = sys.maxsize
    """Bytes that a process may take for a long text; for others it is :data:`MEMORY`."""
    share: float = 0.8
    """Of the memory that is available, what a process may take."""
    answer_seconds: float = 600.0
    """Processor time that an answer of a worker may take, unless its question says so."""
    wait_seconds: float = 600.0
    """How long a caller waits for a place at the most."""
    characters_matched: int = sys.maxsize
    """Of a text, those that a split pattern of one's own may match in this process."""
    bytes_parsed: int = sys.maxsize
    """Of a tokenizer's or a session's files, those that are parsed in this process."""


def too_large() -> TooLargeError:
    return TooLargeError("Reading it needs more memory than there is for it. Use a smaller part.")


OfWorker = Callable[[], Callable[[], bool] | None]
"""Returns the method of a worker that ends its process unless it is asked; a weak reference."""


@dataclass(eq=False)
class Place:
    """The right to have one process, with so much memory."""

    memory: int
    end_if_idle: OfWorker | None
    process: int | None = None

    def unused(self) -> int:
        """Return how much of its memory the process may still take."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            pages = Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1]
            return max(0, self.memory - int(pages) * os.sysconf("SC_PAGE_SIZE"))
        return self.memory


class Queue:
    """Gives places in the order in which they were asked for."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.places: list[Place] = []
        self.change = threading.RLock()
        self._waiting: deque[object] = deque()

    @contextlib.contextmanager
    def place(
        self, memory: int, on_wait: Callable[[], object], end_if_idle: OfWorker | None = None
    ) -> Iterator[Place]:
        """Wait for a place; its memory may be less than ``memory``, where the machine has less."""
        ticket = object()
        until = time.monotonic() + self.limits.wait_seconds
        self._waiting.append(ticket)
        try:
            while (place := self._take(ticket, memory, end_if_idle)) is None:
                on_wait()
                if time.monotonic() > until:
                    raise BusyError(
                        "So much is being read for others that this has to wait. Try again in a "
                        "minute."
                    )
                time.sleep(_LOOK_SECONDS)
        finally:
            self._waiting.remove(ticket)
        try:
            yield place
        finally:
            with self.change:
                self.places.remove(place)

    def _take(self, ticket: object, memory: int, end_if_idle: OfWorker | None) -> Place | None:
        with self.change:
            if self._waiting[0] is not ticket:
                return None
            granted = self._granted(memory)
            if len(self.places) >= self.limits.processes or granted < min(memory, LEAST_MEMORY):
                if self.end_an_idle_one() or self.places:
                    return None
                memory_limits.make_room(LEAST_MEMORY)
                if (granted := self._granted(memory)) < min(memory, LEAST_MEMORY):
                    raise too_large()
            place = Place(granted, end_if_idle)
            self.places.append(place)
            return place

    def _granted(self, memory: int) -> int:
        free = available_memory()
        if free is None:
            return memory
        promised = sum(place.unused() for place in self.places)
        return min(memory, int(self.limits.share * max(0, free - promised)))

    def end_an_idle_one(self) -> bool:
        """End the process of an idle worker, the oldest first."""
        methods = [place.end_if_idle and place.end_if_idle() for place in self.places]
        return any(end_if_idle() for end_if_idle in methods if end_if_idle)


queue = Queue(Limits())  # of this program


def configure(limits: Limits) -> None:
    """Set the limits of this program; a server does so once, when it starts."""
    queue.limits = limits


def limits() -> Limits:
    """Return the limits of this program."""
    return queue.limits


def end_idle() -> None:
    """End the processes of idle workers; the next question starts another."""
    with queue.change:
        while queue.end_an_idle_one():
            pass
