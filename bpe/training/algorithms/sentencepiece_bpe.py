"""SentencePiece's BPE: characters, of which a space is one, and bytes for those unseen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bpe.algorithm import character
from bpe.algorithm.recipe import Recipe
from bpe.progress import OnProgress
from bpe.training.algorithms.base import Learner, Learning, Words
from bpe.training.algorithms.pieces import MergedPieces, OfMetaspace


class SentencePieceBPE(OfMetaspace):
    """BPE as in Llama 2."""

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Learning:
        character.refuse_if_too_large(words)
        recipe = self._of_characters
        steps = (
            character.learn(words, recipe)
            if learner == "naive"
            else character.learn_incrementally(words, recipe, on_progress)
        )
        symbols = dict.fromkeys([*self.fixed, *character.initial_vocabulary(words, recipe)])
        return MergedPieces(self, tuple(symbols), steps, self._model)

    @property
    def _of_characters(self) -> Recipe:
        """The recipe for the characters and merges alone, without what every vocabulary has."""
        size = self.recipe.vocabulary_size
        return replace(
            self.recipe,
            algorithm="character-bpe",
            vocabulary_size=None if size is None else size - len(self.fixed),
            special_tokens=(),
            end_of_word="",
            prune=False,
            unknown=None,
        )

    def _model(self, vocabulary: Mapping[str, int], merges: Sequence[Any]) -> dict[str, Any]:
        pairs = dict.fromkeys((merge.left, merge.right) for merge in merges)
        return {
            "type": "BPE",
            "dropout": None,
            "unk_token": self.unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": self.recipe.has_all_bytes,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": [list(pair) for pair in pairs],
        }


ALGORITHM = SentencePieceBPE
