"""How often each merge is made in a text: from that follows every curve over the merges.

The tokens after the first ``n`` merges are those after all of them, each taken apart down to parts
that were there by then. So it is enough to encode a text once and to count: a token that occurs
was made as often, and so were its parts, and theirs. Characters can be spelled by several merges;
for them the merges are made again, one after another. Where a step is no such merge, every word is
cut by every smaller vocabulary.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe import compiled
from bpe.algorithm import character
from bpe.algorithm.films import Film
from bpe.algorithm.incremental import token_counts
from bpe.algorithm.recipe import BYTES, Recipe
from bpe.analysis.metrics import has_hanzi
from bpe.encoders.base import METASPACE, Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.training.algorithms import algorithm_of

Counts = npt.NDArray[np.int64]

MOST_CHARACTERS = 1_000_000
MOST_UNCOMPILED = 100_000
"""Characters that are counted: half a second's work, with the compiled encoder and without."""


@dataclass(frozen=True)
class Usage:
    """How often each merge is made in a text, in pre-tokens with 汉字 and in the others."""

    sizes: tuple[int, int]
    """Bytes of both, white space included."""
    made: Counts
    """How often each merge was made, a row each; of a step that is none, how many tokens it saves.
    """
    base: Counts
    """How often each symbol occurs before the first merge."""
    symbols: tuple[int, int]
    """Tokens of both before the first merge."""
    head: int | None = None
    """How many characters were counted from the beginning, where not all were."""
    film: Film | None = None
    """The smaller vocabularies, where they do not follow from merges alone."""
    changes: tuple[Mapping[str, int], ...] | None = None
    """How much more often each symbol occurs after each step, where that is no merge of a pair."""


def count(
    tokenizer: Encoder, texts: Iterable[str], on_progress: Callable[[], object] = lambda: None
) -> Usage | None:
    """Count the merges of a trained tokenizer in ``texts``; ``None`` where it cannot be told.

    ``on_progress`` may raise to stop it.
    """
    if (record := tokenizer.training) is None:
        return None
    is_fast = isinstance(tokenizer, Tokenizer) and compiled.ready()
    most = MOST_CHARACTERS if is_fast else MOST_UNCOMPILED
    sample = _words(texts, record.recipe, most, on_progress)
    match tokenizer:
        case Tokenizer():
            return _of_bytes(tokenizer, sample)
        case CharacterTokenizer():
            split = partial(character.split_word, recipe=record.recipe)
            return _of_merges(tokenizer.symbols, tokenizer.merges, split, sample, on_progress)
    words = None if sample.head else sample.counts
    film = algorithm_of(record.recipe).film(tokenizer, record.merges, words)
    if film is None:
        return None
    if film.split is None:
        return _of_cuts(film, len(film.dropped) or len(record.merges), sample, on_progress)
    counted = _of_merges(film.symbols, record.merges, film.split, sample, on_progress)
    return replace(counted, film=film)


def beginnings(texts: Iterable[str], size: int) -> tuple[list[str], int | None]:
    """Return the first ``size`` characters of the texts, and ``size`` if they have more."""
    head: list[str] = []
    room = size
    for text in texts:
        if room <= 0:
            return head, size
        head.append(text[:room])
        room -= len(text)
    return head, size if room < 0 else None


class _Words(NamedTuple):
    """The words of how texts begin, and the bytes of those with 汉字 and of the others."""

    counts: Counter[str]
    sizes: tuple[int, int]
    head: int | None
    """How many characters that are, where the texts have more."""


