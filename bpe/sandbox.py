"""Work on untrusted bytes in processes with limits of time and memory, few of them at a time.

A PDF, a compressed table or a regular expression of a few bytes can ask for gigabytes or for hours,
and no thread can be stopped from outside. :func:`run` calls one function, named
``"module:function"``, in a new process: bytes in, bytes out. :class:`Worker` keeps a process for
the questions that follow. All processes of a program share one queue and one budget of memory, a
share of what the machine or the container still has (:data:`limits`); they end with their parent,
and are what the kernel ends first where memory is short.
"""

import contextlib
import ctypes
import importlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from bpe import limits as memory_limits
from bpe.errors import BPEError, Translatable
from bpe.limits import available_memory

SECONDS = 60.0
"""How long a function, or the start of a worker, may take."""
MEMORY = 2 * 2**30
"""Bytes that one process may take beside the libraries that it imports."""


@dataclass
class Limits:
    """What all processes together may have."""

    processes: int = max(2, os.cpu_count() or 2)
    memory: int = sys.maxsize
    """Bytes that a process may take for a long text; for others it is :data:`MEMORY`."""
    share: float = 0.8
    """Of the memory that is available, what a process may take."""
    answer_seconds: float = 600.0
    """How long an answer of a worker may take, unless its question says so."""
    wait_seconds: float = 60.0
    """How long one waits for a process at the most."""
    characters_matched: int = sys.maxsize
    """Of a text, those that a split pattern of one's own may match in this process."""
    bytes_parsed: int = sys.maxsize
    """Of the files of a tokenizer, those that are parsed in this process."""


limits = Limits()
"""Of this program; who serves others sets narrower ones."""

LEAST_MEMORY = 64 * 2**20
"""With less no process is started."""

_WAIT = 0.05
_BLOCK = 1 << 20
_SIZE = struct.Struct("<Q")
_ROOT = Path(__file__).parents[1]
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)
_UNTIL_KILLED = 1

_again = BPEError
"""An error of the function: its sentence stands where it was first raised."""


class TooLongError(BPEError):
    """The time was over."""


class TooLargeError(BPEError):
    """The memory was used up."""


class Answer(NamedTuple):
    """What :func:`pack` has packed."""

    values: Any
    texts: list[str]


def pack(values: object, texts: Iterable[str] = ()) -> bytes:
    """Return values of JSON and texts, which may be long, as bytes."""
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    head = json.dumps([values, len(parts)]).encode() + b"\n"
    return b"".join([head, struct.pack(f"<{len(parts)}Q", *map(len, parts)), *parts])


def unpack(answer: bytes) -> Answer:
    head = answer[: answer.index(b"\n")]
    values, count = json.loads(head)
    sizes = struct.unpack_from(f"<{count}Q", answer, len(head) + 1)
    at = len(head) + 1 + 8 * count
    texts = []
    for size in sizes:
        blocks = []
        end = at + size
        while at < end:  # block by block, so that other threads have their turn
            step = min(end, at + _BLOCK)
            while step < end and answer[step] & 0xC0 == 0x80:
                step += 1
            blocks.append(answer[at:step].decode("utf-8", "surrogatepass"))
            at = step
        texts.append("".join(blocks))
    return Answer(values, texts)


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

    ``on_wait`` is called some 20 times a second meanwhile; what it raises ends the process. A
    :class:`BPEError` of the function is raised here; the end of time or memory is one, too.
    """
    with _queue.place(memory, on_wait) as place:
        process = _Process(place, function, seconds, options)
        try:
            return process.exchange(data, seconds, on_wait)
        finally:
            process.end()


class Worker:
    """Answers questions about ``data`` from a process, started when it is needed, and again.

    ``function(data)``, called there, returns what answers a question: bytes for bytes. A question
    that takes too long or too much memory ends the process and raises :class:`BPEError`, as does
    whatever the function itself finds wrong. One thread asks at a time.
    """

    def __init__(self, function: str, data: bytes, *, memory: int = MEMORY) -> None:
        self._function, self._data, self._memory = function, data, memory
        self.asking = threading.Lock()
        self._held = contextlib.ExitStack()
        """The process and its place in the queue, while there is one."""
        self._process: _Process | None = None
        weakref.finalize(self, self._held.close)

    def ask(
        self,
        question: bytes,
        *,
        seconds: float | None = None,
        memory: int = 0,
        on_wait: Callable[[], object] = lambda: None,
    ) -> bytes:
        """Return the answer; by default :class:`Limits` say how long it may take.

        Where it needs more ``memory`` than the process may take, another process takes its place.
        """
        with self.asking:
            if (memory := min(memory, limits.memory)) > self._memory:
                self._end()
                self._memory = memory
            process = self._start(on_wait)
            try:
                return process.exchange(
                    question, limits.answer_seconds if seconds is None else seconds, on_wait
                )
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
        if not self.asking.acquire(blocking=False):
            return False
        try:
            self._end()
        finally:
            self.asking.release()
        return True

    def _start(self, on_wait: Callable[[], object]) -> "_Process":
        if self._process is not None and self._process.is_alive():
            return self._process
        self._end()
        place = self._held.enter_context(_queue.place(self._memory, on_wait, weakref.ref(self)))
        try:
            process = _Process(place, self._function, SECONDS, {})
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


class _Place:
    """The right to have one process, with so much memory."""

    def __init__(self, memory: int, worker: "weakref.ref[Worker] | None") -> None:
        self.memory = memory
        self.worker = worker
        self.process: int | None = None

    def left(self) -> int:
        """Return what the process may still take of its memory."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            pages = Path(f"/proc/{self.process}/statm").read_text(encoding="ascii").split()[1]
            return max(0, self.memory - int(pages) * os.sysconf("SC_PAGE_SIZE"))
        return self.memory


