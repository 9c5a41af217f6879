"""The memory and cores that the machine gives this process: all, or what a container may use.

On Linux a container is a control group, and the system kills a process of a group that takes more
than its limit, whatever else is free on the machine. Elsewhere nothing is known of limits.
"""

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from math import ceil
from pathlib import Path

from bpe.errors import BPEError, whole_number

_GROUPS = Path("/sys/fs/cgroup")
_OF_THIS_PROCESS = Path("/proc/self/cgroup")
_OLD = (
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    "total_active_file",
    "total_inactive_file",
)
_NEW = ("memory.max", "memory.current", "active_file", "inactive_file")
_NO_LIMIT = 1 << 60
"""The old groups have no word for "no limit", but the largest number of pages."""


def memory_limit() -> int | None:
    """Return how many bytes this process may have at the most, or ``None`` if that is unknown."""
    limits = [limit for limit, _used in _limits_and_use()]
    with suppress(AttributeError, OSError, ValueError):  # not a Unix, or one without such a name
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(limits, default=None)


def available_memory() -> int | None:
    """Return how many bytes this process could still get, or ``None`` if that is unknown."""
    free = [limit - used for limit, used in _limits_and_use()]
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    free += [_bytes(line) for line in lines if line.startswith("MemAvailable:")]
    return max(0, min(free)) if free else None


_threads = 0


def set_num_threads(threads: int | None) -> None:
    """Have encoders use so many threads where a call does not say; ``None``: as many as cores."""
    global _threads
    _threads = _checked(threads)


def num_threads(wanted: int | None = None) -> int:
    """Return how many threads a call uses: as many as it says, else as are set, else all cores.

    Set by :func:`set_num_threads`, or by ``BPE_NUM_THREADS`` in the environment.
    """
    variable = os.environ.get("BPE_NUM_THREADS", "")
    of_environment = int(variable) if variable.isascii() and variable.isdigit() else 0
    return _checked(wanted) or _threads or of_environment or cores()


def _checked(threads: int | None) -> int:
    if threads is not None and whole_number(threads, at_least=1) is None:
        raise BPEError("A number of threads is 1 or more, not {value!r}.", value=threads)
    return threads or 0


@cache
def cores() -> int:
    """Return how many cores this process may use: by its affinity, and the quota of a container."""
    installed = os.cpu_count() or 1
    with suppress(AttributeError, OSError):  # not Linux
        installed = len(os.sched_getaffinity(0))
    quotas = []
    for group in _groups("cpu"):
        with suppress(OSError, ValueError):
            if (group / "cpu.max").exists():
                quota, period = (group / "cpu.max").read_text().split()
            else:
                quota, period = (
                    (group / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period")
                )
            if int(quota) > 0:  # where there is none, -1 or "max"
                quotas.append(int(quota) / int(period))
    return max(1, min([installed, *map(ceil, quotas)]))


def of_libc(name: str) -> Callable[..., int] | None:
    try:
        function: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError, TypeError):  # not glibc; Windows has no CDLL(None)
        return None
    return function


def trim() -> None:
    """Give the free pages between what is in use back to the system; it takes milliseconds.

    Much work in small blocks, or in other threads, frees memory that the C library keeps.
    """
    if (malloc_trim := of_libc("malloc_trim")) is not None:
        malloc_trim(0)


make_room: Callable[[int], object] = lambda needed: None  # noqa: E731
"""Called with the number of bytes that are needed and not free; a program with caches sets it."""

share = 0.8
"""Of what is free, what may be granted: the rest is for memory that is taken without asking."""
_TAKEN_AFTER = 5.0
"""Seconds in which a thread takes what it was granted."""
_granted: dict[int, tuple[float, int]] = {}
"""When each thread was granted how much last."""
_granting = threading.Lock()


def require_memory(needed: int) -> None:
    """Raise :class:`BPEError` where there is no room for so many bytes.

    What other threads were granted in the last seconds is theirs, whether they have it or not yet.
    """
    for try_again in (True, False):
        available = available_memory()
        if available is None or (missing := _grant(needed, int(share * available))) <= 0:
            return
        if try_again:
            make_room(int((available * share + missing) / share))
    raise BPEError(
        "This needs some {needed} MB of memory, which are not free at the moment. Use a smaller "
        "part, or try again later.",
        needed=f"{needed >> 20:,}",
    )


def _grant(needed: int, free: int) -> int:
    """Note what this thread will take, if that is free; return how much is missing."""
    now, this = time.monotonic(), threading.get_ident()
    with _granting:
        for thread, (when, _size) in list(_granted.items()):
            if thread == this or now - when > _TAKEN_AFTER:
                del _granted[thread]
        missing = needed + sum(size for _when, size in _granted.values()) - free
        if missing <= 0:
            _granted[this] = now, needed
    return missing


def _bytes(line: str) -> int:
    return int(line.split()[1]) * 1024


def _limits_and_use() -> Iterator[tuple[int, int]]:
    """Yield the limit of each control group that has one, and what its processes use of it.

    Of files, the system drops what is in memory before it kills anybody: that counts as free.
    """
    for folder in _groups():
        limit_of, use_of, *files = _OLD if (folder / _OLD[0]).exists() else _NEW
        try:
            limit, used = (int((folder / name).read_text()) for name in (limit_of, use_of))
            lines = (folder / "memory.stat").read_text().splitlines()
            stat = dict(line.split(" ", 1) for line in lines)
        except (OSError, ValueError):  # there is no such group, or it has no limit ("max")
            continue
        if limit < _NO_LIMIT:
            yield limit, used - sum(int(stat.get(name, 0)) for name in files)


def _groups(controller: str = "memory") -> Iterator[Path]:
    try:
        lines = _OF_THIS_PROCESS.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0":
            root = _GROUPS
        elif controller in controllers.split(","):
            root = _GROUPS / controller
        else:
            continue
        group = Path(path.lstrip("/"))  # not to be seen from within a container, but for its root
        yield from (root / each for each in (group, *group.parents))
