"""The other end of a sandboxed process: calls a function, and answers until its parent is gone."""

import contextlib
import importlib
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bpe.errors import BPEError
from bpe.sandbox.codec import error_to_bytes, read_block, write_block
from bpe.sandbox.places import MEMORY
from bpe.sandbox.process import be_ended_first, end_with_parent


def limit_memory(memory: int) -> None:
    """Have the kernel refuse more than ``memory`` bytes; on Windows nothing does."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        kind, taken = resource.RLIMIT_AS, MEMORY  # what libraries reserve, where nothing tells
        with contextlib.suppress(OSError, ValueError, IndexError):
            status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
            taken = 1024 * int(status.partition("VmData:")[2].partition("kB")[0])
            kind = resource.RLIMIT_DATA
        resource.setrlimit(kind, (taken + memory, taken + memory))


def limit_time(seconds: float) -> None:
    """Have the kernel end this process after so much more time of the processor; 0 for no limit."""
    with contextlib.suppress(ImportError, AttributeError):  # Windows has none of it
        import signal

        signal.setitimer(signal.ITIMER_PROF, seconds)


def serve() -> None:
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints is no answer
    name, memory, options = json.loads(read_block(questions) or b"[]")
    module, _, function = name.partition(":")
    answer: Callable[..., Any] = getattr(importlib.import_module(module), function)
    limit_memory(memory)
    while (question := read_block(questions)) is not None:
        limit_time(*struct.unpack_from("<d", question))
        reply = b"."
        try:
            result = answer(question[8:], **options)
            if callable(result):
                answer, options = result, {}
            else:
                reply += result
        except MemoryError:
            return
        except Exception as reason:  # of whatever kind: the libraries that read files have many
            if not isinstance(reason, BPEError):
                reason = BPEError("The file is broken ({reason}).", reason=type(reason).__name__)
            reply = b"!" + error_to_bytes(reason)
        limit_time(0)
        write_block(answers, reply)
        answers.flush()


if __name__ == "__main__":
    end_with_parent(int(sys.argv[1]))
    be_ended_first()
    serve()