def _of_bytes(tokenizer: Tokenizer, sample: _Words) -> Usage:
    # A word is a pre-token as a whole, whatever the pattern would make of it by itself.
    recipe = replace(tokenizer.recipe, pattern="none", normalisation="none")
    ids, ends = replace(tokenizer, recipe=recipe).encode_batch_to_numpy(
        sample.counts, disallowed_special=()
    )
    lengths = np.diff(ends, prepend=0)
    scripts = np.array([0 if has_hanzi(word) else 1 for word in sample.counts], np.int64)
    times = np.array([*sample.counts.values()], np.int64)
    found = np.zeros((2, tokenizer.vocabulary_size), np.int64)
    np.add.at(found, (np.repeat(scripts, lengths), ids), np.repeat(times, lengths))
    rows = found.tolist()
    for row in rows:
        for merge in reversed(tokenizer.merges):
            row[merge.left] += row[merge.new_id]
            row[merge.right] += row[merge.new_id]
    occurs = np.array(rows, np.int64)
    first = tokenizer.recipe.first_merge_id
    zh, other = occurs[:, :BYTES].sum(axis=1).tolist()
    return Usage(
        sample.sizes, occurs[:, first:], occurs[:, :first].sum(axis=0), (zh, other), sample.head
    )


def _of_merges(
    symbols: Sequence[str],
    merges: Sequence[Any],
    split: Callable[[str], list[str]],
    sample: _Words,
    on_progress: Callable[[], object],
) -> Usage:
    base = Counter(dict.fromkeys(symbols, 0))
    words: tuple[list[tuple[list[str], int]], ...] = ([], [])
    for word, number in sample.counts.items():
        parts = split(word)
        words[0 if has_hanzi(word) else 1].append((parts, number))
        for symbol in parts:
            base[symbol] += number
    made = [(merge.left, merge.right, merge.new) for merge in merges]
    remaining = np.zeros((2, len(made) + 1), np.int64)
    for row, counted in enumerate(words):
        for number, tokens in enumerate(token_counts(counted, made)):
            if number % 500 == 0:
                on_progress()
            remaining[row, number] = tokens
    zh, other = remaining[:, 0].tolist()
    occurs = np.array(list(base.values()), np.int64)
    return Usage(sample.sizes, -np.diff(remaining), occurs, (zh, other), sample.head)


def _of_cuts(film: Film, steps: int, sample: _Words, on_progress: Callable[[], object]) -> Usage:
    base = Counter[str]()
    changes = [Counter[str]() for _ in range(steps)]
    made = np.zeros((2, steps), np.int64)
    tokens = [0, 0]
    cut_words = film.cuts(list(sample.counts))
    for done, ((word, number), cuts) in enumerate(
        zip(sample.counts.items(), cut_words, strict=True)
    ):
        if done % 500 == 0:
            on_progress()
        row = 0 if has_hanzi(word) else 1
        tokens[row] += len(cuts[0][1]) * number
        for piece in cuts[0][1]:
            base[piece] += number
        for (_, former), (step, pieces) in pairwise(cuts):
            made[row, step - 1] += (len(former) - len(pieces)) * number
            for piece in pieces:
                changes[step - 1][piece] += number
            for piece in former:
                changes[step - 1][piece] -= number
    occurs = np.array([base[symbol] for symbol in film.symbols], np.int64)
    zh, other = tokens
    return Usage(sample.sizes, made, occurs, (zh, other), sample.head, film, tuple(changes))


def _words(
    texts: Iterable[str], recipe: Recipe, most: int, on_progress: Callable[[], object]
) -> _Words:
    """Count the words of the first ``most`` characters.

    White space that becomes no token counts with the word behind it: so are bytes per token
    counted everywhere.
    """
    head, limit = beginnings(texts, most)
    algorithm = algorithm_of(recipe)
    counts = Counter[str]()
    sizes = [0, 0]
    for text, times in Counter(head).items():
        for part, special in algorithm.parts(text):
            on_progress()
            if special:
                continue
            spans: tuple[list[str], list[str]] = ([], [])
            row, place = 1, 0
            for word in algorithm.split(part):
                counts[word] += times
                row = 0 if has_hanzi(word) else 1
                core = word.removeprefix(METASPACE)
                end = part.index(core, place) + len(core)
                spans[row].append(part[place:end])
                place = end
            spans[row].append(part[place:])
            for row, cut in enumerate(spans):
                sizes[row] += len("".join(cut).encode()) * times
    zh, other = sizes
    return _Words(counts, (zh, other), limit)
