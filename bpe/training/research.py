"""Two recipes of today's research that are more than a choice in a recipe: superwords and parity.

Both give tokenizers like any other, whose files give the same ids elsewhere. Where they differ from
the papers is said in ``docs/recipes.md``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from bpe.algorithm import parity
from bpe.algorithm.parity import ParityMerge
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.encoders.extended import ExtendedTokenizer
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
) -> ExtendedTokenizer:
    """Train the share ``subwords`` of the merges as the recipe says, the others without its split.

    So the later tokens may reach across words (SuperBPE, arXiv 2503.13423). ``recipe`` has to say
    how many merges or tokens there are to be.
    """
    limit = recipe.merge_limit or 0
    recipe = replace(recipe, superwords=None)
    within = replace(recipe, merges=round(subwords * limit), vocabulary_size=None)
    first = cast(
        Tokenizer, Training(texts, within, learner=learner, on_progress=on_progress).finished()
    )
    uncut = replace(first.recipe, pattern="none")
    start = Tokenizer(first.merges, uncut, first.corpus_digest, name)
    more = replace(uncut, merges=limit - len(first.merges))
    second = Training(
        texts, more, start=start, learner=learner, on_progress=on_progress, name=name
    ).finished()
    return replace(cast(ExtendedTokenizer, second), recipe=replace(recipe, superwords=subwords))


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
    made: Iterator[ParityMerge] = parity.learn(
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
