"""A sandboxed process: how it is started, asked and ended, and what it may see of its parent."""

import contextlib
import ctypes
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from bpe.errors import BusyError, TooLongError
from bpe.sandbox.codec import error_from_bytes, read_block, write_block
from bpe.sandbox.places import Place, too_large

TIMES_AS_LONG = 10
"""The wall clock ends a question after so many times its processor time, as a last resort."""
START_SECONDS = 60.0
"""Besides: on a busy machine a process starts slowly, and one that stood still wakes slowly."""

_LOOK_SECONDS = 0.05
_ROOT = Path(__file__).parents[2]
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)
_VISIBLE = (
    *("PATH", "HOME", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "SYSTEMROOT"),
    *("USERPROFILE", "LOCALAPPDATA", "VIRTUAL_ENV", "XDG_CACHE_HOME"),
)
_VISIBLE_PREFIXES = ("LC_", "PYTHON", "NUMBA_")
_UNTIL_KILLED = 1  # PR_SET_PDEATHSIG


def environment() -> dict[str, str]:
    """Return the variables that a process may see: keys and passwords of a server are not there."""
    visible = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _VISIBLE or name.startswith(_VISIBLE_PREFIXES)
    }
    return visible | _ONE_THREAD


@cache
def _starter() -> ThreadPoolExecutor:
    """Return the thread that starts processes: they end with the thread that has started them."""
    return ThreadPoolExecutor(1, thread_name_prefix="start processes")


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with _no_more_processes():
        try:
            started = _starter().submit(
                lambda: subprocess.Popen(
                    command, cwd=_ROOT, env=environment(), stdin=pipe, stdout=pipe, stderr=nothing
                )
            )
            return started.result()
        except RuntimeError:  # its thread cannot start; another one would do the work it has noted
            _starter.cache_clear()
            raise


@contextlib.contextmanager
def _no_more_processes() -> Iterator[None]:
    """Say in a sentence that the system grants no process, thread or file any more."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise BusyError(
            "The machine can start no more processes at the moment. Try again in a minute."
        ) from error


class Process:
    """A process that calls a function, and then whatever that has returned."""

    clock = staticmethod(time.monotonic)

    def __init__(self, place: Place, function: str, options: dict[str, object]) -> None:
        self._popen = _started([sys.executable, "-m", __package__, str(os.getpid())])
        place.process = self._popen.pid
        self._memory = place.memory
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):  # the process is gone, as the first question says
            write_block(self._popen.stdin, json.dumps([function, place.memory, options]).encode())

    def is_alive(self) -> bool:
        return self._popen.poll() is None

    def exchange(self, question: bytes, seconds: float, on_wait: Callable[[], object]) -> bytes:
        """Return the answer to a question, which may take so many seconds of the processor."""
        to, back = self._popen.stdin, self._popen.stdout
        assert to is not None
        assert back is not None
        answers: list[bytes | None] = []

        def talk() -> None:
            try:
                write_block(to, struct.pack("<d", seconds) + question)
                to.flush()
                answers.append(read_block(back, self._memory))
            except (OSError, ValueError):  # the process is gone, or was ended
                answers.append(None)

        thread = threading.Thread(target=talk, name="ask a process", daemon=True)
        longest = START_SECONDS + TIMES_AS_LONG * seconds
        until = self.clock() + longest
        try:
            with _no_more_processes():
                thread.start()
            thread.join(_LOOK_SECONDS)
            while thread.is_alive():
                on_wait()
                if self.clock() > until:
                    raise BusyError(
                        "The machine is so busy that reading it was stopped after {seconds:.0f} "
                        "seconds. Try again later, or use a smaller part.",
                        seconds=longest,
                    )
                thread.join(_LOOK_SECONDS)
        except BaseException:
            self._popen.kill()
            if thread.ident is not None:  # it was started
                thread.join()
            self.end()
            raise
        answer = answers[0]
        if answer is None:  # all that ends it, but for its time, is memory that was refused
            if sys.platform != "win32" and self._popen.wait() == -signal.SIGPROF:
                raise TooLongError(
                    "Reading it needs more than {seconds:g} seconds of the processor and was "
                    "stopped. Use a smaller part.",
                    seconds=seconds,
                )
            raise too_large()
        if answer[:1] == b"!":
            raise error_from_bytes(answer[1:])
        return answer[1:]

    def end(self) -> None:
        self._popen.kill()
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # bytes still in its buffer
                    pipe.close()


def end_with_parent(parent: int) -> None:
    """Have the kernel end this process when the thread that started it ends; Linux alone can."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(_UNTIL_KILLED, signal.SIGKILL)
    if hasattr(os, "getppid") and os.getppid() != parent:
        os._exit(1)


def be_ended_first() -> None:
    """Have the kernel end this process before any other where memory is short; Linux alone can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def is_confined() -> bool:
    """Return whether this process is a sandboxed one."""
    return getattr(sys.modules["__main__"].__spec__, "name", None) == f"{__package__}.__main__"
