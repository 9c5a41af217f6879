"""Work on what a stranger brought, in a process of its own with limits of memory and time.

A PDF, a compressed table or a regular expression of a few bytes can ask for gigabytes or for
hours, and no thread can be stopped from outside. :func:`run` starts this module as a program,
which calls the function ``isolated(data, **options)`` of one module and writes back what it
returned: values that JSON can hold, and texts.
"""

import contextlib
import importlib
import json
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from bpe.errors import BPEError

SECONDS = 60.0
MEMORY = 2 * 2**30
"""Bytes of address space, of which the interpreter and its libraries take some hundred MB."""

_BLOCK = 1 << 20
_WAIT = 0.05
_ROOT = Path(__file__).parents[2]


_again = BPEError
"""An error of the function: its sentence stands where it was first raised."""


class TooLongError(BPEError):
    """The time was over."""


class TooLargeError(BPEError):
    """The memory was used up."""


class Answer(NamedTuple):
    """What the function returned."""

    values: Any
    texts: list[str]


def run(
    module: str,
    data: bytes,
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    on_wait: Callable[[], object] = lambda: None,
    **options: object,
) -> Answer:
    """Call ``isolated(data, **options)`` of ``module`` in a new process; return what it returns.

    ``on_wait`` is called some 20 times a second meanwhile; what it raises ends the process. A
    :class:`BPEError` of the function is raised here; the end of time or memory is one, too.
    """
    request = json.dumps([module, seconds, memory, options]).encode() + b"\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "bpe.sandbox.isolated"],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    answers: list[bytes] = []
    talk = threading.Thread(
        target=lambda: answers.append(process.communicate(request + data)[0]), daemon=True
    )
    started = time.monotonic()
    with process:
        talk.start()
        try:
            while talk.is_alive():
                on_wait()
                if time.monotonic() - started > seconds:
                    raise too_long(seconds)
                talk.join(_WAIT)
        finally:
            process.kill()
            talk.join()
    return _unpacked(answers[0], process.returncode, seconds)


def too_long(seconds: float) -> TooLongError:
    """Return the error that says that the time was over."""
    return TooLongError(
        "Reading it took longer than {seconds:.0f} seconds and was stopped. Use a smaller part.",
        seconds=seconds,
    )


def too_large() -> TooLargeError:
    """Return the error that says that there was no more memory."""
    return TooLargeError("Reading it needs more memory than there is for it. Use a smaller part.")


def _unpacked(answer: bytes, code: int, seconds: float) -> Answer:
    """Read what :func:`_packed` wrote; nothing at all means that the process was ended."""
    if not answer:
        # SIGXCPU and SIGKILL come from the limit of time; all else is memory that was refused.
        raise too_long(seconds) if code in (-24, -9) else too_large()
    head = answer[: answer.index(b"\n")]
    kind, values, count = json.loads(head)
    if kind == "error":
        raise _again(values[0], **values[1])
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


def _packed(kind: str, values: object, texts: Iterable[str] = ()) -> bytes:
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    head = json.dumps([kind, values, len(parts)]).encode() + b"\n"
    return b"".join([head, struct.pack(f"<{len(parts)}Q", *map(len, parts)), *parts])


def _answer() -> bytes:
    request = sys.stdin.buffer.readline()
    module, seconds, memory, options = json.loads(request)
    limit(seconds, memory)
    try:
        return _packed(
            "answer", *importlib.import_module(module).isolated(sys.stdin.buffer.read(), **options)
        )
    except BPEError as said:
        error = said
    except MemoryError:
        return b""
    except Exception as reason:  # of whatever kind: the libraries that read files have many
        error = BPEError("The file is broken ({reason}).", reason=type(reason).__name__)
    return _packed("error", [error.template, error.values])


def limit(seconds: float, memory: int) -> None:
    """Let the kernel hold the limits; where there are none (Windows), only time is bounded."""
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        end, hardest = int(seconds) + 1, resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (end, hardest))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.stdout.buffer.write(_answer())
