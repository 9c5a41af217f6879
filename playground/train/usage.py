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
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe import compiled
from bpe.algorithm import character
from bpe.algorithm.films import Film
from bpe.algorithm.incremental import token_counts
from bpe.algorithm.recipe import Recipe
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
class Script:
    """Counts of the pre-tokens with 汉字, or of the others."""

    size: int
    """Bytes, white space included."""
    symbols: int
    """Tokens before the first merge."""
    made: Counts
    """How often each merge was made; of a step that is none, how many tokens it saves."""


@dataclass(frozen=True)
class Usage:
    """How often each merge is made in a text, pre-tokens with 汉字 and without apart."""

    zh: Script
    other: Script
    base: Counts
    """How often each symbol occurs before the first merge."""
    head: int | None = None
    """How many characters were counted from the beginning, where not all were."""
    film: Film | None = None
    """The smaller vocabularies, where they do not follow from merges alone."""
    changes: tuple[Mapping[str, int], ...] | None = None
    """How much more often each symbol occurs after each step, where that is no merge of a pair."""

    @property
    def made(self) -> Counts:
        """How often each merge was made."""
        return self.zh.made + self.other.made


def count(
    tokenizer: Encoder,
    texts: Iterable[str],
    on_progress: Callable[[], object] = lambda: None,
    *,
    recipe: Recipe | None = None,
    merges: Sequence[Any] = (),
) -> Usage | None:
    """Count the merges of a tokenizer in ``texts``; ``None`` where it cannot be told.

    ``recipe`` and ``merges`` are those of a tokenizer that another library runs. ``on_progress``
    may raise to stop it.
    """
    match tokenizer:
        case Tokenizer():
            most = MOST_CHARACTERS if compiled.ready() else MOST_UNCOMPILED
            return _of_bytes(tokenizer, *_head(texts, most), on_progress)
        case CharacterTokenizer():
            sample = _words(texts, tokenizer.recipe)
            splits = partial(character.split_word, recipe=tokenizer.recipe)
            return _of_merges(tokenizer.symbols, tokenizer.merges, splits, sample, on_progress)
    if recipe is None:
        return None
    sample = _words(texts, recipe)
    words = None if sample.head else sample.counts
    film = algorithm_of(recipe).film(tokenizer, merges, words)
    if film is None:
        return None
    if film.split is None:
        return _of_cuts(film, len(film.dropped) or len(merges), sample, on_progress)
    counted = _of_merges(film.symbols, merges, film.split, sample, on_progress)
    return replace(counted, film=film)


def _head(texts: Iterable[str], size: int) -> tuple[list[str], int | None]:
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
    sizes: list[int]
    head: int | None
    """How many characters that are, where the texts have more."""


def _of_bytes(
    tokenizer: Tokenizer, texts: Sequence[str], head: int | None, on_progress: Callable[[], object]
) -> Usage:
    recipe = tokenizer.recipe
    algorithm = algorithm_of(recipe)
    lengths = np.fromiter(map(len, tokenizer.vocabulary), np.int64, tokenizer.vocabulary_size)
    ids_of: list[list[Counts]] = [[], []]
    times_of: list[list[Counts]] = [[], []]
    for text, times in Counter(texts).items():
        for part, special in algorithm.parts(text):
            on_progress()
            if special or not part:
                continue
            ids = np.array(tokenizer.encode(part, disallowed_special=()), np.int64)
            starts = np.cumsum(lengths[ids]) - lengths[ids]
            pieces = list(algorithm.split(part))
            ends = np.fromiter(accumulate(len(p.encode()) for p in pieces), np.int64, len(pieces))
            is_zh = np.fromiter(map(has_hanzi, pieces), bool, len(pieces))
            chosen = is_zh[np.searchsorted(ends, starts, side="right")]
            for row, mask in enumerate((chosen, ~chosen)):
                ids_of[row].append(ids[mask])
                times_of[row].append(np.full(mask.sum(), times, np.int64))
    per_script = [np.zeros(tokenizer.vocabulary_size, np.int64) for _ in ids_of]
    for row, arrays in enumerate(ids_of):
        if arrays:
            np.add.at(per_script[row], np.concatenate(arrays), np.concatenate(times_of[row]))
    base = np.zeros(recipe.first_merge_id, np.int64)
    scripts = []
    for occurrences in per_script:
        occurs = occurrences.tolist()
        for merge in reversed(tokenizer.merges):
            occurs[merge.left] += occurs[merge.new_id]
            occurs[merge.right] += occurs[merge.new_id]
        counts = np.array(occurs, np.int64)
        symbols = int(counts[:256].sum())
        scripts.append(Script(symbols, symbols, counts[recipe.first_merge_id :]))
        base += counts[: recipe.first_merge_id]
    return Usage(scripts[0], scripts[1], base, head)


def _of_merges(
    symbols: Sequence[str],
    merges: Sequence[Any],
    split: Callable[[str], list[str]],
    sample: _Words,
    on_progress: Callable[[], object],
) -> Usage:
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    base = np.zeros(len(numbers), np.int64)
    words: list[list[tuple[list[str], int]]] = [[], []]
    for word, number in sample.counts.items():
        parts = split(word)
        words[0 if has_hanzi(word) else 1].append((parts, number))
        for symbol in parts:
            base[numbers[symbol]] += number
    made = [(merge.left, merge.right, merge.new) for merge in merges]
    scripts = []
    for row in (0, 1):
        totals = []
        for number, tokens in enumerate(token_counts(words[row], made)):
            if number % 500 == 0:
                on_progress()
            totals.append(tokens)
        remaining = np.array(totals, np.int64)
        scripts.append(Script(sample.sizes[row], totals[0], remaining[:-1] - remaining[1:]))
    return Usage(scripts[0], scripts[1], base, sample.head)


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
    scripts = [Script(sample.sizes[row], tokens[row], made[row]) for row in (0, 1)]
    occurs = np.array([base[symbol] for symbol in film.symbols], np.int64)
    return Usage(scripts[0], scripts[1], occurs, sample.head, film, tuple(changes))


def _words(texts: Iterable[str], recipe: Recipe) -> _Words:
    """Count the words of the first :data:`MOST_UNCOMPILED` characters.

    White space that becomes no token counts with the word behind it: so are bytes per token
    counted everywhere.
    """
    beginnings, head = _head(texts, MOST_UNCOMPILED)
    algorithm = algorithm_of(recipe)
    counts = Counter[str]()
    sizes = [0, 0]
    for text, times in Counter(beginnings).items():
        for part, special in algorithm.parts(text):
            if special:
                continue
            row, place = 1, 0
            for word in algorithm.split(part):
                counts[word] += times
                row = 0 if has_hanzi(word) else 1
                core = word.removeprefix(METASPACE)
                end = part.index(core, place) + len(core)
                sizes[row] += len(part[place:end].encode()) * times
                place = end
            sizes[row] += len(part[place:].encode()) * times
    return _Words(counts, sizes, head)
