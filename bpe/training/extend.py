"""Extend the vocabulary of a byte-level encoder by more merges.

The merges of a vocabulary of ranks (tiktoken's) are recovered first. Ids stay as they are: new
special tokens and then new merges get the ids behind all others, special tokens of old included.

The words of the new corpus are encoded as they are today; then pairs of tokens are counted and
merged as pairs of bytes always were. So what is learned is what the encoder will do: old merges
first, then the new ones in order, and every new token is met again. (Tokens that are only put into
a vocabulary are often never reached, as no merge leads to them: arXiv 2512.03989.)
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import TypeGuard

from bpe.algorithm import basic, incremental
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import TIE_BREAKS_OF_ALL, Merge, Recipe
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.merge_models import merge_list
from bpe.encoders.trained import extended
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text
from bpe.training.algorithms.base import Learner, Trained, Words, wait_for_kernels
from bpe.training.algorithms.byte_bpe import ByteBPE

LARGE = 5_000
"""Tokens of a base whose merges plain Python would recover for too long."""


def is_extendable(encoder: Encoder) -> TypeGuard[BytePairEncoder]:
    """Return whether a training can go on from an encoder: it merges bytes by a known pattern."""
    return isinstance(encoder, BytePairEncoder) and encoder.pattern is not None


class BaseTokenizer(ByteBPE):
    """An encoder to extend, with what a recipe says of the rest.

    ``recipe`` is that of the training, with the split pattern of the encoder, which also
    normalises the texts. Merges are numbered from ``first_id`` on, and at most ``limit`` are made.
    What cannot be extended raises :class:`BPEError`.
    """

    def __init__(self, encoder: Encoder, recipe: Recipe) -> None:
        if not is_extendable(encoder):
            raise BPEError(
                "Only a byte-level BPE with a split pattern that is known here can be extended; "
                "“{name}” is none.",
                name=encoder.name,
            )
        self.encoder = encoder
        if not recipe.of_bytes or recipe.share is not None:
            raise BPEError("Only byte-level BPE can extend another tokenizer.")
        if recipe.tie_break not in TIE_BREAKS_OF_ALL:
            raise BPEError(
                "Hugging Face breaks ties so in plain byte-level BPE alone. Choose another rule."
            )
        here = {"pattern": encoder.pattern, "normalisation": encoder.normalises or "none"}
        for field, own in here.items():
            if (wanted := getattr(recipe, field)) not in (own, getattr(Recipe, field)):
                raise BPEError(
                    "{name} splits and normalises text in its own way ({own}), which a recipe "
                    "cannot change ({asked}). Leave that out of the recipe.",
                    name=encoder.name,
                    own=own,
                    asked=wanted,
                )
        pattern = encoder.pattern or ""
        super().__init__(replace(recipe, pattern=pattern, normalisation="none"))
        taken = encoder.special_tokens
        added = [token for token in recipe.special_tokens if token not in taken]
        self.new_specials = {token: encoder.vocabulary_size + i for i, token in enumerate(added)}
        self.first_id = encoder.vocabulary_size + len(added)
        limits = [recipe.merges]
        if recipe.vocabulary_size is not None:
            limits.append(recipe.vocabulary_size - self.first_id)
        self.limit = min((limit for limit in limits if limit is not None), default=None)
        if self.limit is not None and self.limit < 0:
            raise BPEError(
                "A vocabulary of {size} is too small: {name} has {least} tokens already. Ask for "
                "more, or for a number of merges.",
                size=recipe.vocabulary_size,
                name=encoder.name,
                least=self.first_id,
            )

    @cached_property
    def vocabulary(self) -> list[bytes]:
        """The bytes of each id below ``first_id``; nothing in gaps, nor of special tokens."""
        table = [b""] * self.encoder.vocabulary_size
        for token_id, data in self.encoder.model.tokens.items():
            table[token_id] = data
        return table + [b""] * len(self.new_specials)

    def count_words(
        self, texts: Iterable[str], tell: OnProgress, learner: Learner | None, threads: int | None
    ) -> Words:
        plain = ByteBPE(replace(self.recipe, special_tokens=()))  # they are cut out here
        return plain.count_words(self._ordinary(texts), tell, learner, threads)

    def _ordinary(self, texts: Iterable[str]) -> Iterator[str]:
        encoder = self.encoder
        cut = {*encoder.special_tokens, *self.new_specials, *encoder.added_tokens}
        for text in texts:
            for part, special in split_specials(scalar_text(text), cut):
                if not special:
                    yield encoder.normaliser(part) if encoder.normaliser else part

    def learner_for(self, characters: int, on_progress: OnProgress) -> Learner:
        if self.first_id > LARGE:  # plain Python would recover the merges for too long
            wait_for_kernels(on_progress, None)
        return super().learner_for(characters, on_progress)

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Merge]:
        """Yield the merges that a learner makes of words, by their final ids.

        A merge whose bytes are a token that no merge led to makes that token: files tell tokens
        apart by their bytes.
        """
        ranks = self.encoder.ranks
        spelling = list(self.vocabulary)
        ids: list[int] = list(range(self.first_id))
        new_id = self.first_id
        for merge in self._learn(words, learner, on_progress):
            left, right = ids[merge.left], ids[merge.right]
            spelling.append(spelling[merge.left] + spelling[merge.right])
            token_id = ranks.get(spelling[-1], new_id)
            if token_id != new_id and token_id in self._parts:
                raise BPEError(
                    "{name} cannot be extended: its merges use token {token_id}, but its bytes "
                    "are not encoded to it.",
                    name=self.encoder.name,
                    token_id=token_id,
                )
            ids.append(token_id)
            new_id += token_id == new_id
            yield Merge(left, right, token_id, merge.count)

    @cached_property
    def _parts(self) -> set[int]:
        return {part for merge in merge_list(self.encoder.model).merges for part in merge[:2]}

    def _learn(
        self, words: Mapping[bytes, int], learner: Learner, on_progress: OnProgress
    ) -> Iterator[Merge]:
        """Yield the merges with ids that count up by one."""
        recipe = self.recipe
        if learner == "naive":
            size = sys.maxsize if self.limit is None else self.first_id + self.limit
            encoded = {tuple(self.encoder.encode_word(word)): n for word, n in words.items()}
            merges = basic.train(encoded, list(self.vocabulary), size, recipe.tie_break)
            return takewhile(
                lambda merge: merge.count >= recipe.min_frequency, map(Merge._make, merges)
            )
        if learner == "compiled":
            # only here: its kernels take long
            from bpe.compiled.train import learner as compiled_learner

            start = compiled_learner.Start(
                self.encoder.engine.compiled, self.vocabulary, self.first_id, self.limit
            )
            return compiled_learner.learn(words, recipe, start=start, on_progress=on_progress)
        index = PairIndex(
            ((self.encoder.encode_word(word), count) for word, count in words.items()),
            dict(enumerate(self.vocabulary)),
            recipe.tie_break,
            least=recipe.min_frequency,
            on_progress=on_progress,
            limit=self.limit,
        )
        return incremental.learn_from(index, recipe, self.first_id, self.limit)

    def tokenizer(self, merges: Sequence[Merge], corpus_digest: str, name: str) -> Trained:
        specials = tuple(self.new_specials)
        return extended(self.encoder, merges, self.recipe, specials, corpus_digest, name)
