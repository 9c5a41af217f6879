"""Two recipes of today's research that are more than a choice in a recipe: superwords and parity.

Both give tokenizers like any other, whose files give the same ids elsewhere. Where they differ from
the papers is said in ``docs/recipes.md``.

Plain BPE takes the pair that is most frequent over all languages, and so serves the language with
the most text. With parity (arXiv 2508.04796) the language whose text has the most tokens by now
says which pair is merged, in all languages. :func:`merges_by_parity` counts everything anew for
each merge, :func:`learn_by_parity` only what a merge changes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple, cast

from bpe.algorithm.basic import TieBreak, best_pair, count_pairs, merge_pair
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.trained import Tokenizer
from bpe.progress import OnProgress
from bpe.text.digests import digest
from bpe.training.algorithms.base import Learner
from bpe.training.count_words import count_texts
from bpe.training.train import Training


def train_superwords(
    texts: Sequence[str],
    recipe: Recipe,
    *,
    subwords: float = 0.8,
    learner: Learner | None = None,
    on_progress: OnProgress | None = None,
    name: str = "superwords",
) -> BytePairEncoder:
    """Train the share ``subwords`` of the merges as the recipe says, the others without its split.

    So the later tokens may reach across words (SuperBPE, arXiv 2503.13423). ``recipe`` has to say
    how many merges or tokens there are to be.
    """
    limit = recipe.merge_limit or 0
    recipe = replace(recipe, superwords=None)
    within = replace(recipe, merges=round(subwords * limit), vocabulary_size=None)
    first = Training(texts, within, learner=learner, on_progress=on_progress).finished()
    assert isinstance(first, Tokenizer)  # as the recipe is one of bytes
    uncut = replace(first.recipe, pattern="none")
    start = Tokenizer(first.merges, uncut, first.corpus_digest, name)
    more = replace(uncut, merges=limit - len(first.merges))
    second = Training(
        texts, more, start=start, learner=learner, on_progress=on_progress, name=name
    ).finished()
    assert isinstance(second, BytePairEncoder)
    assert second.training is not None
    record = replace(second.training, recipe=replace(recipe, superwords=subwords))
    return second._changed(training=record)


def train_parity(
    languages: Mapping[str, Sequence[str]],
    recipe: Recipe,
    *,
    global_share: float = 0.0,
    name: str = "parity",
) -> tuple[Tokenizer, tuple[str, ...]]:
    """Train on texts that say the same in each language, each merge for the one now worst off.

    ``global_share`` of the merges are chosen over all languages together before. Return the
    tokenizer, and for each merge the language that chose it ("" for all).
    """
    words = [cast(Mapping[bytes, int], count_texts(texts, recipe)) for texts in languages.values()]
    limit = recipe.merge_limit
    most = sum(len(word) for part in words for word in part) if limit is None else limit
    vocabulary = [bytes([byte]) for byte in range(BYTES)]
    vocabulary += [token.encode() for token in recipe.special_tokens]
    made = learn_by_parity(
        words,
        vocabulary,
        len(vocabulary) + most,
        global_merges=round(global_share * most),
        tie_break=recipe.tie_break,
        least=recipe.min_frequency,
    )
    merges = list(made)
    names = [*languages, ""]
    corpus = digest(map(digest, languages.values()))
    recipe = replace(recipe, parity=global_share, languages=tuple(languages))
    tokenizer = Tokenizer(tuple(Merge(*merge[:4]) for merge in merges), recipe, corpus, name)
    return tokenizer, tuple(names[merge.language] for merge in merges)


class ParityMerge(NamedTuple):
    """A merge, how often its pair was counted, and the language that chose it (-1: all)."""

    left: int
    right: int
    new_id: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not needed here
    language: int


def merges_by_parity(
    languages: Sequence[Mapping[bytes, int]],
    vocabulary: list[bytes],
    size: int,
    *,
    global_merges: int = 0,
    tie_break: TieBreak = "lexicographic",
    least: int = 1,
) -> Iterator[ParityMerge]:
    """Grow ``vocabulary`` to ``size`` by pairs that occur ``least`` times where they are chosen.

    A language that has no such pair is passed over; of equally long ones the first chooses.
    """
    rows: list[list[tuple[Sequence[int], int]]] = [list(words.items()) for words in languages]
    for made in range(size - len(vocabulary)):
        if made < global_merges:
            choosing = [(-1, list(chain.from_iterable(rows)))]
        else:
            choosing = [(at, rows[at]) for at in _worst_first(list(map(_tokens, rows)))]
        counted = ((language, count_pairs(part)) for language, part in choosing)
        chosen = next(((at, counts) for at, counts in counted if _most(counts) >= least), None)
        if chosen is None:
            return
        language, counts = chosen
        left, right = pair = best_pair(counts, tie_break, vocabulary.__getitem__)
        new = len(vocabulary)
        vocabulary.append(vocabulary[left] + vocabulary[right])
        rows = [[(merge_pair(row, pair, new), count) for row, count in part] for part in rows]
        yield ParityMerge(left, right, new, counts[pair], language)


def _tokens(rows: Sequence[tuple[Sequence[int], int]]) -> int:
    return sum(len(row) * count for row, count in rows)


def _most(counts: Mapping[tuple[int, int], int]) -> int:
    return max(counts.values(), default=0)


def _worst_first(tokens: Sequence[int]) -> list[int]:
    return sorted(range(len(tokens)), key=lambda at: -tokens[at])


def learn_by_parity(
    languages: Sequence[Mapping[bytes, int]],
    vocabulary: Sequence[bytes],
    size: int,
    *,
    global_merges: int = 0,
    tie_break: TieBreak = "lexicographic",
    least: int = 1,
) -> Iterator[ParityMerge]:
    """Yield the same merges as :func:`merges_by_parity`."""
    spelling = dict(enumerate(vocabulary))
    indexes = [PairIndex(words.items(), spelling, tie_break) for words in languages]
    every = list(chain.from_iterable(words.items() for words in languages))
    over_all = PairIndex(every if global_merges else [], spelling, tie_break)
    tokens = [sum(len(word) * count for word, count in words.items()) for words in languages]
    for made in range(size - len(vocabulary)):
        choosing = [(-1, over_all)]
        if made >= global_merges:
            choosing = [(at, indexes[at]) for at in _worst_first(tokens)]
        chosen = _first_with_a_pair(choosing, least)
        if chosen is None:
            return
        language, pair, count = chosen
        new = len(vocabulary) + made
        for at, each in enumerate(indexes):
            tokens[at] -= each.merge(pair, new)
        over_all.merge(pair, new)
        yield ParityMerge(*pair, new, count, language)


def _first_with_a_pair(
    choosing: Sequence[tuple[int, PairIndex]], least: int
) -> tuple[int, tuple[int, int], int] | None:
    for language, index in choosing:
        pair = index.pop_best()
        if pair is not None and index.counts[pair] >= least:
            return language, pair, index.counts[pair]
    return None
