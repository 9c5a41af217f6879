"""The memory and cores that the machine gives this process, and a cache of limited size.

On Linux a container is a control group, and the system kills a process of a group that takes more
than its limit, whatever else is free on the machine. Elsewhere nothing is known of limits.
"""

import ctypes
import os
import sys
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any, Generic, TypeVar

from bpe.errors import BPEError, whole_number

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

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
    free += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
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
    Nothing is evicted for what is more than there could ever be.
    """
    for try_again in (True, False):
        available = available_memory()
        if available is None or (missing := _grant(needed, int(share * available))) <= 0:
            return
        if needed > share * (memory_limit() or sys.maxsize):
            break
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


class BoundedCache(Generic[Key, Value]):
    """Values by key, of limited size together; the least recently used are evicted first.

    Nothing is evicted that was asked for in the last ``in_use`` seconds: who goes through more
    values than fit, again and again, would otherwise find none of them. Where there is no room even
    so, a new value is returned without being cached. Evicting frees no memory that is still
    referred to, and what is still referred to is not made a second time. All methods may be called
    from several threads.
    """

    def __init__(
        self,
        limit: int | None = None,
        *,
        in_use: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit = limit
        """Bytes of all values together; ``None`` for no limit."""
        self.in_use = in_use
        self.size = 0
        """The sizes of all values, added up."""
        self._entries: OrderedDict[Key, tuple[Value, int, float]] = OrderedDict()
        self._alive: weakref.WeakValueDictionary[Key, Any] = weakref.WeakValueDictionary()
        """Values that were made, as long as anybody has them, evicted or not."""
        self._clock = clock
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def alive(self) -> list[Key]:
        """Return the keys of all values that were made and that anybody has, evicted or not."""
        with self._lock:
            return list(self._alive)

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, which is then the most recently used, or ``None``."""
        with self._lock:
            if key not in self._entries:
                return None
            value, size, _asked = self._entries.pop(key)
            self._entries[key] = value, size, self._clock()
            return value

    def get_or_make(self, key: Key, make: Callable[[], Value], size: int) -> Value:
        """Return the value of a key; where there is none, make it, once for all who ask."""
        if (value := self.get(key)) is not None:
            return value
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            if (value := self.get(key)) is None:
                if (value := self._alive.get(key)) is None:
                    value = make()
                self.put(key, value, size)
                with self._lock, suppress(TypeError):  # a list, a text
                    self._alive[key] = value
        return value

    def put(self, key: Key, value: Value, size: int) -> bool:
        """Cache a value if there is room, or room can be made; return whether it is cached."""
        with self._lock:
            self._drop(key)
            self._alive.pop(key, None)
            if self.limit is not None:
                if size > self.limit:
                    return False
                self._shrink(self.limit - size, self._clock() - self.in_use)
                if self.size + size > self.limit:
                    return False
            self._entries[key] = value, size, self._clock()
            self.size += size
            return True

    def drop(self, goes: Callable[[Value], bool]) -> None:
        """Drop the values for which ``goes`` is true."""
        with self._lock:
            for key in [key for key, value in self._alive.items() if goes(value)]:
                del self._alive[key]
            for key in [key for key, entry in self._entries.items() if goes(entry[0])]:
                self._drop(key)

    def shrink(self, to: int = 0) -> None:
        """Evict the least recently used, those in use as well, until ``to`` bytes are left."""
        with self._lock:
            self._shrink(to, float("inf"))

    def _shrink(self, to: int, before: float) -> None:
        while self.size > to:
            key, (_value, _size, used) = next(iter(self._entries.items()))
            if used > before:
                return
            self._drop(key)

    def _drop(self, key: Key) -> None:
        if key in self._entries:
            self.size -= self._entries.pop(key)[1]