class _Queue:
    """Gives places in the order in which they were asked for."""

    def __init__(self) -> None:
        self._change = threading.RLock()
        self._waiting: deque[object] = deque()
        self._places: list[_Place] = []

    @contextlib.contextmanager
    def place(
        self,
        memory: int,
        on_wait: Callable[[], object],
        worker: "weakref.ref[Worker] | None" = None,
    ) -> Iterator[_Place]:
        """Wait for a place; its memory may be less than ``memory``, where the machine has less."""
        ticket = object()
        until = time.monotonic() + limits.wait_seconds
        self._waiting.append(ticket)
        try:
            while (place := self._take(ticket, memory, worker)) is None:
                on_wait()
                if time.monotonic() > until:
                    raise BPEError(
                        "So much is being read for others that this has to wait. Try again in a "
                        "minute."
                    )
                time.sleep(_WAIT)
        finally:
            self._waiting.remove(ticket)
        try:
            yield place
        finally:
            with self._change:
                self._places.remove(place)

    def _take(
        self, ticket: object, memory: int, worker: "weakref.ref[Worker] | None"
    ) -> _Place | None:
        with self._change:
            if self._waiting[0] is not ticket:
                return None
            granted = self._granted(memory)
            if len(self._places) >= limits.processes or granted < min(memory, LEAST_MEMORY):
                if self._end_an_idle_one():
                    return None
                if self._places:
                    return None
                memory_limits.make_room(LEAST_MEMORY)
                if (granted := self._granted(memory)) < min(memory, LEAST_MEMORY):
                    raise too_large()
            place = _Place(granted, worker)
            self._places.append(place)
            return place

    def _granted(self, memory: int) -> int:
        free = available_memory()
        if free is None:
            return memory
        promised = sum(place.left() for place in self._places)
        return min(memory, int(limits.share * max(0, free - promised)))

    def _end_an_idle_one(self) -> bool:
        """End the process of an idle worker, the oldest first."""
        for place in list(self._places):
            worker = place.worker and place.worker()
            if worker and worker.end_if_idle():
                return True
        return False


_queue = _Queue()


def end_idle() -> None:
    """End the processes of idle workers; the next question starts another."""
    with _queue._change:
        while _queue._end_an_idle_one():
            pass


@cache
def _starter() -> ThreadPoolExecutor:
    """Return the thread that starts processes: they end with the thread that has started them."""
    return ThreadPoolExecutor(1, thread_name_prefix="start processes")


