"""Files out of a ZIP archive, within bounds, and a note of what is left out.

An archive inside an archive is not opened, and nothing is written to a disk: only bytes are read,
and no more of them than :data:`MAX_BYTES`, whatever the archive says that it holds.
"""

import io
import zipfile
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from bpe.errors import BPEError
from bpe.limits import require_memory

MAX_BYTES = 100 * 2**20
"""The most that the files of an archive may have together, unpacked."""
MAX_FILES = 1_000

_BLOCK = 1 << 20
_LOCKED = 0x1
_UTF8 = 0x800


@dataclass(frozen=True)
class Unpacked:
    """Names and contents of the files that were wanted, and the names of the others."""

    files: tuple[tuple[str, bytes], ...]
    locked: tuple[str, ...]
    """Files that need a password."""
    others: tuple[str, ...]
    """Files of other kinds."""


def unpack(data: bytes, suffixes: Collection[str]) -> Unpacked:
    """Return the files of an archive whose names end in one of ``suffixes`` (".txt").

    A broken archive, too many files or too many bytes raise :class:`BPEError`.
    """
    files: list[tuple[str, bytes]] = []
    locked, others = [], []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if _is_a_file(entry)]
            if len(entries) > MAX_FILES:
                raise BPEError(
                    "The archive has {files} files; the limit is {limit}. Upload a part of them.",
                    files=f"{len(entries):,}",
                    limit=f"{MAX_FILES:,}",
                )
            wanted = []
            for entry in entries:
                name = _name(entry)
                if PurePosixPath(name).suffix.lower() not in suffixes:
                    others.append(name)
                elif entry.flag_bits & _LOCKED:
                    locked.append(name)
                else:
                    wanted.append((name, entry))
            _require_memory([entry.file_size for _name, entry in wanted])
            left = MAX_BYTES
            for name, entry in wanted:
                content = _content(archive, entry, left)
                left -= len(content)
                files.append((name, content))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError) as error:
        raise BPEError(
            "The archive is broken or packed in a way that cannot be read here. Pack it again as "
            "an ordinary ZIP file."
        ) from error
    return Unpacked(tuple(files), tuple(locked), tuple(others))


def _require_memory(sizes: Sequence[int]) -> None:
    """Ask for what files unpack to, of which one at a time is put together from blocks."""
    if sum(sizes) > _BLOCK:
        require_memory(min(MAX_BYTES, sum(sizes)) + min(MAX_BYTES, max(sizes)))


def _is_a_file(entry: zipfile.ZipInfo) -> bool:
    """Whether it is neither a folder nor one of the files that macOS adds to each."""
    return not entry.is_dir() and not entry.filename.startswith("__MACOSX/")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    """Return what the entry unpacks to, block by block, so that other threads have their turn."""
    blocks = []
    with archive.open(entry) as file:
        while block := file.read(_BLOCK):
            left -= len(block)
            if left < 0:
                raise BPEError(
                    "The archive unpacks to more than {limit} MB. Upload a part of its files.",
                    limit=MAX_BYTES >> 20,
                )
            blocks.append(block)
    return b"".join(blocks)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the name of an entry; Windows writes Chinese ones in GBK and does not say so."""
    if entry.flag_bits & _UTF8:
        return entry.filename
    raw = entry.filename.encode("cp437", "replace")
    for charset in ("utf-8", "gb18030"):
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            continue
    return entry.filename
