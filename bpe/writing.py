"""Files that are there whole or not at all, also after a crash of the machine.

They are written under another name beside their place, synced and renamed. What a process that was
killed has left unfinished is deleted by the next one that writes in that folder.
"""

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_UNFINISHED = re.compile(r"\.([0-9a-f]{64}\.)?([0-9a-z_]{8}|[0-9a-f]{16})\.part")
_ABANDONED_SECONDS = 60


@contextmanager
def written_whole(place: Path) -> Iterator[Path]:
    """Give a path to write to; what was written there is moved to ``place`` at the end.

    Where ``place`` is a link, it stays, and leads to what was written.
    """
    place = place.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(place.parent)
    unfinished = place.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with unfinished.open("xb") as file:
            _lock(file.fileno())
            yield unfinished
            os.fsync(file.fileno())  # or the name may outlive what it names in a crash
            os.utime(unfinished)  # from here on without its lock: it is not old
        os.replace(unfinished, place)
        _sync(place.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _lock(number: int) -> bool:
    """Lock an open file until it is closed, by the end of its process at the latest."""
    try:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _remove_abandoned(folder: Path) -> None:
    for path in folder.glob(".*.part"):
        with suppress(OSError):
            is_old = time.time() - path.stat().st_mtime > _ABANDONED_SECONDS
            if is_old and _UNFINISHED.fullmatch(path.name):
                with path.open("rb") as file:
                    if _lock(file.fileno()):
                        path.unlink()


def _sync(folder: Path) -> None:
    with suppress(OSError):  # Windows opens no folders
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
