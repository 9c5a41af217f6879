"""Files that are there whole or not at all, and folders that code may be loaded from.

Files are written under another name beside their place, synced and renamed. What a process that was
killed has left unfinished is deleted by the next one that writes in that folder.

Machine code and pickles run as they are, and a checksum inside of them is no signature: an
attacker who writes the file writes the checksum, too. So a file counts only where it and its folder
belong to the user, to root or to the owner of this package, and where only users may write it who
could change the package itself.
"""

import os
import re
import secrets
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from os import PathLike
from pathlib import Path

from bpe.errors import BPEError

_UNFINISHED = re.compile(r"\.([0-9a-f]{64}\.)?([0-9a-z_]{8}|[0-9a-f]{16})\.part")
_ABANDONED_SECONDS = 60
_PACKAGE = Path(__file__).parent
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


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


def user_cache() -> Path | None:
    """Return the folder of this program in the cache of the user; ``None`` where there is none.

    A relative ``XDG_CACHE_HOME`` is ignored, as its specification says, and so is a home that is
    not known: either would be looked for in the working directory.
    """
    for place, inside in ((os.environ.get("XDG_CACHE_HOME"), "."), ("~", ".cache")):
        if place and os.path.isabs(home := os.path.expanduser(place)):
            return Path(home, inside, "bpe")
    return None


def is_trusted(path: Path) -> bool:
    """Return whether no other user can write a file or a folder, or the folder that it is in."""
    try:
        return path.is_absolute() and all(map(_is_ours, (os.stat(path), os.stat(path.parent))))
    except (OSError, ValueError):
        return False


def make_folder(folder: Path) -> None:
    """Make a folder that others cannot write in, and outside of this package not read either.

    :class:`OSError` if one is there in which they can.
    """
    of_package = _PACKAGE in folder.parents
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o755 if of_package else 0o700, exist_ok=True)
    facts = os.stat(folder)
    if not of_package and hasattr(os, "geteuid") and facts.st_uid == os.geteuid():
        folder.chmod(0o700)  # it may be of a time when others were let in
    elif not _is_ours(facts):
        raise PermissionError(f"Others may write in {folder}.")


def _is_ours(facts: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):  # Windows, where a profile belongs to its user
        return True
    package = _package()
    writers = facts.st_mode & _OTHERS
    if facts.st_gid == package.st_gid or package.st_mode & stat.S_IWOTH:
        writers &= ~package.st_mode
    return facts.st_uid in (0, os.geteuid(), package.st_uid) and not writers


@cache
def _package() -> os.stat_result:
    return os.stat(_PACKAGE)
