"""A process that answers question after question about one file that a stranger brought.

What is in a ``tokenizer.json`` decides how long each text takes and how much memory: an expression
of some letters can search for hours, and no thread can be stopped from outside. :class:`Worker`
starts this module as a program, which calls ``opened(data)`` of one module; what that returns
answers each question, bytes for bytes. For a single question there is :mod:`bpe.sandbox.isolated`.
"""

import importlib
import json
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import IO

from bpe.errors import BPEError
from bpe.sandbox import isolated

MEMORY = 2 * 2**30
"""Bytes of address space of one process."""
MOST = 3
"""Processes at a time: the one that has not been asked for longest is ended for another."""
OPEN_SECONDS = 60.0
SECONDS = 5.0
"""How long an answer may take."""

_ROOT = Path(__file__).parents[2]
_SIZE = struct.Struct("<Q")

_running: list["weakref.ref[Worker]"] = []
"""The one asked last is the last."""
_lock = threading.Lock()


class Worker:
    """Answers about ``data`` from a process, which is started when it is asked, and again.

    A question that takes too long or too much memory ends the process and raises
    :class:`BPEError`, as does whatever the module itself finds wrong. One thread asks at a time.
    """

    def __init__(self, module: str, data: bytes) -> None:
        self._module = module
        self._data = data
        self._process: subprocess.Popen[bytes] | None = None
        self._asking = threading.Lock()
        self._started: list[subprocess.Popen[bytes]] = []
        weakref.finalize(self, _end, self._started)

    def ask(self, question: bytes, *, seconds: float | None = None) -> bytes:
        """Return the answer, by default within :data:`SECONDS` of the process being there."""
        with self._asking:
            self._start()
            return self._exchange(question, SECONDS if seconds is None else seconds)

    def open(self) -> None:
        """Start the process, if there is none; what is wrong with the file is raised here."""
        with self._asking:
            self._start()

    def end(self) -> None:
        """End the process; the next question starts another."""
        _end(self._started)
        self._process = None

    def _start(self) -> None:
        with _lock:
            known = [other for each in _running if (other := each()) not in (None, self)]
            idle = [other for other in known if other and not other._asking.locked()]
            for longest_ago in idle[: max(0, len(known) + 1 - MOST)]:
                known.remove(longest_ago)
                longest_ago.end()
            _running[:] = [weakref.ref(each) for each in (*known, self) if each]
        if self._process is not None and self._process.poll() is None:
            return
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bpe.sandbox.worker", self._module, str(MEMORY)],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._started.append(self._process)
        try:
            self._exchange(self._data, OPEN_SECONDS)
        except BPEError:
            self.end()
            raise

    def _exchange(self, question: bytes, seconds: float) -> bytes:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        to, back = process.stdin, process.stdout
        answers: list[bytes | None] = []

        def talk() -> None:
            try:
                to.write(_SIZE.pack(len(question)) + question)
                to.flush()
                answers.append(_block(back))
            except (OSError, ValueError):  # the process is gone, or was ended
                answers.append(None)

        thread = threading.Thread(target=talk, name="ask a worker", daemon=True)
        began = time.monotonic()
        thread.start()
        thread.join(seconds)
        if thread.is_alive():
            self.end()
            thread.join()
            raise isolated.too_long(seconds)
        answer = answers[0]
        if answer is None:
            self.end()
            late = time.monotonic() - began > seconds
            raise isolated.too_long(seconds) if late else isolated.too_large()
        if answer[:1] == b"!":
            template, values = json.loads(answer[1:])
            raise _again(template, **values)
        return answer[1:]


_again = BPEError
"""An error of the module: its sentence stands where it was first raised."""


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    while processes:
        process = processes.pop()
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was still to be written
                    continue


def _block(file: IO[bytes]) -> bytes | None:
    """Read a number of bytes and then as many; ``None`` where the other end is gone."""
    head = file.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    (size,) = _SIZE.unpack(head)
    data = file.read(size)
    return data if len(data) == size else None


def _serve(module: str, memory: int) -> None:
    """Answer until nobody asks any more."""
    isolated.limit(int(OPEN_SECONDS), memory)
    answer: Callable[[bytes], bytes] | None = None
    while (question := _block(sys.stdin.buffer)) is not None:
        reply = b"."
        try:
            if answer is None:
                answer = importlib.import_module(module).opened(question)
            else:
                isolated.limit(int(time.process_time() + SECONDS), memory)
                reply = b"." + answer(question)
        except BPEError as error:
            reply = b"!" + json.dumps([error.template, error.values], default=str).encode()
        except MemoryError:
            return
        except Exception as reason:  # of whatever kind: the libraries that read files have many
            values = {"reason": type(reason).__name__}
            reply = b"!" + json.dumps(["The file is broken ({reason}).", values]).encode()
        sys.stdout.buffer.write(_SIZE.pack(len(reply)) + reply)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
