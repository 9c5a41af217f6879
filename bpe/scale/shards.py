"""A corpus in many files: find them wherever ``fsspec`` reaches, and share the work to workers."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field, replace
from itertools import islice
from os import PathLike, fspath
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeAlias, cast

import pyarrow as arrow
from fsspec.core import url_to_fs
from pyarrow import parquet

from bpe import writing
from bpe.documents import reader
from bpe.documents.charset import SUFFIXES
from bpe.documents.reader import File
from bpe.documents.tables import GUESS, Choice, Notes
from bpe.errors import BPEError
from bpe.progress import OnProgress, Progress

WORD_TYPES = (arrow.binary(), arrow.large_binary(), arrow.string(), arrow.large_string())
"""Types that the words of a file of counts may have."""


def file_system(url: str) -> tuple[Any, str]:
    """Return the ``fsspec`` file system of a URL and the path in it, or raise BPEError."""
    with opening(url, (ValueError, ImportError)):
        return url_to_fs(url)  # type: ignore[no-any-return]


@contextmanager
def opening(
    url: str, kinds: type[Exception] | tuple[type[Exception], ...] = OSError
) -> Iterator[None]:
    """Raise :class:`BPEError` where a system of files refuses a URL."""
    try:
        yield
    except kinds as error:
        raise BPEError(
            "“{url}” cannot be opened: {reason}", url=url, reason=str(error)[:200]
        ) from error


@dataclass(frozen=True)
class Shard:
    """One file of a corpus.

    ``version`` changes when its content does (the store's tag, or the time of the last change):
    with ``url``, ``size`` and ``choice`` it says which text was counted.
    """

    url: str
    size: int
    """Bytes, as stored."""
    version: str
    choice: Choice = field(default_factory=Choice)
    unread: tuple[str, ...] = ()
    """Columns that are not read."""

    @property
    def key(self) -> tuple[object, ...]:
        """Identifies the text that is read of it, for a cache."""
        return (self.url, self.size, self.version, *astuple(self.choice))

    @property
    def kind(self) -> str:
        return reader.kind_of(self.url)

    @property
    def name(self) -> str:
        return PurePosixPath(self.url).name

    @property
    def file(self) -> File:
        def opened() -> BinaryIO:
            system, path = file_system(self.url)
            return cast(BinaryIO, system.open(path, "rb"))

        return File(self.url, self.size, opened)


def find(
    *sources: str | PathLike[str],
    choice: Choice = Choice(),  # noqa: B008 - frozen
) -> tuple[Shard, ...]:
    """Return the shards that paths, folders, globs and URLs stand for, each once, sorted by URL.

    Where no column is chosen, tables of one kind have the one that looks like text in the first of
    them. Of a folder here all text files count, elsewhere those whose suffix is known. What leads
    to no file raises :class:`BPEError`.
    """
    if choice.charset == GUESS:
        raise BPEError("The charset of many files is not guessed. Name it, such as gb18030.")
    found = (shard for source in sources for shard in _of_one(fspath(source), choice))
    by_url = {shard.url: shard for shard in found}
    shards = [by_url[url] for url in sorted(by_url)]
    first_of_kind: dict[str, Notes] = {}
    for_texts = reader.for_texts(choice, (shard.url for shard in shards))
    for number, shard in enumerate(shards):
        if not shard.kind:
            shards[number] = replace(shard, choice=for_texts)
        elif not holds_counts(shard):
            if (notes := first_of_kind.get(shard.kind)) is None:
                notes = first_of_kind[shard.kind] = Notes()
                next(reader.read(shard.file, shard.choice, notes), None)
            columns = replace(choice, columns=notes.columns)
            shards[number] = replace(shard, choice=columns, unread=tuple(notes.all_unread))
    return tuple(shards)


def holds_counts(shard: Shard) -> bool:
    """Return whether a shard is a file of counted words (:mod:`bpe.scale.count_files`)."""
    if shard.kind != ".parquet":
        return False
    system, path = file_system(shard.url)
    with system.open(path, "rb") as file:
        try:
            schema = parquet.read_schema(file)
        except (arrow.ArrowException, OSError):  # said where it is read
            return False
    return {"word", "count"} <= set(schema.names) and schema.field("word").type in WORD_TYPES


def _of_one(source: str, choice: Choice) -> Iterator[Shard]:
    system, path = file_system(source)
    with opening(source):
        if "file" in system.protocol:
            paths = [str(each.absolute()) for each in reader.find([path])[0]]
        elif any(sign in path for sign in "*?["):
            paths = list(filter(reader.is_known, system.glob(path)))
        elif system.isdir(path):
            paths = list(filter(reader.is_known, system.find(path)))
        else:
            paths = [path]
        if not paths:
            raise BPEError(
                "There is no file to read under “{name}”. Use files that end in {kinds}.",
                name=source,
                kinds=", ".join(SUFFIXES),
            )
        for each in paths:
            facts = system.info(each)
            versions = map(facts.get, ("ETag", "etag", "mtime", "LastModified", "created"))
            version = str(next(filter(None, versions), ""))
            size = int(facts["size"] or 0)
            yield Shard(system.unstrip_protocol(each), size, version, choice)


def documents(shard: Shard) -> Iterator[Iterable[str]]:
    """Yield each document of a shard as blocks of text, which must be read before the next one.

    See :func:`bpe.documents.reader.read`; what is raised names the shard and the place.
    """
    return reader.read(shard.file, shard.choice)


@contextmanager
def written_whole(url: str) -> Iterator[str]:
    """Give a place to write to, from where the file is moved to ``url`` at the end."""
    system, path = file_system(url)
    if "file" in system.protocol:
        with writing.written_whole(Path(path)) as unfinished:
            yield str(unfinished)
        return
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/whole"
        yield place
        system.put_file(place, path)  # a store shows an object when all of it has come


Paths: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str] | Shard]
"""A path, folder, glob or URL, or several of them; or shards that were found before."""


def folders(paths: Paths) -> list[str]:
    """Return the paths, without shards that were found before."""
    listed = [paths] if isinstance(paths, str | PathLike) else paths
    return [fspath(path) for path in listed if not isinstance(path, Shard)]


def find_all(paths: Paths, *, column: str | Iterable[str] | None = None) -> tuple[Shard, ...]:
    """Return the shards of paths as :func:`find` does, each once, those found before first."""
    choice = Choice((column,) if isinstance(column, str) else tuple(column or ()))
    if isinstance(paths, str | PathLike):
        return find(paths, choice=choice)
    listed = list(paths)
    ready = [path for path in listed if isinstance(path, Shard)]
    others = [path for path in listed if not isinstance(path, Shard)]
    return tuple(dict.fromkeys([*ready, *find(*others, choice=choice)]))


def seal(path: str) -> list[int | str]:
    """Return the size and the SHA-256 digest of a file, by which it can be checked later."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return [os.path.getsize(path), digest]


def is_sealed(url: str, sealed: object) -> bool:
    """Return whether a file is there as it was; one of a store, which checks itself, by size."""
    system, path = file_system(url)
    try:
        if "file" in system.protocol:
            return seal(path) == sealed
        return isinstance(sealed, list) and system.size(path) == sealed[0]
    except OSError:
        return False


Job: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], int]
"""A function, what it is called with, and the size of its work in bytes."""

