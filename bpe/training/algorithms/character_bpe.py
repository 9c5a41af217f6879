"""BPE of characters with a mark at the end of each word, as first published."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bpe.algorithm import character
from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import Recipe
from bpe.encoders.character import CharacterTokenizer
from bpe.progress import OnProgress
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.training.algorithms.base import Algorithm, Learner, Trained, Words


class CharacterBPE(Algorithm):
    """BPE of the characters of words, which white space or a pattern divides."""

    asks = Algorithm.asks | {"end_of_word", "prune", "unknown"}
    learners = ("naive", "incremental", "compiled")

    def split(self, text: str) -> Iterable[str]:
        return character.words_of(text, self.recipe)

    def cutter(self) -> Cutter | None:
        if not self.recipe.has_own_words:
            return super().cutter()
        return between_pre_tokens(self.recipe.pattern, self.recipe.normalisation)

    def learn(
        self, words: Words, learner: Learner, on_progress: OnProgress
    ) -> Iterator[CharacterMerge]:
        self._symbols = character.initial_vocabulary(words, self.recipe)
        return merges_of(words, self.recipe, learner, on_progress)

    def size(self, merges: Sequence[CharacterMerge]) -> int:
        return merges[-1].vocabulary_size if merges else len(self._symbols)

    def tokenizer(self, merges: Sequence[CharacterMerge], corpus_digest: str, name: str) -> Trained:
        return CharacterTokenizer(self._symbols, tuple(merges), self.recipe, corpus_digest, name)


ALGORITHM = CharacterBPE


def merges_of(
    words: Mapping[str, int], recipe: Recipe, learner: Learner, on_progress: OnProgress
) -> Iterator[CharacterMerge]:
    """Return the merges that a learner makes of characters."""
    if learner == "naive":
        return character.learn(words, recipe)
    if learner == "incremental":
        return character.learn_incrementally(words, recipe, on_progress)
    from bpe.compiled.train import symbols  # only here: its kernels take long

    return symbols.learn_characters(words, recipe, on_progress)
