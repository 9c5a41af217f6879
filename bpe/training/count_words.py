"""Count the words of a corpus, for a training later or elsewhere."""

import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from bpe.algorithm.counts import Counted, WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.text.digests import CorpusDigest
from bpe.training.algorithms import algorithm_of

if TYPE_CHECKING:
    from bpe.scale.shards import Shard

Sources: TypeAlias = "str | PathLike[str] | Iterable[str | PathLike[str] | Shard]"
"""One path, folder, glob or URL; several of them, as ``Path`` or ``Shard``; or texts."""


def count_words(
    sources: Sources,
    recipe: Recipe,
    *,
    column: str = "text",
    executor: Executor | None = None,
    keep: str | PathLike[str] | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> WordCounts:
    """Count the words of a corpus as the recipe cuts them; train on the result as on the texts.

    ``sources`` is one path, folder, glob or URL as text (``"s3://bucket/*.jsonl.gz"``), several
    of them as ``Path`` or as what :func:`bpe.scale.shards.find` returns, or an iterable of texts.
    Files are plain text, JSON lines or Parquet in UTF-8 (see :mod:`bpe.scale.shards`); ``column``
    is where the last two have their text. ``executor`` is any of ``concurrent.futures``, or Dask's
    ``Client.get_executor()``. ``keep`` is a folder or URL for the counts of each shard: what is
    done there is not counted again, and workers elsewhere must reach it.

    Texts alone keep the order of first occurrence; else words are in a canonical order, whatever
    the shards and their order. The counts are the same in both cases.
    """
    if executor is None and keep is None and not isinstance(sources, str | PathLike):
        sources = iter(sources)
        first = next(sources, "")
        sources = chain([first], sources)
        if isinstance(first, str):
            return count_texts(only_texts(sources), recipe, on_progress=on_progress)
    from bpe.scale import count_files, counting

    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder, "all" + count_files.SUFFIX))
        counting.count_to_file(
            sources,
            recipe,
            out,
            column=column,
            executor=executor,
            keep=keep,
            on_progress=on_progress,
        )
        return count_files.read(out)


def count_texts(
    texts: Iterable[str],
    recipe: Recipe,
    *,
    on_progress: OnProgress = lambda progress: None,
    threads: int | None = None,
) -> WordCounts:
    """Count the words of a corpus as the recipe cuts them, for a training later or elsewhere.

    Pre-tokens of bytes, or the words of the other algorithms in UTF-8, in the order of their first
    occurrence. ``threads`` count, if not one per core.

    >>> count_texts(["low low lower"], Recipe(pattern="whitespace")) == {
    ...     b"low": 1, b" low": 1, b" lower": 1
    ... }
    True
    """
    documents = size = 0
    digest = CorpusDigest()

    def read() -> Iterator[str]:
        nonlocal documents, size
        for text in texts:
            documents += 1
            size += digest.add(text)
            yield text

    words = algorithm_of(recipe).count_words(read(), on_progress, threads=threads)
    counted = Counted(
        recipe.algorithm,
        recipe.pattern,
        recipe.normalisation,
        recipe.special_tokens,
        documents,
        size,
        str(digest),
        in_order=True,
    )
    return replace(WordCounts.of(words), counted=counted)


def only_texts(sources: Iterable[Any]) -> Iterator[str]:
    """Yield texts; anything else among them raises :class:`BPEError`."""
    for source in sources:
        if not isinstance(source, str):
            raise BPEError(
                "A corpus is texts, or files as Path or Shard, but not both: {value!r}.",
                value=source,
            )
        yield source
