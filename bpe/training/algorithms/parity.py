"""Parity of languages: each merge for the language that is worst off (arXiv 2508.04796).

Plain BPE takes the pair that is most frequent over all languages, and so serves the language with
the most text. Here the language whose text has the most tokens by now says which pair is merged, in
all languages; they have to say the same. :func:`merges_by_parity` counts everything anew for each
merge, :func:`learn_by_parity` only what a merge changes. Where that differs from the paper is said
in ``docs/recipes.md``.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from bpe.algorithm.basic import best_pair, count_pairs, merge_pair
from bpe.algorithm.merge import Merge
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import Recipe
from bpe.progress import OnProgress
from bpe.training.algorithms.base import Learner, Words
from bpe.training.algorithms.byte_bpe import ByteBPE, first_vocabulary


class Parity(ByteBPE):
    """Byte-level BPE on a corpus for each language, with the share of merges that all choose."""

    of_languages = True

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Merge]:
        merge_by_parity = merges_by_parity if learner == "naive" else learn_by_parity
        for merge, language in merge_by_parity(list(words.values()), self.recipe):
            self.chosen_by[language] = self.chosen_by.get(language, 0) + 1
            yield merge


ALGORITHM = Parity

Languages = Sequence[Mapping[bytes, int]]
Chosen = tuple[Merge, int]
"""A merge, and the language that chose it; -1 for all together."""


def _rounds(languages: Languages, recipe: Recipe) -> Iterator[bool]:
    """Yield for each merge that may be made whether all languages choose it together."""
    limit = recipe.merge_limit
    most = sum(len(word) for part in languages for word in part) if limit is None else limit
    together = round((recipe.share or 0.0) * most)
    return (made < together for made in range(most))


def merges_by_parity(languages: Languages, recipe: Recipe) -> Iterator[Chosen]:
    """Yield merges of pairs that are frequent enough where they are chosen.

    A language that has no such pair is passed over; of equally long ones the first chooses.
    """
    vocabulary, least = first_vocabulary(recipe), recipe.min_frequency
    rows: list[list[tuple[Sequence[int], int]]] = [list(words.items()) for words in languages]
    for together in _rounds(languages, recipe):
        if together:
            choosing = [(-1, list(chain.from_iterable(rows)))]
        else:
            choosing = [(i, rows[i]) for i in _worst_first(list(map(_tokens, rows)))]
        counted = ((language, count_pairs(part)) for language, part in choosing)
        frequent = (each for each in counted if max(each[1].values(), default=0) >= least)
        if (chosen := next(frequent, None)) is None:
            return
        language, counts = chosen
        left, right = pair = best_pair(counts, recipe.tie_break, vocabulary.__getitem__)
        new = len(vocabulary)
        vocabulary.append(vocabulary[left] + vocabulary[right])
        rows = [[(merge_pair(row, pair, new), count) for row, count in part] for part in rows]
        yield Merge(left, right, new, counts[pair]), language


def _tokens(rows: Sequence[tuple[Sequence[int], int]]) -> int:
    return sum(len(row) * count for row, count in rows)


def _worst_first(tokens: Sequence[int]) -> list[int]:
    return sorted(range(len(tokens)), key=lambda language: -tokens[language])


def learn_by_parity(languages: Languages, recipe: Recipe) -> Iterator[Chosen]:
    """Yield the same merges as :func:`merges_by_parity`."""
    spelling = dict(enumerate(first_vocabulary(recipe)))
    indexes = [PairIndex(words.items(), spelling, recipe.tie_break) for words in languages]
    every = [row for words in languages for row in words.items()]
    over_all = PairIndex(every if recipe.share else [], spelling, recipe.tie_break)
    tokens = [_tokens(list(words.items())) for words in languages]
    for new, together in enumerate(_rounds(languages, recipe), start=len(spelling)):
        choosing = [(-1, over_all)]
        if not together:
            choosing = [(i, indexes[i]) for i in _worst_first(tokens)]
        best = ((language, index.pop_best(), index) for language, index in choosing)
        counted = ((each, pair, index.counts[pair]) for each, pair, index in best if pair)
        chosen = next((each for each in counted if each[2] >= recipe.min_frequency), None)
        if chosen is None:
            return
        language, pair, count = chosen
        for i, each in enumerate(indexes):
            tokens[i] -= each.merge(pair, new)
        over_all.merge(pair, new)
        yield Merge(*pair, new, count), language
