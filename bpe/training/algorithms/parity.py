"""Parity of languages: each merge for the language that is worst off (arXiv 2508.04796).

Plain BPE takes the pair that is most frequent over all languages, and so serves the language with
the most text. Here the language whose text has the most tokens by now says which pair is merged, in
all languages; they have to say the same. :func:`merges_by_parity` counts everything anew for each
merge, :func:`learn_by_parity` only what a merge changes. Where that differs from the paper is said
in ``docs/recipes.md``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from bpe.algorithm.basic import TieBreak, best_pair, count_pairs, merge_pair
from bpe.algorithm.merge import Merge
from bpe.algorithm.pair_index import PairIndex
from bpe.progress import OnProgress
from bpe.training.algorithms.base import Learner, Learning, Words
from bpe.training.algorithms.byte_bpe import ByteBPE, OfBytes, first_vocabulary


class Parity(ByteBPE):
    """Byte-level BPE on a corpus for each language, with the share of merges that all choose."""

    of_languages = True

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Learning:
        recipe = self.recipe
        languages: list[Mapping[bytes, int]] = list(words.values())
        limit = recipe.merge_limit
        most = sum(len(word) for part in languages for word in part) if limit is None else limit
        vocabulary = first_vocabulary(recipe)
        merge_by_parity = merges_by_parity if learner == "naive" else learn_by_parity
        steps = merge_by_parity(
            languages,
            vocabulary,
            len(vocabulary) + most,
            global_merges=round((recipe.share or 0.0) * most),
            tie_break=recipe.tie_break,
            least=recipe.min_frequency,
        )
        chosen_by: Counter[int] = Counter()

        def counted() -> Iterator[Merge]:
            for merge, language in steps:
                chosen_by[language] += 1
                yield merge

        learning = OfBytes(recipe, counted())
        learning.chosen_by = chosen_by
        return learning


ALGORITHM = Parity

Chosen = tuple[Merge, int]
"""A merge, and the language that chose it; -1 for all together."""


def merges_by_parity(
    languages: Sequence[Mapping[bytes, int]],
    vocabulary: list[bytes],
    size: int,
    *,
    global_merges: int = 0,
    tie_break: TieBreak = "lexicographic",
    least: int = 1,
) -> Iterator[Chosen]:
    """Grow ``vocabulary`` to ``size`` by pairs that occur ``least`` times where they are chosen.

    A language that has no such pair is passed over; of equally long ones the first chooses.
    """
    rows: list[list[tuple[Sequence[int], int]]] = [list(words.items()) for words in languages]
    for made in range(size - len(vocabulary)):
        if made < global_merges:
            choosing = [(-1, list(chain.from_iterable(rows)))]
        else:
            choosing = [(i, rows[i]) for i in _worst_first(list(map(_tokens, rows)))]
        counted = ((language, count_pairs(part)) for language, part in choosing)
        chosen = next(((i, counts) for i, counts in counted if _most(counts) >= least), None)
        if chosen is None:
            return
        language, counts = chosen
        left, right = pair = best_pair(counts, tie_break, vocabulary.__getitem__)
        new = len(vocabulary)
        vocabulary.append(vocabulary[left] + vocabulary[right])
        rows = [[(merge_pair(row, pair, new), count) for row, count in part] for part in rows]
        yield Merge(left, right, new, counts[pair]), language


def _tokens(rows: Sequence[tuple[Sequence[int], int]]) -> int:
    return sum(len(row) * count for row, count in rows)


def _most(counts: Mapping[tuple[int, int], int]) -> int:
    return max(counts.values(), default=0)


def _worst_first(tokens: Sequence[int]) -> list[int]:
    return sorted(range(len(tokens)), key=lambda language: -tokens[language])


def learn_by_parity(
    languages: Sequence[Mapping[bytes, int]],
    vocabulary: Sequence[bytes],
    size: int,
    *,
    global_merges: int = 0,
    tie_break: TieBreak = "lexicographic",
    least: int = 1,
) -> Iterator[Chosen]:
    """Yield the same merges as :func:`merges_by_parity`."""
    spelling = dict(enumerate(vocabulary))
    indexes = [PairIndex(words.items(), spelling, tie_break) for words in languages]
    every = list(chain.from_iterable(words.items() for words in languages))
    over_all = PairIndex(every if global_merges else [], spelling, tie_break)
    tokens = [sum(len(word) * count for word, count in words.items()) for words in languages]
    for made in range(size - len(vocabulary)):
        choosing = [(-1, over_all)]
        if made >= global_merges:
            choosing = [(i, indexes[i]) for i in _worst_first(tokens)]
        chosen = _first_with_a_pair(choosing, least)
        if chosen is None:
            return
        language, pair, count = chosen
        new = len(vocabulary) + made
        for i, each in enumerate(indexes):
            tokens[i] -= each.merge(pair, new)
        over_all.merge(pair, new)
        yield Merge(*pair, new, count), language


def _first_with_a_pair(
    choosing: Sequence[tuple[int, PairIndex]], least: int
) -> tuple[int, tuple[int, int], int] | None:
    for language, index in choosing:
        pair = index.pop_best()
        if pair is not None and index.counts[pair] >= least:
            return language, pair, index.counts[pair]
    return None
