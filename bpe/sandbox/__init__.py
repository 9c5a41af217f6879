"""Work on untrusted bytes in processes with limits of time and memory, few of them at a time.

A PDF, a compressed table or a regular expression of a few bytes can ask for gigabytes or for hours,
and no thread can be stopped from outside. :func:`run` calls one function, named
``"module:function"``, in a new process: bytes in, bytes out. :class:`Worker` keeps a process for
the questions that follow. All processes of a program share one queue and one budget of memory, a
share of what the machine or the container still has (:class:`Limits`); they end with their parent,
and are what the kernel ends first where memory is short.

What ends work is the time of the processor that it took, so that a busy machine refuses nothing
that an idle one accepts. Starting a process is not counted.
"""

import contextlib
import threading
import weakref
from collections.abc import Callable

from bpe.errors import BusyError, TooLargeError, TooLongError
from bpe.sandbox import places
from bpe.sandbox.codec import pack, unpack
from bpe.sandbox.places import MEMORY, Limits, configure, end_idle, limits
from bpe.sandbox.process import Process, be_ended_first, end_with_parent, is_confined

__all__ = [
    "MEMORY", "BusyError", "Limits", "TooLargeError", "TooLongError",
    "Worker", "be_ended_first", "configure", "end_idle", "end_with_parent", "is_confined",
    "limits", "pack", "run", "unpack",
]  # fmt: skip

SECONDS = 60.0
"""Processor time that a function, or the first call of a worker, may take."""


def run(
    function: str,
    data: bytes,
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    on_wait: Callable[[], object] = lambda: None,
    **options: object,
) -> bytes:
    """Return what ``function(data, **options)`` returns, called in a new process.

    ``seconds`` are of the processor; ``on_wait`` is called some 20 times a second meanwhile, and
    what it raises ends the process. A :class:`BPEError` of the function is raised here; the end of
    time or memory is one, too.
    """
    with places.queue.place(memory, on_wait) as place:
        process = Process(place, function, options)
        try:
            return process.exchange(data, seconds, on_wait)
        finally:
            process.end()


class Worker:
    """Answers questions about ``data`` from a process, started when it is needed, and again.

    ``function(data)``, called there, returns a function that answers a question: bytes for bytes.
    A question that takes too long or too much memory ends the process and raises
    :class:`BPEError`, as does any fault that the function itself finds. One thread asks at a time.
    """

    def __init__(self, function: str, data: bytes, *, memory: int = MEMORY) -> None:
        self._function, self._data, self._memory = function, data, memory
        self.asking = threading.Lock()
        self._held = contextlib.ExitStack()
        """The process and its place in the queue, while there is one."""
        self._process: Process | None = None
        weakref.finalize(self, self._held.close)

    def ask(
        self,
        question: bytes,
        *,
        seconds: float | None = None,
        memory: int = 0,
        on_wait: Callable[[], object] = lambda: None,
    ) -> bytes:
        """Return the answer; by default the limits say how much processor time it may take.

        Where it needs more ``memory`` than the process may take, another process takes its place.
        """
        seconds = limits().answer_seconds if seconds is None else seconds
        with self.asking:
            if (memory := min(memory, limits().memory)) > self._memory:
                self._end()
                self._memory = memory
            process = self._start(on_wait)
            try:
                return process.exchange(question, seconds, on_wait)
            except BaseException:
                if not process.is_alive():
                    self._end()
                raise

    def open(self, on_wait: Callable[[], object] = lambda: None) -> None:
        """Start the process, if there is none; what is wrong with the data is raised here."""
        with self.asking:
            self._start(on_wait)

    def end(self) -> None:
        """End the process; the next question starts another."""
        with self.asking:
            self._end()

    def end_if_idle(self) -> bool:
        """End the process for the sake of another, unless it is asked; return whether it was."""
        if is_idle := self.asking.acquire(blocking=False):
            try:
                self._end()
            finally:
                self.asking.release()
        return is_idle

    def _start(self, on_wait: Callable[[], object]) -> Process:
        if self._process is not None and self._process.is_alive():
            return self._process
        self._end()
        idle = weakref.WeakMethod(self.end_if_idle)
        place = self._held.enter_context(places.queue.place(self._memory, on_wait, idle))
        try:
            process = Process(place, self._function, {})
            self._held.callback(process.end)
            process.exchange(self._data, SECONDS, on_wait)
        except BaseException:
            self._end()
            raise
        self._process = process
        return process

    def _end(self) -> None:
        self._process = None
        self._held.close()
