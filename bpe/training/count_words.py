"""Count the words of texts, for a training later or elsewhere."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from bpe.algorithm.counts import Counted, WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.text.digests import CorpusDigest
from bpe.text.unicode import text_only
from bpe.training.algorithms import algorithm_of

_LONGEST_NAME = 1_000


def count_words(
    texts: Iterable[str], recipe: Recipe, *, on_progress: OnProgress = lambda progress: None
) -> WordCounts:
    """Count the words of texts as the recipe cuts them; train on the result as on the texts.

    Words keep the order of their first occurrence. Files are counted by
    :func:`bpe.count_files`; their names instead of texts raise :class:`BPEError`.
    """
    refuse_names_of_files(texts)
    return count_texts(texts, recipe, on_progress=on_progress)


def refuse_names_of_files(texts: Any) -> None:
    """Raise :class:`BPEError` for one text, or a list in which each is the name of a file.

    Only for callers on this machine: to anybody else it would tell which files there are.
    """
    if isinstance(texts, str):
        raise BPEError("Give the corpus as a list of texts, not as one string.")
    if isinstance(texts, list | tuple) and texts and all(map(_is_file, texts)):
        raise BPEError(
            "Each of these texts is the name of a file, such as “{name}”. Give the texts "
            "themselves, or train on what bpe.count_files counts in the files.",
            name=texts[0],
        )


def _is_file(text: object) -> bool:
    try:
        return isinstance(text, str) and len(text) < _LONGEST_NAME and Path(text).is_file()
    except (OSError, ValueError):  # nothing that a file can be called
        return False


def count_texts(
    texts: Iterable[str],
    recipe: Recipe,
    *,
    on_progress: OnProgress = lambda progress: None,
    threads: int | None = None,
    read: CorpusDigest | None = None,
) -> WordCounts:
    """Count the words of a corpus as the recipe cuts them, for a training later or elsewhere.

    Pre-tokens of bytes, or the words of the other algorithms in UTF-8, in the order of their first
    occurrence. ``threads`` count, if not one per core. ``read`` is given where documents come in
    parts, whose digest is taken elsewhere.

    >>> count_texts(["low low lower"], Recipe(pattern="whitespace")) == {
    ...     b"low": 1, b" low": 1, b" lower": 1
    ... }
    True
    """
    if read is None:
        read = CorpusDigest()
        texts = _adding(texts, read)
    words = algorithm_of(recipe).count_words(iter(texts), on_progress, None, threads)
    return replace(WordCounts.of(words), counted=Counted.by(recipe, read))


def _adding(texts: Iterable[str], digest: CorpusDigest) -> Iterator[str]:
    for text in texts:
        digest.add(text_only(text))
        yield text
