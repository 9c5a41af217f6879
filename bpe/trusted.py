"""Folders and files that code may be loaded from: only the user can write them.

Machine code and pickles run as they are, and a checksum inside of them is no signature: an
attacker who writes the file writes the checksum, too. So a file counts only where it and its folder
belong to the user, to root or to the owner of this package, and where only users may write it who
could change the package itself.
"""

import os
import stat
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parent
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


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
