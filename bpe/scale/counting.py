"""Count the words of a corpus in many files, in this process or by any executor.

Each shard is counted into a file of counts (:mod:`bpe.scale.count_files`), and these are added up
part by part, :data:`_AT_ONCE` files in a step: a tree whose nodes any worker can do.
"""

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Iterable
from concurrent.futures import Executor
from os import PathLike
from pathlib import Path

from bpe import compiled
from bpe.algorithm.counts import Counted, WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.scale import count_files as files_of_counts
from bpe.scale import shards
from bpe.scale.shards import Job, Paths, Shard
from bpe.text import cuts
from bpe.text.digests import CorpusDigest
from bpe.training.algorithms import algorithm_of
from bpe.training.train import count_texts
from bpe.writing import require_apart

_log = logging.getLogger(__name__)

_PIECE = 1 << 20
_AT_ONCE = 64
_WORTH_KERNELS = 2_000_000


def count_files(
    paths: Paths,
    recipe: Recipe,
    *,
    column: str | Iterable[str] | None = None,
    executor: Executor | None = None,
    keep: str | PathLike[str] | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> WordCounts:
    """Count the words of files as the recipe cuts them; train on the result as on their texts.

    ``paths`` is a path, folder, glob or URL (``"s3://bucket/*.jsonl.gz"``), or several of them, as
    text or ``Path``, or what :func:`bpe.scale.shards.find` returns. Files of counts among them
    (Parquet with the columns ``word`` and ``count``) are added as they are. ``column`` is the one
    of tables that has the text, or several; without, the one that looks like text in the first.
    ``executor`` is any of ``concurrent.futures``, or Dask's ``Client.get_executor()``. ``keep`` is
    a folder or URL for the counts of each file: what is done there is not counted again, and
    workers elsewhere must reach it.

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
    column: str | Iterable[str] | None = None,
    executor: Executor | None = None,
    keep: str | PathLike[str] | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> Counted:
    """Do what :func:`count_files` does, and write a file of counts, a part at a time."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(keep) if keep is not None else folder
        sources = shards.find_all(paths, column=column)
        require_apart(out, [shard.url for shard in sources])
        counted = [shard for shard in sources if shards.holds_counts(shard)]
        texts = [shard for shard in sources if shard not in counted]
        jobs = _jobs(texts, recipe, place if keep is not None else None)
        size = sum(shard.size for shard in texts)
        done = shards.run(jobs, executor, on_progress, size, threads=1 if executor else None)
        files = [_file(number, each, folder) for number, each in enumerate(done)]
        files = sorted([*files, *(shard.url for shard in counted)])
        while len(files) > _AT_ONCE:
            groups = [files[start : start + _AT_ONCE] for start in range(0, len(files), _AT_ONCE)]
            names = [hashlib.sha256(os.fsencode("\n".join(each))).hexdigest() for each in groups]
            files = [f"{place}/sum-{name[:32]}{files_of_counts.SUFFIX}" for name in names]
            todo = [
                (files_of_counts.merge, (group, url, recipe), 0)
                for group, url in zip(groups, files, strict=True)
                if not _is_done(url)
            ]  # the work of workers where they reach the files
            for _ in shards.run(todo, executor if keep is not None else None, on_progress, None):
                pass
        return files_of_counts.merge(files, str(out), recipe)


def _jobs(texts: Iterable[Shard], recipe: Recipe, keep: str | None) -> list[Job]:
    return [(_count_shard, (shard, recipe, keep), shard.size) for shard in texts]


# What a worker does.


def _count_shard(
    shard: Shard, recipe: Recipe, keep: str | None, *, threads: int | None = None
) -> str | bytes:
    """Count a shard into the folder ``keep``, unless it is there; without one return its counts.

    The name of the file is made of the shard and of all in the recipe that decides on words.
    """
    url = f"{keep}/{_key(shard, recipe)}{files_of_counts.SUFFIX}" if keep is not None else ""
    if url and _is_done(url):
        return url
    if shard.size >= _WORTH_KERNELS:
        compiled.warm(background=False, part="train")
    # Cut where no word reaches across; where no such place is known, documents stay whole.
    cutter, digest = algorithm_of(recipe).cutter(), CorpusDigest()
    pieces = (
        piece
        for blocks in shards.documents(shard)
        for piece in cuts.between_words(
            digest.reading(blocks), cutter, recipe.special_tokens, _PIECE
        )
    )
    words = count_texts(pieces, recipe, threads=threads, read=digest)
    if not url:
        return _as_bytes(words)
    files_of_counts.save(words, url)
    return url


def _key(shard: Shard, recipe: Recipe) -> str:
    cut = (recipe.algorithm, recipe.pattern, recipe.normalisation, recipe.special_tokens)
    settings = [files_of_counts.VERSION, *shard.key, *cut]
    return hashlib.sha256(json.dumps(settings).encode()).hexdigest()[:32]


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


def _as_bytes(words: WordCounts) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "counts.parquet")
        files_of_counts.save(words, str(path))
        return path.read_bytes()


# What the caller does.


def _file(number: int, done: str | bytes, folder: str) -> str:
    """Return the URL of counts, after writing them to a file where they are content."""
    if isinstance(done, str):
        return done
    path = Path(folder, f"{number:08}{files_of_counts.SUFFIX}")
    path.write_bytes(done)
    return str(path)
