"""Each round of a training written out in full: the words, the counts, the vocabulary.

:func:`walk` goes through the events of :mod:`bpe.teaching.rounds`; :func:`recount` follows the
definition and counts everything again. Both write the same rounds.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bpe.algorithm import basic, character
from bpe.algorithm.basic import TieBreak, count_pairs, merge_pair
from bpe.algorithm.pair_index import DEAD, Pair
from bpe.algorithm.recipe import BYTES, Recipe
from bpe.teaching.rounds import TIED, Rounds, Word, Words, shown, start

_Ranked = Sequence[tuple[Pair, int]]


@dataclass(frozen=True)
class Round:
    """One merge written out, symbols as a reader sees them; words in the order of the corpus."""

    left: str
    right: str
    new: str
    new_number: int
    count: int
    tied: tuple[tuple[str, str], ...]
    before: tuple[tuple[str, ...], ...]
    after: tuple[tuple[str, ...], ...]
    counts_before: tuple[tuple[str, str, int], ...]
    """The most frequent pairs; equal ones in the order in which the rule would take them."""
    counts_after: tuple[tuple[str, str, int], ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    vocabulary: tuple[str, ...]
    """After the merge."""


def walk(training: Rounds, *, top: int = 12) -> Iterator[Round]:
    """Go through the events and write each round out, with its ``top`` most frequent pairs.

    This is also how to draw them: nothing but the events is used.
    """
    meaning = _meanings(training)
    tie_break = training.recipe.tie_break
    symbols = list(training.symbols)
    vocabulary = dict.fromkeys(training.vocabulary)
    counts = {(left, right): count for left, right, count in training.counts}
    words = _gathered(symbols, training.words)
    ranked = _ranked(counts, words, meaning, tie_break)
    for event in training.events:
        before, ranked_before = words, ranked
        for place, partner in zip(event.places, event.partners, strict=True):
            symbols[place], symbols[partner] = event.new, DEAD
        for left, right, _, count in event.changes:
            counts[left, right] = count
        vocabulary.update(dict.fromkeys(event.added))
        for removed in event.removed:
            del vocabulary[removed]
        words = _gathered(symbols, training.words)
        ranked = _ranked(counts, words, meaning, tie_break)
        yield _written_out(
            (event.left, event.right, event.new, event.count),
            event.tied,
            (before, words),
            (ranked_before[:top], ranked[:top]),
            (event.added, event.removed, vocabulary),
            training.spelling,
        )


def recount(
    word_counts: Mapping[str, int] | Mapping[bytes, int], recipe: Recipe, *, top: int = 12
) -> Iterator[Round]:
    """Write out the rounds that :func:`walk` does, by counting everything again in each."""
    words, meaning, first = start(word_counts, recipe)
    vocabulary = dict.fromkeys(first)
    ranked = _ranked(count_pairs(words), words, meaning, recipe.tie_break)
    for left, right, new, count, left_out in _recounted_merges(word_counts, recipe, meaning):
        before, ranked_before = words, ranked
        meaning[new] = meaning[left] + meaning[right]
        words = [(merge_pair(symbols, (left, right), new), n) for symbols, n in before]
        ranked = _ranked(count_pairs(words), words, meaning, recipe.tie_break)
        added = () if new in vocabulary else (new,)
        vocabulary.update(dict.fromkeys(added))
        for removed in left_out:
            del vocabulary[removed]
        tied = [pair for pair, number in ranked_before if number == count and pair != (left, right)]
        yield _written_out(
            (left, right, new, count),
            tied[:TIED],
            (before, words),
            (ranked_before[:top], ranked[:top]),
            (added, left_out, vocabulary),
            {number: shown(text) for number, text in meaning.items()},
        )


def _meanings(training: Rounds) -> dict[int, Any]:
    """Return what each symbol stands for, by which ties are broken."""
    if not training.recipe.of_bytes:
        return dict(enumerate(training.spelling))
    meaning: dict[int, Any] = {byte: bytes([byte]) for byte in range(BYTES)}
    for event in training.events:
        meaning[event.new] = meaning[event.left] + meaning[event.right]
    return meaning


def _gathered(symbols: Sequence[int], words: Iterable[Word]) -> Words:
    return [([s for s in symbols[w.start : w.end] if s != DEAD], w.count) for w in words]


def _ranked(
    counts: Mapping[Pair, int], words: Words, meaning: Mapping[int, Any], tie_break: TieBreak
) -> _Ranked:
    """Return the pairs with their counts in the order in which they would be chosen."""
    pairs = list(count_pairs(words))  # in order of first occurrence
    match tie_break:
        case "lexicographic":
            pairs.sort(key=lambda pair: (meaning[pair[0]], meaning[pair[1]]), reverse=True)
        case "smallest-ids":
            pairs.sort()
    pairs.sort(key=lambda pair: -counts[pair])
    return [(pair, counts[pair]) for pair in pairs]


def _recounted_merges(
    word_counts: Mapping[Any, int], recipe: Recipe, meaning: Mapping[int, Any]
) -> Iterator[tuple[int, int, int, int, tuple[int, ...]]]:
    """Yield left, right and new number, the count and what leaves the vocabulary, by definition."""
    if recipe.of_bytes:
        limit = recipe.merge_limit
        vocabulary = list(meaning.values())
        size = sys.maxsize if limit is None else len(vocabulary) + limit
        for left, right, new, count in basic.train(word_counts, vocabulary, size, recipe.tie_break):
            if count < recipe.min_frequency:
                return
            yield left, right, new, count, ()
        return
    numbers = {symbol: number for number, symbol in meaning.items()}
    for step in character.learn(word_counts, recipe):
        left, right = numbers[step.left], numbers[step.right]
        new = numbers.setdefault(step.new, len(numbers))
        yield left, right, new, step.count, tuple(numbers[symbol] for symbol in step.removed)


def _written_out(
    merge: tuple[int, int, int, int],
    tied: Iterable[Pair],
    words: tuple[Words, Words],
    ranked: tuple[_Ranked, _Ranked],
    vocabulary: tuple[Iterable[int], Iterable[int], Iterable[int]],
    spelling: Sequence[str] | Mapping[int, str],
) -> Round:
    left, right, new, count = merge
    before, after = (
        tuple(tuple(spelling[symbol] for symbol in symbols) for symbols, _ in part)
        for part in words
    )
    counts_before, counts_after = (
        tuple((spelling[pair[0]], spelling[pair[1]], number) for pair, number in part)
        for part in ranked
    )
    added, removed, inside = (tuple(spelling[number] for number in part) for part in vocabulary)
    return Round(
        spelling[left],
        spelling[right],
        spelling[new],
        new,
        count,
        tuple((spelling[one], spelling[other]) for one, other in tied),
        before,
        after,
        counts_before,
        counts_after,
        added,
        removed,
        inside,
    )