_UNDER_WAY = 64
_TELL_SECONDS = 0.1


def run(
    jobs: Iterable[Job],
    executor: Executor | None,
    on_progress: OnProgress,
    total: int | None,
    **more: Any,
) -> Iterator[Any]:
    """Yield what each job returns, as they end; what one raises stops the others.

    ``more`` goes to each job, ``on_progress`` hears how many bytes of ``total`` are done. Jobs are
    taken as there is room for them; without an executor they run here.
    """
    sizes = 0

    def add(size: int) -> None:
        nonlocal sizes
        sizes += size
        on_progress(Progress("shards", sizes, total))

    if executor is None:
        for work, arguments, size in jobs:
            yield work(*arguments, **more)
            add(size)
        return
    waiting = iter(jobs)
    running: dict[Future[Any], int] = {}
    try:
        while True:
            for work, arguments, size in islice(waiting, _UNDER_WAY - len(running)):
                running[executor.submit(work, *arguments, **more)] = size
            if not running:
                return
            done, _ = wait(running, _TELL_SECONDS, FIRST_COMPLETED)
            add(0)
            for future in done:
                yield future.result()
                add(running.pop(future))
    except BrokenExecutor as error:
        raise BPEError(
            "A worker has ended in the middle of its work. Where what is done is kept, run "
            "this again: it is not done again."
        ) from error
    finally:
        for future in running:
            future.cancel()
