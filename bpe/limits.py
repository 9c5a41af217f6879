"""The memory that the machine gives this process: what is installed, or what a container may use.

On Linux a container is a control group, and the system kills a process of a group that takes more
than its limit, whatever else is free on the machine. Elsewhere nothing is known of limits.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

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


def _groups() -> Iterator[Path]:
    """Yield the folders of this process's control groups for memory, from within outwards."""
    try:
        lines = _OF_THIS_PROCESS.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0":
            root = _GROUPS
        elif "memory" in controllers.split(","):
            root = _GROUPS / "memory"
        else:
            continue
        group = Path(path.lstrip("/"))  # not to be seen from within a container, but for its root
        yield from (root / each for each in (group, *group.parents))
