"""Count the words of a corpus in many files, in this process or by any executor.

Each shard is counted by itself into a file of counts (:mod:`bpe.scale.count_files`), and these are
added up a part at a time, :data:`_AT_ONCE` files in one step: a tree whose nodes any worker can do.
The files of a folder that is kept are not counted again, so a count that was stopped goes on.
"""

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from bpe import compiled
from bpe.algorithm.counts import Counted, WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.scale import count_files, shards
from bpe.scale.running import Job, Run
from bpe.scale.shards import Shard
from bpe.text import cuts
from bpe.training.algorithms import algorithm_of
from bpe.training.count_words import Sources, count_texts, only_texts

_PIECE = 1 << 20
_AT_ONCE = 64
_TEXTS_AT_ONCE = 1 << 23  # characters
_WORTH_KERNELS = 2_000_000


def count_to_file(
    sources: Sources,
    recipe: Recipe,
    out: str | PathLike[str],
    *,
    column: str = "text",
    executor: Executor | None = None,
    keep: str | PathLike[str] | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> Counted:
    """Do what :func:`bpe.count_words` does, and write a file of counts, a part at a time."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(keep) if keep is not None else folder
        jobs, total = _jobs(sources, recipe, column, place, shared=keep is not None)
        run = Run(executor, on_progress, total)
        done = run.all(jobs, threads=1) if executor else run.all(jobs)
        files = [_file(number, each, folder) for number, each in enumerate(done)]
        if not files:
            files = [str(Path(folder, "none" + count_files.SUFFIX))]
            count_files.write(count_files.parts_of(_count([], recipe)[0]), _blank(recipe), files[0])
        return _add_up(sorted(files), str(out), place, run, shared=keep is not None)


_Done: TypeAlias = str | bytes
"""The URL of a file of counts, or its content where no folder is shared."""


def _jobs(
    sources: Sources, recipe: Recipe, column: str, place: str, *, shared: bool
) -> tuple[Iterable[Job], int | None]:
    """Return what is to be counted, each with its size, and the size of all if it is known."""
    if isinstance(sources, str | PathLike):
        found = shards.find(sources, column=column)
    else:
        sources = iter(sources)
        first = next(sources, "")
        rest: Iterator[Any] = chain([first], sources)
        if isinstance(first, str):
            return _jobs_of_texts(only_texts(rest), recipe), None
        found = tuple(dict.fromkeys(_found(rest, column)))
    target = place if shared else None
    return (
        [(_count_shard, (shard, recipe, target), shard.size) for shard in found],
        sum(shard.size for shard in found),
    )


def _found(sources: Iterable[Any], column: str) -> Iterator[Shard]:
    for source in sources:
        if isinstance(source, Shard):
            yield source
        elif isinstance(source, PathLike):
            yield from shards.find(source, column=column)
        else:
            raise BPEError(
                "A corpus is texts, or files as Path or Shard, but not both: {value!r}.",
                value=source,
            )


def _jobs_of_texts(texts: Iterator[str], recipe: Recipe) -> Iterator[Job]:
    """Gather texts to what is worth sending to a worker."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _TEXTS_AT_ONCE:
            yield _count_texts, (batch, recipe), size
            batch, size = [], 0
    if batch:
        yield _count_texts, (batch, recipe), size


# What a worker does.


def _count_texts(texts: list[str], recipe: Recipe, *, threads: int | None = None) -> bytes:
    words, counted = _count([[text] for text in texts], recipe, threads)
    return _as_bytes(words, counted)


def _count_shard(
    shard: Shard, recipe: Recipe, keep: str | None, *, threads: int | None = None
) -> _Done:
    """Count a shard into the folder that is kept, if it is not there yet; else return its counts.

    The name of the file says what was counted and how.
    """
    url = f"{keep}/{_key(shard, recipe)}{count_files.SUFFIX}" if keep is not None else ""
    if url and _is_done(url):
        return url
    if shard.size >= _WORTH_KERNELS:
        compiled.warm(background=False, part="train")
    words, counted = _count(shards.documents(shard), recipe, threads)
    if not url:
        return _as_bytes(words, counted)
    count_files.write(count_files.parts_of(words), counted, url)
    return url


def _count(
    documents: Iterable[Iterable[str]], recipe: Recipe, threads: int | None = None
) -> tuple[WordCounts, Counted]:
    """Count documents that come as blocks of text, holding as little of each as can be."""
    number = size = 0

    def pieces() -> Iterator[str]:
        nonlocal number, size
        for document in documents:
            number += 1
            for piece in _pieces(document, recipe):
                size += len(piece.encode())
                yield piece

    words = count_texts(pieces(), recipe, threads=threads)
    return words, _blank(recipe, number, size)


def _blank(recipe: Recipe, documents: int = 0, size: int = 0) -> Counted:
    return Counted(
        recipe.algorithm,
        recipe.pattern,
        recipe.normalisation,
        recipe.special_tokens,
        documents,
        size,
        "",
        in_order=False,
    )


def _pieces(document: Iterable[str], recipe: Recipe) -> Iterator[str]:
    """Cut a document where no word reaches across; a whole one where nobody knows such a place."""
    cutter = algorithm_of(recipe).cutter()
    if cutter is None:
        yield "".join(document)
        return
    tokens = recipe.special_tokens
    for piece, _ in cuts.pieces(
        document, lambda text, after: cuts.cut_around(cutter, text, after, tokens), _PIECE
    ):
        yield piece


def _key(shard: Shard, recipe: Recipe) -> str:
    said = [
        count_files.VERSION,
        shard.url,
        shard.size,
        shard.version,
        shard.column if shard.kind != ".txt" else "",
        recipe.algorithm,
        recipe.pattern,
        recipe.normalisation,
        recipe.special_tokens,
    ]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]


def _is_done(url: str) -> bool:
    system, path = shards.file_system(url)
    if not system.exists(path):
        return False
    try:
        with count_files.opened(url):
            return True
    except BPEError:  # cut off while it was copied
        return False


def _as_bytes(words: WordCounts, counted: Counted) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "counts.parquet")
        count_files.write(count_files.parts_of(words), counted, str(path))
        return path.read_bytes()


# What the caller does.


def _file(number: int, done: _Done, folder: str) -> str:
    """Return the URL of counts, after writing them to a file where they are content."""
    if isinstance(done, str):
        return done
    path = Path(folder, f"{number:08}{count_files.SUFFIX}")
    path.write_bytes(done)
    return str(path)


def _add_up(files: list[str], out: str, place: str, run: Run, *, shared: bool) -> Counted:
    """Add up files of counts, some at a time; only files that workers reach are their work."""
    while len(files) > _AT_ONCE:
        groups = [files[at : at + _AT_ONCE] for at in range(0, len(files), _AT_ONCE)]
        names = [hashlib.sha256("\n".join(group).encode()).hexdigest()[:32] for group in groups]
        merged = [f"{place}/sum-{name}{count_files.SUFFIX}" for name in names]
        todo = [
            (count_files.merge, (group, url), 0)
            for group, url in zip(groups, merged, strict=True)
            if not _is_done(url)
        ]
        for _ in run.all(todo, here=not shared):
            pass
        files = merged
    return count_files.merge(files, out)
