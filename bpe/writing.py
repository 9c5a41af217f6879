"""Files that are there whole or not at all, also after a crash of the machine.

They are written under another name beside their place, synced and renamed. What a process that was
killed has left unfinished is deleted by the next one that writes in that folder.
"""

import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path

from bpe.errors import BPEError

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


def require_apart(output: str | PathLike[str], inputs: Iterable[str | PathLike[str]]) -> None:
    """Raise :class:`BPEError` where writing ``output`` would replace what is read, or mix with it.

    No input may be the output, by whatever name or link, nor lie in it where it is a folder. URLs
    are compared as they are written.
    """
    place = _place(output)
    for each in inputs:
        path = _place(each)
        with suppress(OSError):
            path, place = path.resolve(), place.resolve()
        if place == path or place in path.parents or _is_same(place, path):
            raise BPEError(
                "“{path}” is read, and “{output}” would replace it or lie around it. Name another "
                "place to write to.",
                path=os.fspath(each),
                output=os.fspath(output),
            )


def require_beside(folder: str | PathLike[str], sources: Iterable[str | PathLike[str]]) -> None:
    """Raise :class:`BPEError` where a folder to write lies in one that is read.

    What is written there would be read the next time.
    """
    for source in sources:
        with suppress(OSError):
            if _place(source).resolve() in (place := _place(folder).resolve(), *place.parents):
                raise BPEError(
                    "“{folder}” lies in “{source}”, which is read: what is written there would be "
                    "read the next time. Name a folder beside it.",
                    folder=os.fspath(folder),
                    source=os.fspath(source),
                )


def _place(name: str | PathLike[str]) -> Path:
    return Path(os.fspath(name).removeprefix("file://"))


def _is_same(one: Path, other: Path) -> bool:
    with suppress(OSError):  # one of them is not there
        return one.samefile(other)
    return False


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
