"""How often each merge is made in a text: from that follows every curve over the merges.

The tokens after the first ``n`` merges are those after all of them, each taken apart down to parts
that were there by then. So it is enough to encode a text once and to count: a token that occurs
was made as often, and so were its parts, and theirs. Characters can be spelled by several merges;
for them the merges are made again, one after another.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import cast

import numpy as np
import numpy.typing as npt
import regex

from bpe import compiled
from bpe.algorithm import character
from bpe.algorithm.incremental import token_counts
from bpe.analysis.metrics import has_hanzi
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.text import pretokenize
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text

Counts = npt.NDArray[np.int64]

MOST_CHARACTERS = 1_000_000
MOST_UNCOMPILED = 100_000
"""Characters that are counted: half a second's work, with the compiled encoder and without."""

_WORD = regex.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True)
class Script:
    """What is counted in the pre-tokens with 汉字, or in the others."""

    size: int
    """Bytes, white space included."""
    symbols: int
    """Tokens before the first merge."""
    made: Counts
    """How often each merge was made."""


@dataclass(frozen=True)
class Usage:
    """How often each merge is made in a text, pre-tokens with 汉字 and without apart."""

    zh: Script
    other: Script
    base: Counts
    """How often each symbol occurs before the first merge."""
    whole: bool
    """Whether all of the text was counted, or its first :data:`MOST_CHARACTERS` characters."""

    @property
    def made(self) -> Counts:
        """How often each merge was made."""
        return self.zh.made + self.other.made


def count(
    tokenizer: Encoder, texts: Iterable[str], on_progress: Callable[[], object] = lambda: None
) -> Usage | None:
    """Count the merges of a tokenizer in ``texts``; ``None`` for one of another library.

    ``on_progress`` may raise to stop it.
    """
    match tokenizer.kind:
        case Tokenizer.kind:
            most = MOST_CHARACTERS if compiled.ready() else MOST_UNCOMPILED
            return _of_bytes(cast(Tokenizer, tokenizer), *_head(texts, most), on_progress)
        case CharacterTokenizer.kind:
            sample = _head(texts, MOST_UNCOMPILED)
            return _of_characters(cast(CharacterTokenizer, tokenizer), *sample, on_progress)
    return None


def _head(texts: Iterable[str], size: int) -> tuple[list[str], bool]:
    """Return the first ``size`` characters of the texts, and whether that is all of them."""
    head: list[str] = []
    for text in texts:
        if size <= 0:
            return head, False
        head.append(text[:size])
        if len(text) > size:
            return head, False
        size -= len(text)
    return head, True


def _of_bytes(
    tokenizer: Tokenizer, texts: Sequence[str], whole: bool, on_progress: Callable[[], object]
) -> Usage:
    recipe = tokenizer.recipe
    normalise = pretokenize.normaliser(recipe.normalisation)
    lengths = np.fromiter(map(len, tokenizer.vocabulary), np.int64, tokenizer.vocabulary_size)
    ids_of: list[list[Counts]] = [[], []]
    times_of: list[list[Counts]] = [[], []]
    for text, times in Counter(texts).items():
        for part, special in split_specials(text, recipe.special_tokens):
            on_progress()
            if special or not (part := normalise(part)):
                continue
            ids = np.array(tokenizer.encode(part, disallowed_special=()), np.int64)
            starts = np.cumsum(lengths[ids]) - lengths[ids]
            pieces = list(pretokenize.split(part, recipe.pattern))
            ends = np.fromiter(accumulate(len(p.encode()) for p in pieces), np.int64, len(pieces))
            is_zh = np.fromiter(map(has_hanzi, pieces), bool, len(pieces))
            chosen = is_zh[np.searchsorted(ends, starts, side="right")]
            for row, mask in enumerate((chosen, ~chosen)):
                ids_of[row].append(ids[mask])
                times_of[row].append(np.full(mask.sum(), times, np.int64))
    found = [np.zeros(tokenizer.vocabulary_size, np.int64) for _ in ids_of]
    for row, arrays in enumerate(ids_of):
        if arrays:
            np.add.at(found[row], np.concatenate(arrays), np.concatenate(times_of[row]))
    base = np.zeros(recipe.first_merge_id, np.int64)
    scripts = []
    for occurrences in found:
        occurs = occurrences.tolist()
        for merge in reversed(tokenizer.merges):
            occurs[merge.left] += occurs[merge.new_id]
            occurs[merge.right] += occurs[merge.new_id]
        counts = np.array(occurs, np.int64)
        symbols = int(counts[:256].sum())
        scripts.append(Script(symbols, symbols, counts[recipe.first_merge_id :]))
        base += counts[: recipe.first_merge_id]
    return Usage(scripts[0], scripts[1], base, whole)


def _of_characters(
    tokenizer: CharacterTokenizer,
    texts: Sequence[str],
    whole: bool,
    on_progress: Callable[[], object],
) -> Usage:
    recipe = tokenizer.recipe
    numbers = {symbol: number for number, symbol in enumerate(tokenizer.symbols)}
    base = np.zeros(len(numbers), np.int64)
    words: list[list[tuple[list[str], int]]] = [[], []]
    for word, number in character.count_words(texts, recipe).items():
        row = 0 if has_hanzi(word) else 1
        symbols = character.split_word(word, recipe)
        words[row].append((symbols, number))
        for symbol in symbols:
            base[numbers[symbol]] += number
    sizes = _sizes_of_words(texts, tokenizer)
    merges = [(merge.left, merge.right, merge.new) for merge in tokenizer.merges]
    scripts = []
    for row in (0, 1):
        left = []
        for number, tokens in enumerate(token_counts(words[row], merges)):
            if number % 500 == 0:
                on_progress()
            left.append(tokens)
        counts = np.array(left, np.int64)
        scripts.append(Script(sizes[row], left[0], counts[:-1] - counts[1:]))
    return Usage(scripts[0], scripts[1], base, whole)


def _sizes_of_words(texts: Sequence[str], tokenizer: CharacterTokenizer) -> list[int]:
    """Return the bytes of words with 汉字, and of the others, each with the white space before it.

    White space becomes no token, but is text: so are bytes per token counted everywhere.
    """
    recipe = tokenizer.recipe
    normalise = pretokenize.normaliser(recipe.normalisation)
    sizes = [0, 0]
    for text, times in Counter(texts).items():
        for part, special in split_specials(scalar_text(text), recipe.special_tokens):
            for word in [] if special else _WORD.findall(normalise(part)):
                sizes[0 if has_hanzi(word) else 1] += len(word.encode()) * times
    return sizes
