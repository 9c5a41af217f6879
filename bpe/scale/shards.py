"""A corpus in many files: find them, wherever ``fsspec`` reaches, and read each in bounded memory.

A shard is a file of plain text (one document), of JSON lines or of Parquet (a document per row);
the first two may be compressed by gzip or Zstandard. Text is UTF-8. What reads a shard sees each
document as blocks, cut anywhere; :func:`bpe.text.cuts.pieces` cuts them where it is safe.
"""

import codecs
import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import IO, Any, TypeAlias, cast

import pyarrow as arrow
from fsspec.core import url_to_fs
from pyarrow import parquet

from bpe.errors import BPEError
from bpe.text.unicode import scalar_text

KINDS = (".txt", ".jsonl", ".parquet")
COMPRESSIONS = (".gz", ".zst")

_BLOCK = 1 << 20
_ROWS = 1_000
_LONGEST_LINE = 1 << 28


def file_system(url: str) -> tuple[Any, str]:
    """Return the ``fsspec`` file system of a URL and the path in it, or raise BPEError."""
    try:
        system, path = url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise BPEError(
            "“{url}” cannot be opened: {reason}", url=url, reason=str(error)[:200]
        ) from error
    return system, path


@dataclass(frozen=True)
class Shard:
    """One file of a corpus.

    ``version`` changes when its content does (the store's tag, or the time of the last change):
    with ``url``, ``size`` and ``column`` it says which text was counted.
    """

    url: str
    size: int
    """Bytes, as stored."""
    version: str
    column: str
    """The field of JSON lines or Parquet that holds the text."""

    @property
    def compression(self) -> str:
        """``".gz"``, ``".zst"`` or ``""``."""
        suffix = PurePosixPath(self.url).suffix.lower()
        return suffix if suffix in COMPRESSIONS else ""

    @property
    def kind(self) -> str:
        """One of :data:`KINDS`."""
        return _kind(self.url)

    @property
    def name(self) -> str:
        """The last part of the URL."""
        return PurePosixPath(self.url).name


def _kind(url: str) -> str:
    path = PurePosixPath(url)
    if path.suffix.lower() in COMPRESSIONS:
        path = path.with_suffix("")
    return path.suffix.lower()


def find(*sources: str | PathLike[str], column: str = "text") -> tuple[Shard, ...]:
    """Return the shards that paths, folders, globs and URLs stand for, each once, sorted by URL.

    Of a folder or a glob only the files of a kind that can be read count. What leads to no file
    raises :class:`BPEError`.
    """
    found: dict[str, Shard] = {}
    for source in sources:
        for shard in _of_one(fspath(source), column):
            found[shard.url] = shard
    return tuple(found[url] for url in sorted(found))


def _of_one(source: str, column: str) -> Iterator[Shard]:
    system, path = file_system(source)
    try:
        if any(sign in path for sign in "*?["):
            paths, chosen = system.glob(path), False
        elif system.isdir(path):
            paths, chosen = system.find(path), False
        else:
            paths, chosen = [path], True
        readable = [each for each in paths if _is_readable(each)]
        if chosen and not readable:
            raise BPEError(
                "“{name}” is not a kind of file that can be counted here. Use one of: {kinds}; the "
                "first two also with {compressions}.",
                name=source,
                kinds=", ".join(KINDS),
                compressions=", ".join(COMPRESSIONS),
            )
        if not readable:
            raise BPEError(
                "There is no file to read under “{name}”. Use files that end in {kinds}.",
                name=source,
                kinds=", ".join(KINDS),
            )
        for each in readable:
            facts = system.info(each)
            version = next(
                (
                    str(facts[key])
                    for key in ("ETag", "etag", "mtime", "LastModified", "created")
                    if facts.get(key)
                ),
                "",
            )
            yield Shard(system.unstrip_protocol(each), int(facts["size"] or 0), version, column)
    except OSError as error:
        raise BPEError(
            "“{url}” cannot be opened: {reason}", url=source, reason=str(error)[:200]
        ) from error


def _is_readable(path: str) -> bool:
    kind = _kind(path)
    return kind in KINDS and (kind != ".parquet" or path.lower().endswith(".parquet"))


def documents(shard: Shard) -> Iterator[Iterable[str]]:
    """Yield each document of a shard as blocks of text, which must be read before the next one.

    A row without text is left out. What is not UTF-8, not JSON or has no such column raises
    :class:`BPEError` that names the shard and the place.
    """
    if shard.kind == ".parquet":
        for text in _cells(shard):
            yield (text,)
        return
    with _opened(shard) as file:
        if shard.kind == ".txt":
            yield _decoded(file, shard)
        else:
            for text in _fields(file, shard):
                yield (text,)


