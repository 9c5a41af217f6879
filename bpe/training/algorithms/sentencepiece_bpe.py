"""SentencePiece's BPE: characters, of which a space is one, and bytes for those unseen."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from bpe.algorithm import character
from bpe.algorithm.films import Cut, Film, by_merges
from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import Encoder
from bpe.encoders.huggingface import bpe_model
from bpe.progress import OnProgress
from bpe.training.algorithms.base import Learner, Step, Words
from bpe.training.algorithms.character_bpe import CharacterBPE, merges_of
from bpe.training.algorithms.pieces import OfMetaspace


class SentencePieceBPE(OfMetaspace):
    """BPE as in Llama 2."""

    learners = CharacterBPE.learners

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Step]:
        recipe = self._of_characters
        self.begin_with([*self.fixed, *character.initial_vocabulary(words, recipe)])
        return merges_of(words, recipe, learner, on_progress)

    def film(
        self, tokenizer: Encoder, merges: Sequence[Any], words: Words | None = None
    ) -> Film | None:
        ranks: dict[tuple[str, str], int] = {}
        for rank, merge in enumerate(merges):
            ranks.setdefault((merge.left, merge.right), rank)
        fixed, made = set(self.fixed), {merge.new for merge in merges}
        symbols = tuple(
            entry for entry in self.entries(tokenizer) if entry in fixed or entry not in made
        )
        alphabet = set(symbols)

        def split(word: str) -> list[str]:
            signs: list[str] = []
            for sign in word:
                if sign in alphabet or not self.recipe.has_all_bytes:
                    signs.append(sign)
                else:
                    signs += [f"<0x{byte:02X}>" for byte in sign.encode()]
            return signs

        def cuts(words: Sequence[str]) -> list[list[Cut]]:
            return [by_merges(split(word), ranks) for word in words]

        return Film(symbols, cuts, bytes=frozenset(self.bytes), split=split)

    @property
    def _of_characters(self) -> Recipe:
        """The recipe for the characters and merges alone, without what every vocabulary has."""
        size = self.recipe.vocabulary_size
        return replace(
            self.recipe,
            algorithm="character-bpe",
            vocabulary_size=None if size is None else max(1, size - len(self.fixed)),
            special_tokens=(),
            end_of_word="",
            prune=False,
            unknown=None,
        )

    def model(self, merges: Sequence[Any]) -> dict[str, Any]:
        pairs = dict.fromkeys((merge.left, merge.right) for merge in merges)
        return bpe_model(
            self.vocabulary,
            [list(pair) for pair in pairs],
            unk_token=self.unknown,
            byte_fallback=self.recipe.has_all_bytes,
        )


ALGORITHM = SentencePieceBPE
