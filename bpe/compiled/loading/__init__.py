"""Loading the kernels of a part from the cache on disk, where they are linked.

What is cached of a part (:mod:`.cache`) is written by the process that compiles it
(:mod:`.writing`): code that was linked (:mod:`.linking`) and is called without Numba
(:mod:`.linked`), or, where kernels are not linked, a note that Numba's own cache has it.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import sys
from pathlib import Path
from typing import Literal

from bpe.compiled.loading import linked
from bpe.compiled.loading.cache import CACHE, Cache, Entry, file_name, installed
from bpe.writing import make_folder

Part = Literal["encode", "train"]
PARTS: tuple[Part, ...] = ("encode", "train")

SOURCES = ("compiled", "text/unicode.py", "algorithm/unigram.py")
"""Sources that decide on machine code and the tables beside it. Any change counts, as kernels are
inlined into each other."""

can_link = sys.platform == "linux" and os.uname().machine == "x86_64"
"""Whether kernels can be linked: only where that is tested."""

SHIPPED = Cache([Path(__file__).parents[1] / "shipped"])
"""Kernels that came with a wheel, compiled for :data:`PROCESSOR`; a checkout has none."""

PROCESSOR = "x86-64-v3"
"""As compilers call the processors that have what Intel's have had since 2013."""

_HAS = frozenset({"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"})
"""The flags of such a processor, as Linux calls them."""

compiles = False
"""Set to true, before anything else is imported, by the process that compiles."""

_MOST_FILES = 8  # of each part: of checkouts that share the user's cache

_read: dict[Part, Entry] = {}


def cached(part: Part) -> Entry | None:
    """Return what is cached of a part; ``None`` where it has to be compiled."""
    entry = _read.get(part) or CACHE.read(name_of(part))
    if entry is None and can_link and not compiles and set(_processor().split()) >= _HAS:
        entry = SHIPPED.read(shipped_name(part))
    if entry is not None:
        _read[part] = entry
    return entry


def write(part: Part, entry: Entry) -> None:
    """Cache a part beside the package, for whoever runs it, and for other copies of this user."""
    CACHE.write(name_of(part), *reversed(entry), most=_MOST_FILES, everywhere=True)


def is_linked(part: Part) -> bool:
    return can_link and not compiles and cached(part) is not None


def load(part: Part) -> None:
    """Load the linked kernels of a part; :class:`OSError` where there are none."""
    if not is_linked(part):
        raise OSError("There are no linked kernels of this part.")
    linked.place(_read[part])


def name_of(part: Part) -> str:
    """Return the name of the file of a part: by its sources and this machine.

    Linked kernels need neither their compiler any more nor the same Python. What Numba caches does.
    """
    compilers = () if can_link else (sys.version, installed("numba", "llvmlite"))
    return file_name(part, "kernels", SOURCES, (installed("regex"), _processor(), compilers))


def shipped_name(part: Part) -> str:
    """Return the name of the file of a part in a wheel."""
    return file_name(part, "kernels", SOURCES, PROCESSOR)


def folder_of_numba() -> Path | None:
    """Return a folder for Numba's own cache of kernels of these sources; ``None`` without one."""
    made_by = hashlib.sha256(repr(list(map(name_of, PARTS))).encode()).hexdigest()[:16]
    for folder in CACHE.folders:
        with contextlib.suppress(OSError):
            make_folder(folder)
            make_folder(folder / f"numba-{made_by}")
            return folder / f"numba-{made_by}"
    return None


def clear_numba() -> None:
    """Remove what Numba has cached: a file that is cut short would fail each later load."""
    if not is_linked("encode") and (folder := folder_of_numba()) is not None:
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
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