@contextmanager
def _naming(shard: Shard) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error, arrow.ArrowException) as error:
        raise BPEError(
            "“{name}” could not be read to its end: {reason}",
            name=shard.url,
            reason=str(error)[:200],
        ) from error


@contextmanager
def _opened(shard: Shard) -> Iterator[IO[bytes]]:
    """Open a shard; what is read of it is no longer compressed."""
    system, path = file_system(shard.url)
    with _naming(shard), system.open(path, "rb") as file:
        if shard.compression == ".gz":
            with gzip.open(file, "rb") as plain:
                yield cast(IO[bytes], plain)
        elif shard.compression == ".zst":
            with arrow.CompressedInputStream(arrow.PythonFile(file), "zstd") as plain:
                yield plain
        else:
            yield file


def _decoded(file: IO[bytes], shard: Shard) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    done = 0
    while True:
        with _naming(shard):
            block = file.read(_BLOCK)
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            raise BPEError(
                "“{name}” is not UTF-8: byte {place} does not belong there. Convert the file, for "
                "example by iconv.",
                name=shard.url,
                place=f"{done + len(block) - len(error.object) + error.start:,}",
            ) from error
        done += len(block)
        if text:
            yield text
        if not block:
            return


def _lines(file: IO[bytes], shard: Shard) -> Iterator[bytes]:
    """Yield the lines of a file, whatever object it is read from."""
    begun: list[bytes] = []
    length = 0
    while block := file.read(_BLOCK):
        first, *more = block.split(b"\n")
        begun.append(first)
        length += len(first)
        if more:
            yield b"".join(begun)
            yield from more[:-1]
            begun, length = [more[-1]], len(more[-1])
        if length > _LONGEST_LINE:
            raise BPEError(
                "A line of “{name}” is longer than {limit} MB. Is it one JSON value per line?",
                name=shard.url,
                limit=_LONGEST_LINE >> 20,
            )
    yield b"".join(begun)


def _fields(file: IO[bytes], shard: Shard) -> Iterator[str]:
    for number, line in enumerate(_lines(file, shard), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line)
        except (ValueError, RecursionError) as error:
            raise BPEError(
                "Line {line} of “{name}” is not JSON: {reason}",
                line=f"{number:,}",
                name=shard.url,
                reason=str(error)[:200],
            ) from error
        if isinstance(value, dict):
            if shard.column not in value:
                raise BPEError(
                    "Line {line} of “{name}” has no field “{column}”. Choose one of: {columns}.",
                    line=f"{number:,}",
                    name=shard.url,
                    column=shard.column,
                    columns=", ".join(map(str, list(value)[:20])) or "–",
                )
            value = value[shard.column]
        if value is None or value == "":
            continue
        if not isinstance(value, str):
            raise BPEError(
                "Line {line} of “{name}” has no text, but {value}.",
                line=f"{number:,}",
                name=shard.url,
                value=repr(value)[:80],
            )
        yield scalar_text(value)


def _cells(shard: Shard) -> Iterator[str]:
    system, path = file_system(shard.url)
    with _naming(shard), system.open(path, "rb") as file:
        table = parquet.ParquetFile(file)
        if shard.column not in table.schema_arrow.names:
            raise BPEError(
                "“{name}” has no column “{column}”. Choose one of: {columns}.",
                name=shard.url,
                column=shard.column,
                columns=", ".join(table.schema_arrow.names) or "–",
            )
        for batch in table.iter_batches(batch_size=_ROWS, columns=[shard.column]):
            for cell in batch.column(0).to_pylist():
                if cell is None or cell == "":
                    continue
                if not isinstance(cell, str):
                    raise BPEError(
                        "The column “{column}” of “{name}” has no text, but {value}.",
                        column=shard.column,
                        name=shard.url,
                        value=repr(cell)[:80],
                    )
                yield cell


@contextmanager
def written_whole(url: str) -> Iterator[str]:
    """Give a place to write to; what was written there is moved to ``url`` at the end."""
    system, path = file_system(url)
    local = "file" in system.protocol
    if local:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    number, place = tempfile.mkstemp(
        suffix=".part", prefix=".", dir=Path(path).parent if local else None
    )
    os.close(number)
    try:
        yield place
        if local:
            os.replace(place, path)
        else:  # a store shows an object when all of it has come
            system.put_file(place, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(place)


Paths: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str] | Shard]
"""A path, folder, glob or URL, or several of them; or shards that were found before."""


def find_all(paths: Paths, *, column: str = "text") -> tuple[Shard, ...]:
    """Return the shards of paths as :func:`find` does, each once, those found before first."""
    if isinstance(paths, str | PathLike):
        return find(paths, column=column)
    given = list(paths)
    ready = [path for path in given if isinstance(path, Shard)]
    others = [path for path in given if not isinstance(path, Shard)]
    return tuple(dict.fromkeys([*ready, *find(*others, column=column)]))
