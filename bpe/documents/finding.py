"""Find the files that names, folders and patterns of names stand for on this machine.

In folders hidden files and those that are no text are left out, as ripgrep does.
"""

import glob
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bpe.documents.stream import compression_of, is_known, kind_of
from bpe.errors import BPEError

_GLOB = re.compile(r"[*?[]")
_BINARY = b"\0"
_LOOKED_AT = 8000


def find(names: Iterable[str]) -> tuple[list[Path], list[Path]]:
    """Return the files that are named, each once, and those that were left out of folders.

    A name that leads to no file raises :class:`BPEError`.
    """
    found: list[Path] = []
    left_out: list[Path] = []
    for name in names:
        if exists(name):
            paths = [Path(name)]
        elif not _GLOB.search(name):
            raise BPEError("There is no file “{name}”.", name=name)
        elif not (paths := matching(name)):
            raise BPEError("No file fits “{name}”.", name=name)
        for path in paths:
            found.extend(_files_of(path, left_out))
    return list(dict.fromkeys(found)), left_out


def exists(name: str) -> bool:
    """Return whether a file, folder or link has that name; a long text is no name at all."""
    try:
        return os.path.lexists(name)
    except (OSError, ValueError):
        return False


def matching(pattern: str) -> list[Path]:
    """Return what fits a pattern of names, sorted; nothing where it is none."""
    if not _GLOB.search(pattern):
        return []
    return [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]


def _files_of(path: Path, left_out: list[Path]) -> list[Path]:
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for file in _visible(path):
        (left_out if _is_binary(file) else found).append(file)
    if not found:
        raise BPEError("There is no text file in “{name}”.", name=str(path))
    return found


def _visible(folder: Path) -> Iterator[Path]:
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
        files = (Path(directory, name) for name in sorted(names) if not name.startswith("."))
        yield from (file for file in files if file.is_file())


def _is_binary(path: Path) -> bool:
    """Return whether a file is no text, as git decides it, and of no kind that is read here."""
    name = path.name.lower()
    if kind_of(name) in (".pdf", ".docx", ".parquet") or (compression_of(name) and is_known(name)):
        return False
    with path.open("rb") as file:
        return _BINARY in file.read(_LOOKED_AT)
