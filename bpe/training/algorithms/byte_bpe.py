"""Byte-level BPE: pre-tokens of bytes, and three learners of which the best is chosen."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bpe import compiled
from bpe.algorithm import basic, incremental
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.encoders.trained import Tokenizer
from bpe.progress import OnProgress
from bpe.text import pretokenize
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.text.own_pattern import is_own
from bpe.training.algorithms.base import Algorithm, Learner, Trained, Words


class ByteBPE(Algorithm):
    """BPE of the bytes of pre-tokens, as in GPT-2 and later."""

    asks = Algorithm.asks | {"pattern"}
    words = bytes
    learners = ("naive", "incremental", "compiled")

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        self.first_id = recipe.first_merge_id

    def split(self, text: str) -> Iterable[str]:
        return pretokenize.split(text, self.recipe.pattern)

    def count_words(
        self, texts: Iterable[str], tell: OnProgress, learner: Learner | None, threads: int | None
    ) -> Words:
        options: dict[str, Any] = {
            "special_tokens": self.recipe.special_tokens,
            "normalisation": self.recipe.normalisation,
            "on_progress": tell,
        }
        if learner == "compiled" or (learner is None and compiled.ready("train")):
            from bpe.compiled.train import counting  # only here: its kernels take long

            return counting.count_words(texts, self.recipe.pattern, threads=threads, **options)
        return pretokenize.count_words(texts, self.recipe.pattern, **options)

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Merge]:
        if learner == "naive":
            return learn_by_recounting(words, self.recipe)
        if learner == "incremental":
            return incremental.learn(words, self.recipe, on_progress)
        # only here: its kernels take long
        from bpe.compiled.train import learner as compiled_learner

        return compiled_learner.learn(words, self.recipe, on_progress=on_progress)

    def size(self, merges: Sequence[Merge]) -> int:
        return self.first_id + len(merges)

    def tokenizer(self, merges: Sequence[Merge], corpus_digest: str, name: str) -> Trained:
        return Tokenizer(tuple(merges), self.recipe, corpus_digest, name)

    def effort(self, size: int, characters: int, hanzi: float) -> tuple[float, float]:
        rare = 1.0 if self.recipe.pattern == "none" else hanzi
        by_regex = 0.4e-6 * size if is_own(self.recipe.pattern) else 0.0
        # A corpus that is too large for plain Python waits for the kernels.
        if compiled.ready() or (compiled.available() and characters > self.small):
            return by_regex + size * (0.035e-6 + 0.2e-6 * rare), size * (1 + 10 * rare)
        return size * (1e-6 + 6e-6 * rare), size * (10 + 100 * rare)

    def cutter(self) -> Cutter | None:
        return between_pre_tokens(self.recipe.pattern, self.recipe.normalisation)


ALGORITHM = ByteBPE


def first_vocabulary(recipe: Recipe) -> list[bytes]:
    """Return the bytes of each id before the first merge."""
    return [*(bytes([byte]) for byte in range(BYTES)), *map(str.encode, recipe.special_tokens)]


def learn_by_recounting(word_counts: Mapping[bytes, int], recipe: Recipe) -> Iterator[Merge]:
    """Yield the merges of :func:`bpe.algorithm.basic.train`: the definition, and slow."""
    limit = recipe.merge_limit
    size = sys.maxsize if limit is None else recipe.first_merge_id + limit
    vocabulary = first_vocabulary(recipe)
    for merge in map(Merge._make, basic.train(word_counts, vocabulary, size, recipe.tie_break)):
        if merge.count < recipe.min_frequency:
            return
        yield merge
