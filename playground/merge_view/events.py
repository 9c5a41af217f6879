"""A training as events: what each merge chose and changed, small enough to send to a browser.

The words are sent once. The browser cuts a word as it stood after any merge by applying the
merges up to there, so an event holds only what cannot be worked out from one word: counts over
the whole corpus.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import nlargest
from itertools import accumulate, islice
from typing import Literal, NamedTuple

from bpe.algorithm import character, incremental
from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.teaching.tables import ChangesIndex

TOP = 10
"""Pairs stored of every round, the most frequent first."""
CHANGED = 24
"""Words stored of those that a merge changes, the most frequent first."""
MOST_MERGES = 2_000
"""Merges recorded; a browser has no use for more at once."""


Counted = tuple[int, int, int, int]
"""A pair, how often it stands in the words now, and how often before the last merge."""


class Round(NamedTuple):
    """The words between two merges: what is counted, and which merge led here.

    ``top`` has the most frequent pairs in the order in which the learner would take them; the
    first one is merged next. ``ties`` is how many pairs are as frequent as the first. ``tokens``
    is how many symbols the corpus has, ``vocabulary_size`` how many the vocabulary.
    ``changed`` and ``removed`` are what the merge before this round did: the words that it
    changed (their indices, the most frequent first) and the symbols that left the vocabulary.
    """

    top: tuple[Counted, ...]
    ties: int
    tokens: int
    vocabulary_size: int
    changed: tuple[int, ...] = ()
    changed_total: int = 0
    removed: tuple[int, ...] = ()


@dataclass(frozen=True)
class Events:
    """A training to be watched: the words with their counts, and each round.

    ``rounds`` has one entry more than ``merges``: round ``k`` stands after ``k`` merges. It may be
    empty where only the merges are wanted.
    ``symbols`` gives what each id stands for at the start: bytes, or characters. In ``words``,
    ``end_of_word`` is not written out. ``specials`` are special tokens, which are never merged.
    """

    unit: Literal["bytes", "characters"]
    words: tuple[tuple[str, int], ...]
    symbols: tuple[bytes, ...] | tuple[str, ...]
    merges: tuple[Merge, ...]
    rounds: tuple[Round, ...]
    end_of_word: str = ""
    specials: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A name for this value within one run of the app."""
        return f"{hash((self.unit, self.words, self.merges, self.specials)):x}"


def record(
    word_counts: Mapping[bytes, int] | Mapping[str, int],
    recipe: Recipe,
    *,
    most_merges: int = MOST_MERGES,
) -> Events:
    """Train on counted words and keep what happened.

    ``word_counts`` has the UTF-8 of each pre-token for ``"byte-bpe"``, text for
    ``"character-bpe"``; either takes both. 1,000 merges of 100 KB of text take about a second.
    """
    texts = {word if isinstance(word, str) else word.decode(): n for word, n in word_counts.items()}
    symbols: tuple[bytes, ...] | tuple[str, ...]
    initial: tuple[str, ...] = ()
    if not recipe.of_bytes:
        initial = character.initial_vocabulary(texts, recipe)
        words, spelling = character.numbered(texts, recipe)
        index = ChangesIndex(words, spelling, recipe.tie_break)
        symbols = tuple(spelling.values())
    else:
        words = [(list(word.encode()), n) for word, n in texts.items()]
        symbols = tuple(bytes([byte]) for byte in range(BYTES))
        index = ChangesIndex(words, dict(enumerate(symbols)), recipe.tie_break)
    counts = [n for _, n in words]
    starts = [0, *accumulate(len(row) for row, _ in words)]
    tokens = sum(len(row) * n for row, n in words)
    merges: list[Merge] = []
    size = recipe.first_merge_id if recipe.of_bytes else len(initial)
    rounds = [Round(*_top(index), tokens, size)]
    for step in islice(_steps(index, initial, recipe), most_merges):
        left, right = index.pair
        merges.append(Merge(left, right, index.new, step.count))
        tokens -= index.merged
        changed = {bisect_right(starts, place) - 1 for place in index.places}
        most = tuple(nlargest(CHANGED, sorted(changed), key=counts.__getitem__))
        size = index.new + 1
        removed: tuple[int, ...] = ()
        if isinstance(step, CharacterMerge):
            size = step.vocabulary_size
            removed = tuple(left if symbol == step.left else right for symbol in step.removed)
        rounds.append(Round(*_top(index), tokens, size, most, len(changed), removed))
    return Events(
        "bytes" if recipe.of_bytes else "characters",
        tuple(texts.items()),
        symbols,
        tuple(merges),
        tuple(rounds),
        "" if recipe.of_bytes else recipe.end_of_word,
        recipe.special_tokens,
    )


def _steps(
    index: ChangesIndex, initial: tuple[str, ...], recipe: Recipe
) -> Iterator[Merge | CharacterMerge]:
    if recipe.of_bytes:
        return incremental.learn_from(index, recipe)
    return character.learn_from(index, initial, recipe)


def _top(index: ChangesIndex) -> tuple[tuple[Counted, ...], int]:
    """Return the best pairs, and how many are as frequent as the first."""
    best, former = index.best(TOP), index.former
    top = tuple((*pair, n, former.get(pair, n)) for pair, n in best.items())
    return top, len(index.by_count[next(iter(best.values()))]) if best else 0