class _Process:
    """A process that calls a function, and then whatever that has returned."""

    def __init__(
        self, place: _Place, function: str, seconds: float, options: dict[str, object]
    ) -> None:
        command = [sys.executable, "-m", "bpe.sandbox", str(os.getpid())]
        self._popen: subprocess.Popen[bytes] = (
            _starter()
            .submit(
                subprocess.Popen,
                command,
                cwd=_ROOT,
                env={**os.environ, **_ONE_THREAD},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            .result()
        )
        place.process = self._popen.pid
        self._memory = place.memory
        self._head = json.dumps([function, seconds, place.memory, options]).encode()

    def is_alive(self) -> bool:
        return self._popen.poll() is None

    def exchange(self, question: bytes, seconds: float, on_wait: Callable[[], object]) -> bytes:
        """Return the answer to a question; the first has the name of the function before it."""
        to, back = self._popen.stdin, self._popen.stdout
        assert to is not None
        assert back is not None
        head, self._head = self._head, b""
        answers: list[bytes | None] = []

        def talk() -> None:
            try:
                limit = struct.pack("<d", seconds)
                for block in (head, limit + question) if head else (limit + question,):
                    to.write(_SIZE.pack(len(block)))
                    to.write(block)
                to.flush()
                answers.append(_read_block(back, self._memory))
            except (OSError, ValueError):  # the process is gone, or was ended
                answers.append(None)

        thread = threading.Thread(target=talk, name="ask a process", daemon=True)
        began = time.monotonic()
        thread.start()
        try:
            thread.join(_WAIT)
            while thread.is_alive():
                on_wait()
                if time.monotonic() - began > seconds:
                    raise too_long(seconds)
                thread.join(_WAIT)
        except BaseException:
            self._popen.kill()
            thread.join()
            self.end()
            raise
        answer = answers[0]
        if answer is None:
            code = self._popen.wait()
            # SIGXCPU comes from the limit of time; all else is memory that was refused.
            late = time.monotonic() - began > seconds or code == -signal.SIGXCPU
            raise too_long(seconds) if late else too_large()
        if answer[:1] == b"!":
            template, values, words = json.loads(answer[1:])
            raise _again(template, **values, **{name: Translatable(words[name]) for name in words})
        return answer[1:]

    def end(self) -> None:
        self._popen.kill()
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # bytes still in its buffer
                    pipe.close()


def too_long(seconds: float) -> TooLongError:
    return TooLongError(
        "Reading it took longer than {seconds:.0f} seconds and was stopped. Use a smaller part.",
        seconds=seconds,
    )


def too_large() -> TooLargeError:
    return TooLargeError("Reading it needs more memory than there is for it. Use a smaller part.")


def _read_block(file: IO[bytes], most: int | None = None) -> bytes | None:
    """Read a number of bytes and then as many; ``None`` where the other end is gone."""
    head = file.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    (size,) = _SIZE.unpack(head)
    if most is not None and size > most:
        return None
    data = file.read(size)
    return data if len(data) == size else None


# In the process.


def end_with_parent(parent: int) -> None:
    """Have the kernel end this process when the thread that started it ends; Linux alone can."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(_UNTIL_KILLED, signal.SIGKILL)
    if hasattr(os, "getppid") and os.getppid() != parent:
        os._exit(1)


def is_confined() -> bool:
    """Return whether this process is one that :func:`run` or :class:`Worker` has started."""
    return getattr(sys.modules["__main__"].__spec__, "name", None) == __name__


def be_ended_first() -> None:
    """Have the kernel end this process before any other where memory is short; Linux alone can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _confine(memory: int) -> None:
    """Let the kernel hold the limit of memory; where there is none (Windows), time is bounded."""
    be_ended_first()
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        kind, has = resource.RLIMIT_AS, MEMORY  # what libraries reserve, where nothing tells
        with contextlib.suppress(OSError, ValueError, IndexError):
            status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
            has = 1024 * int(status.partition("VmData:")[2].partition("kB")[0])
            kind = resource.RLIMIT_DATA
        resource.setrlimit(kind, (has + memory, has + memory))


def _bound_time(seconds: float) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        end, hardest = (
            int(time.process_time() + seconds) + 1,
            resource.getrlimit(resource.RLIMIT_CPU)[1],
        )
        resource.setrlimit(resource.RLIMIT_CPU, (end, hardest))


def _serve() -> None:
    """Call the function that is named first, and answer until the other end is closed."""
    asked, told = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    name, seconds, memory, options = json.loads(_read_block(asked) or b"[]")
    module, _, function = name.partition(":")
    answer: Callable[..., Any] = getattr(importlib.import_module(module), function)
    _confine(memory)
    while (question := _read_block(asked)) is not None:
        (seconds,) = struct.unpack_from("<d", question)
        _bound_time(seconds)
        reply = b"."
        try:
            answered = answer(question[8:], **options)
            if callable(answered):
                answer, options = answered, {}
            else:
                reply += answered
        except MemoryError:
            return
        except Exception as reason:  # of whatever kind: the libraries that read files have many
            error = (
                reason
                if isinstance(reason, BPEError)
                else BPEError("The file is broken ({reason}).", reason=type(reason).__name__)
            )
            parts: tuple[dict[str, object], dict[str, object]] = {}, {}
            for name, value in error.values.items():
                parts[isinstance(value, Translatable)][name] = value
            reply = b"!" + json.dumps([error.template, *parts], default=str).encode()
        told.write(_SIZE.pack(len(reply)))
        told.write(reply)
        told.flush()


if __name__ == "__main__":
    end_with_parent(int(sys.argv[1]))
    _serve()
