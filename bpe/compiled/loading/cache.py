"""Files that can be made again at any time: linked kernels, and the tables of vocabularies.

A file holds facts (JSON) and arrays, each at the start of a line of the processor's cache::

    checksum | length of the header | header: facts, kind and items of each array | array | array

The checksum covers the name of the file and all that follows: a file counts as missing if any byte
is damaged, if it was cut short or renamed, and if others may have written it (:mod:`bpe.writing`).
The name says what made it, by the content of the sources and not by where they are: each copy of
this package finds the same files. Those of other versions stay beside them, the last ones.
"""

import contextlib
import hashlib
import json
import os
import stat
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from bpe.writing import is_trusted, make_folder, user_cache, written_whole

_PACKAGE = Path(__file__).parents[2]
_CHECKSUM = hashlib.sha256().digest_size
_LENGTH = struct.Struct("<Q")
_LINE = 64
_VERSIONS = 4
"""Of versions of a file so many stay: of checkouts or environments that share a folder."""
_MOST_BYTES = 1 << 28
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_DAMAGED = (OSError, ValueError, LookupError, TypeError, MemoryError, struct.error)
_NO_FACTS: Mapping[str, Any] = MappingProxyType({})


class Entry(NamedTuple):
    """The content of a file. The arrays can be written to."""

    facts: dict[str, Any]
    arrays: list[memoryview]


class Cache:
    """Files in the first of some folders that can be written; all of them are read."""

    def __init__(self, folders: Iterable[Path | None]) -> None:
        self.folders = [folder for folder in folders if folder is not None]

    def read(self, name: str) -> Entry | None:
        """Return the content of a file; ``None`` where it is missing or damaged."""
        for folder in self.folders:
            with contextlib.suppress(*_DAMAGED):
                return _unpacked(name, _content(folder / name))
        return None

    def write(
        self,
        name: str,
        arrays: Sequence[memoryview | bytes],
        facts: Mapping[str, Any] = _NO_FACTS,
        *,
        family: str | None = None,
        most: int = _VERSIONS,
        everywhere: bool = False,
    ) -> None:
        """Write a file where there is a place for it; ``everywhere``, into each folder that can be.

        Of its ``family``, a pattern of names, the ``most`` that were written last stay; by default
        these are its own versions.
        """
        parts = _packed(name, [memoryview(array) for array in arrays], facts)
        stem, _, version = name.rpartition("-")
        suffix = version.partition(".")[2]
        for folder in self.folders:
            try:
                make_folder(folder)
                with written_whole(folder / name) as unfinished:
                    unfinished.write_bytes(b"".join(parts))
                    unfinished.chmod(0o644)
            except OSError:
                continue
            _remove_oldest(folder, family or f"{stem}-*.{suffix}", most)
            if not everywhere:
                return

    @contextlib.contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Wait until no other process does what this is the name of."""
        with contextlib.ExitStack() as stack:
            for folder in self.folders:
                with contextlib.suppress(ImportError, OSError):
                    import fcntl

                    make_folder(folder)
                    file = stack.enter_context((folder / f"{name}.lock").open("w"))
                    fcntl.flock(file, fcntl.LOCK_EX)
                    break
            yield


CACHE = Cache([Path(__file__).parents[1] / "__pycache__", user_cache()])
"""The files of this process: beside the package, or in the cache of the user."""


def _content(path: Path) -> memoryview:
    if not is_trusted(path):
        raise OSError("It may have been written by others.")
    with open(os.open(path, _OPEN), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
            raise OSError("This is no file of a cache.")
        data = bytearray(status.st_size)
        file.readinto(data)
    return memoryview(data)


def _unpacked(name: str, data: memoryview) -> Entry:
    if _checksum(name, [data[_CHECKSUM:]]) != data[:_CHECKSUM]:
        raise ValueError("It is damaged.")
    header_start = _CHECKSUM + _LENGTH.size
    end = header_start + _LENGTH.unpack_from(data, _CHECKSUM)[0]
    header = json.loads(bytes(data[header_start:end]))
    arrays = []
    for kind, items in header["arrays"]:
        start = _aligned(end)
        end = start + items * struct.calcsize(kind)
        arrays.append(data[start:end].cast(kind))
    return Entry(header["facts"], arrays)


def _packed(name: str, arrays: list[memoryview], facts: Mapping[str, Any]) -> list[bytes]:
    kinds = [(array.format, len(array)) for array in arrays]
    header = json.dumps({"facts": dict(facts), "arrays": kinds}).encode()
    parts = [_LENGTH.pack(len(header)), header]
    end = _CHECKSUM + _LENGTH.size + len(header)
    for array in arrays:
        parts += [bytes(_aligned(end) - end), array.tobytes()]
        end = _aligned(end) + array.nbytes
    return [_checksum(name, parts), *parts]


def _checksum(name: str, parts: Iterable[bytes | memoryview]) -> bytes:
    digest = hashlib.sha256(name.encode())
    for part in parts:
        digest.update(part)
    return digest.digest()


def _aligned(offset: int) -> int:
    return -(-offset // _LINE) * _LINE


def _remove_oldest(folder: Path, pattern: str, most: int) -> None:
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)[:-most]:
            path.unlink(missing_ok=True)


# Names.


@cache
def file_name(kind: str, suffix: str, sources: tuple[str, ...], made_by: object) -> str:
    """Return a name that says what a file is and what made it, wherever that lies.

    ``sources`` are folders or files of this package that decide on the content: a change of one
    makes another name.
    """
    made = *map(_digest_of, sources), made_by
    return f"{kind}-{hashlib.sha256(repr(made).encode()).hexdigest()[:16]}.{suffix}"


@cache
def _digest_of(source: str) -> str:
    """Return a digest of the content of a file of this package, or of all in a folder."""
    path = os.path.join(_PACKAGE, source)
    if not os.path.exists(path):  # within an archive
        archives = [parent.stat() for parent in _PACKAGE.parents if parent.is_file()]
        return repr([(archive.st_mtime_ns, archive.st_size) for archive in archives])
    digest = hashlib.sha256()
    for file in sorted(_sources(path)) if os.path.isdir(path) else [path]:
        with open(file, "rb") as opened:
            content = opened.read()
        digest.update(f"{os.path.relpath(file, path)} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".pyc", ".toml", ".tokens")):
                yield entry.path
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _sources(entry.path)


@cache
def installed(*names: str) -> tuple[str, ...]:
    """Return name and version of those packages that are there, as pip calls their folders.

    :mod:`importlib.metadata` says the same, and takes 0.04 s to be imported.
    """
    versions: dict[str, str] = {}
    for place in sys.path:
        with contextlib.suppress(OSError):
            for entry in os.listdir(place):
                name, _, rest = entry.partition("-")
                if name in names and rest.endswith(".dist-info"):
                    versions.setdefault(name, entry)
    return tuple(sorted(versions.values()))
