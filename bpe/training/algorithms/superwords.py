"""Superwords: BPE whose later merges reach across words (SuperBPE, arXiv 2503.13423).

A share of the merges is learned within pre-tokens, as in byte-level BPE; the others go on from
these without a split. Where that differs from the paper is said in ``docs/recipes.md``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bpe.algorithm.recipe import Merge, Recipe
from bpe.encoders.trained import Tokenizer, extended
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.text import pretokenize
from bpe.text.cuts import Cutter
from bpe.training.algorithms.base import Learner, Trained, Words
from bpe.training.algorithms.byte_bpe import ByteBPE
from bpe.training.extend import BaseTokenizer


class Superwords(ByteBPE):
    """Its words are whole texts, from which the pre-tokens of the first merges follow."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        if recipe.merge_limit is None:
            raise BPEError(
                "Superwords need a number of merges or a vocabulary size: a share of them is "
                "learned within words."
            )
        self.whole = ByteBPE(replace(recipe, algorithm="byte-bpe", share=None, pattern="none"))
        self._within: list[Merge] = []

    def split(self, text: str) -> Iterable[str]:
        return (text,)

    def count_words(
        self, texts: Iterable[str], tell: OnProgress, learner: Learner | None, threads: int | None
    ) -> Words:
        return self.whole.count_words(texts, tell, learner, threads)

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Merge]:
        counts: Counter[bytes] = Counter()
        for text, count in words.items():
            for word in pretokenize.split(text.decode("utf-8", "replace"), self.recipe.pattern):
                counts[word.encode()] += count
        limit = self.recipe.merge_limit or 0
        merges = round((self.recipe.share or 0.0) * limit)
        within = replace(
            self.whole.recipe, pattern=self.recipe.pattern, merges=merges, vocabulary_size=None
        )
        for merge in ByteBPE(within).learn(counts, learner, on_progress):
            self._within.append(merge)
            yield merge
        more = replace(within, pattern="none", merges=limit - len(self._within))
        yield from BaseTokenizer(self._start(), more).learn(words, learner, on_progress)

    def _start(self) -> Tokenizer:
        return Tokenizer(tuple(self._within), self.whole.recipe)

    def tokenizer(self, merges: Sequence[Merge], corpus_digest: str, name: str) -> Trained:
        more = merges[len(self._within) :]
        return extended(self._start(), more, self.recipe, corpus_digest=corpus_digest, name=name)

    def cutter(self) -> Cutter | None:
        return None


ALGORITHM = Superwords
