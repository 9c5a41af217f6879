"""Loading the kernels of a part from the cache on disk, where they are linked.

What is cached of a part (:mod:`.cache`) is written by the process that compiles it
(:mod:`.writing`): code that was linked (:mod:`.linking`) and is called without Numba
(:mod:`.linked`), or, where nothing can be linked, a note that Numba finds its own
(:mod:`.numba_cache`).
"""

import functools
import os
import sys
from typing import Literal

from bpe.compiled.loading import linked
from bpe.compiled.loading.cache import CACHE, Entry, file_name, installed

Part = Literal["encode", "train"]
PARTS: tuple[Part, ...] = ("encode", "train")

SOURCES = ("compiled", "text/unicode_version.py")
"""What decides on machine code and the tables beside it. Any change counts, as kernels are inlined
into each other."""

can_link = sys.platform == "linux" and os.uname().machine == "x86_64"
"""Whether kernels can be linked: only where that is tested."""

compiles = False
"""Set to true, before anything else is imported, by the process that compiles."""

_read: dict[Part, Entry] = {}


def cached(part: Part) -> Entry | None:
    """Return what is cached of a part; ``None`` where it has to be compiled."""
    entry = _read.get(part) or CACHE.read(name_of(part))
    if entry is not None:
        _read[part] = entry
    return entry


def is_linked(part: Part) -> bool:
    if not can_link or compiles:
        return False
    entry = cached(part)
    return entry is not None and "entries" in entry.facts


def load(part: Part) -> None:
    """Load the linked kernels of a part; :class:`OSError` where there are none."""
    if not is_linked(part):
        raise OSError("There are no linked kernels of this part.")
    linked.place(_read[part])


@functools.cache
def name_of(part: Part) -> str:
    """Return the name of the file of a part: by this package, its libraries and this machine.

    Linked kernels need no compiler any more: it may have been removed.
    """
    libraries = installed("numpy", "regex", *(() if can_link else ("numba", "llvmlite")))
    return file_name(part, "kernels", SOURCES, (libraries, _processor()))


def _processor() -> str:
    """Return what the processor can do, or Numba is told to make the machine code for.

    Elsewhere than on Linux Numba notes it in its own files.
    """
    if told := os.environ.get("NUMBA_CPU_NAME"):
        return f"{told} {os.environ.get('NUMBA_CPU_FEATURES')}"
    if sys.platform != "linux":
        return sys.platform
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        return "".join(line for line in lines if line.startswith(("model name", "flags")))[:8192]
