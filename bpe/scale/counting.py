"""Count the words of a corpus in many files, in this process or by any executor.

Each shard is counted by itself into a file of counts (:mod:`bpe.scale.count_files`), and these are
added up a part at a time, :data:`_AT_ONCE` files in one step: a tree whose nodes any worker can do.
With ``keep`` the counts of each file stay in a folder, so that a count that was stopped resumes.
"""

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from bpe import compiled
from bpe.algorithm.counts import Counted, WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.scale import count_files as files_of_counts
from bpe.scale import shards
from bpe.scale.running import Job, Run
from bpe.scale.shards import Paths, Shard
from bpe.text import cuts
from bpe.training.algorithms import algorithm_of
from bpe.training.count_words import count_texts

_log = logging.getLogger(__name__)

_PIECE = 1 << 20
_AT_ONCE = 64
_WORTH_KERNELS = 2_000_000


def count_files(
    paths: Paths,
    recipe: Recipe,
    *,
    column: str | None = None,
    executor: Executor | None = None,
    keep: str | PathLike[str] | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> WordCounts:
    """Count the words of files as the recipe cuts them; train on the result as on their texts.

    ``paths`` is a path, folder, glob or URL (``"s3://bucket/*.jsonl.gz"``), or several of them, as
    text or ``Path``, or what :func:`bpe.scale.shards.find` returns. ``column`` is the one of tables
    that has the text; without it, the one that looks like text in the first of them. ``executor``
    is any of ``concurrent.futures``, or Dask's ``Client.get_executor()``. ``keep`` is a folder or
    URL for the counts of each file: what is done there is not counted again, and workers elsewhere
    must reach it.

    Words are in a canonical order, whatever the files and their order; the counts are those of
    :func:`bpe.count_words` on the texts.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder, "all" + files_of_counts.SUFFIX))
        count_to_file(
            paths, recipe, out, column=column, executor=executor, keep=keep, on_progress=on_progress
        )
        return files_of_counts.read(out)


def count_to_file(
    paths: Paths,
    recipe: Recipe,
    out: str | PathLike[str],
    *,
    column: str | None = None,
    executor: Executor | None = None,
    keep: str | PathLike[str] | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> Counted:
    """Do what :func:`count_files` does, and write a file of counts, a part at a time."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(keep) if keep is not None else folder
        jobs, total = _jobs(paths, recipe, column, place, shared=keep is not None)
        run = Run(executor, on_progress, total)
        done = run.all(jobs, threads=1) if executor else run.all(jobs)
        files = [_file(number, each, folder) for number, each in enumerate(done)]
        if not files:
            files = [str(Path(folder, "none" + files_of_counts.SUFFIX))]
            nothing, counted = _count([], recipe)
            files_of_counts.write(files_of_counts.parts_of(nothing), counted, files[0])
        return _add_up(sorted(files), str(out), place, run, shared=keep is not None)


_Done: TypeAlias = str | bytes
"""The URL of a file of counts, or its content where no folder is shared."""


def _jobs(
    paths: Paths, recipe: Recipe, column: str | None, place: str, *, shared: bool
) -> tuple[Iterable[Job], int]:
    found = shards.find_all(paths, column=column)
    target = place if shared else None
    return (
        [(_count_shard, (shard, recipe, target), shard.size) for shard in found],
        sum(shard.size for shard in found),
    )


# What a worker does.


def _count_shard(
    shard: Shard, recipe: Recipe, keep: str | None, *, threads: int | None = None
) -> _Done:
    """Count a shard into the folder ``keep``, unless it is there; without one return its counts.

    The name of the file is made of the shard and of all in the recipe that decides on words.
    """
    url = f"{keep}/{_key(shard, recipe)}{files_of_counts.SUFFIX}" if keep is not None else ""
    if url and _is_done(url):
        return url
    if shard.size >= _WORTH_KERNELS:
        compiled.warm(background=False, part="train")
    words, counted = _count(shards.documents(shard), recipe, threads)
    if not url:
        return _as_bytes(words, counted)
    files_of_counts.write(files_of_counts.parts_of(words), counted, url)
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
    return words, Counted.by(recipe, number, size, "", in_order=False)


def _pieces(document: Iterable[str], recipe: Recipe) -> Iterator[str]:
    """Cut a document where no word reaches across; where no such place is known, leave it whole."""
    cutter = algorithm_of(recipe).cutter()
    yield from cuts.between_words(document, cutter, recipe.special_tokens, _PIECE)


def _key(shard: Shard, recipe: Recipe) -> str:
    cut = (recipe.algorithm, recipe.pattern, recipe.normalisation, recipe.special_tokens)
    said = [files_of_counts.VERSION, *shard.key, *cut]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]


def _is_done(url: str) -> bool:
    system, path = shards.file_system(url)
    if not system.exists(path):
        return False
    try:
        with files_of_counts.opened(url) as file:
            for _ in file.parts():
                pass
            return True
    except BPEError as error:  # cut off while it was copied, or changed since
        _log.warning("%s It is counted again.", error)
        return False


def _as_bytes(words: WordCounts, counted: Counted) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "counts.parquet")
        files_of_counts.write(files_of_counts.parts_of(words), counted, str(path))
        return path.read_bytes()


# What the caller does.


def _file(number: int, done: _Done, folder: str) -> str:
    """Return the URL of counts, after writing them to a file where they are content."""
    if isinstance(done, str):
        return done
    path = Path(folder, f"{number:08}{files_of_counts.SUFFIX}")
    path.write_bytes(done)
    return str(path)


def _add_up(files: list[str], out: str, place: str, run: Run, *, shared: bool) -> Counted:
    """Add up files of counts, some at a time; only files that workers reach are their work."""
    while len(files) > _AT_ONCE:
        groups = [files[at : at + _AT_ONCE] for at in range(0, len(files), _AT_ONCE)]
        names = [hashlib.sha256(os.fsencode("\n".join(group))).hexdigest()[:32] for group in groups]
        merged = [f"{place}/sum-{name}{files_of_counts.SUFFIX}" for name in names]
        todo = [
            (files_of_counts.merge, (group, url), 0)
            for group, url in zip(groups, merged, strict=True)
            if not _is_done(url)
        ]
        for _ in run.all(todo, here=not shared):
            pass
        files = merged
    return files_of_counts.merge(files, out)
