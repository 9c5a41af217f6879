"""The trained character-level tokenizer: an immutable value made of symbols and merges.

How its merges are learned is in :mod:`bpe.algorithm.character`. Bytes, which need no unknown token,
are in :mod:`bpe.encoders.trained`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from bpe.algorithm.basic import merge_pair
from bpe.algorithm.character import CharacterMerge, split_word, words_of
from bpe.algorithm.recipe import Recipe, StopReason
from bpe.encoders.base import Encoder, MadeOf, Symbol, TrainingRecord
from bpe.errors import BPEError
from bpe.text.pretokenize import normaliser
from bpe.text.unicode import utf8


@dataclass(frozen=True, repr=False)
class CharacterTokenizer(Encoder):
    """A trained character-level tokenizer: an immutable value made of symbols and merges.

    ``symbols`` is the vocabulary before the first merge. Ids number the vocabulary after pruning,
    in the order in which its entries came to be, or in ``order`` where a file has another one.
    """

    symbols: tuple[str, ...]
    merges: tuple[CharacterMerge, ...]
    recipe: Recipe
    corpus_digest: str = ""
    name: str = "trained"
    order: tuple[str, ...] = ()

    kind = "BPE of characters"
    provenance = "trained"

    @cached_property
    def special_tokens(self) -> Mapping[str, int]:  # type: ignore[override]
        return MappingProxyType({token: self.ids[token] for token in self.recipe.special_tokens})

    @cached_property
    def training(self) -> TrainingRecord:  # type: ignore[override]
        return TrainingRecord(self.recipe, self.corpus_digest, self.merges, symbols=self.symbols)

    @property
    def normalises(self) -> str | None:  # type: ignore[override]
        """The normalisation of the recipe, and that runs of white space become one space.

        A pattern of its own leaves white space as it is.
        """
        steps = [] if self.recipe.normalisation == "none" else [self.recipe.normalisation]
        if not self.recipe.has_own_words:
            steps.append("white space")
        return "+".join(steps) or None

    @property
    def lossy(self) -> bool:  # type: ignore[override]
        return self.recipe.unknown is not None

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        if self.order:
            return self.order
        symbols = dict.fromkeys(self.symbols)
        for merge in self.merges:
            symbols[merge.new] = None
            for removed in merge.removed:
                symbols.pop(removed, None)
        return tuple(symbols)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        return {symbol: index for index, symbol in enumerate(self.vocabulary)}

    @property
    def _space_sign(self) -> str:
        """The end of a word, which decoding makes a space if white space divides words."""
        return "" if self.recipe.has_own_words else self.recipe.end_of_word

    @property
    def stop_reason(self) -> StopReason:
        return self.recipe.stop_reason(
            len(self.merges), self.vocabulary_size, alphabet=len(self.symbols)
        )

    def encode_word(self, word: str) -> list[str]:
        """Return the symbols of one word, also those that have no id.

        Words are cached, as most of them come again.
        """
        return list(self._cached_word(word))

    @cached_property
    def _cached_word(self) -> Callable[[str], tuple[str, ...]]:
        ranks: dict[tuple[str, str], list[int]] = {}
        for rank, merge in enumerate(self.merges):
            ranks.setdefault((merge.left, merge.right), []).append(rank)

        @lru_cache(maxsize=1 << 16)
        def encode_word(word: str) -> tuple[str, ...]:
            return tuple(_apply_ranks(split_word(word, self.recipe), ranks))

        return encode_word

    def _encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of ``text``.

        A symbol without an id (an unseen character, or one that was pruned) becomes the recipe's
        ``unknown`` token; where there is none it raises :class:`BPEError`.
        """
        words = words_of(normaliser(self.recipe.normalisation)(text), self.recipe)
        return [self._id(symbol) for word in words for symbol in self.encode_word(word)]

    def _id(self, symbol: str) -> int:
        token_id = self.ids.get(symbol)
        if token_id is None and self.recipe.unknown is not None:
            token_id = self.ids[self.recipe.unknown]
        if token_id is None:
            raise BPEError(
                "“{symbol}” is not in the vocabulary: it does not occur on its own in the "
                "training text. Add text that contains it, or train with an unknown token such "
                "as <unk>.",
                symbol=symbol,
            )
        return token_id

    @cached_property
    def token_table(self) -> Sequence[bytes | None]:
        return [self._spelled(symbol) for symbol in self.vocabulary]

    def _spelled(self, symbol: str) -> bytes:
        end = self.recipe.end_of_word
        if end and symbol.endswith(end) and symbol not in self.recipe.special_tokens:
            symbol = symbol[: -len(end)] + ("" if self.recipe.has_own_words else " ")
        return utf8(symbol)

    def symbol(self, token_id: int, /) -> Symbol:
        return Symbol(self.token_bytes(token_id), token_id, self.vocabulary[token_id])

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        made = self._made.get(str(symbol.key))
        if made is None or symbol.key in self.recipe.special_tokens:
            return None
        parts = tuple(Symbol(self._spelled(part), self.ids.get(part), part) for part in made[:2])
        return MadeOf(parts, *made[2:])

    @cached_property
    def _made(self) -> Mapping[str, tuple[str, str, int, int]]:
        made: dict[str, tuple[str, str, int, int]] = {}
        for rank, merge in enumerate(self.merges, start=1):
            made.setdefault(merge.new, (merge.left, merge.right, rank, merge.count))
        return made

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids, words divided by single spaces if white space divides them."""
        text = self.decode_bytes(ids).decode()
        return text.removesuffix(" ") if self._space_sign else text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__dataclass_fields__)


def _apply_ranks(symbols: list[str], ranks: Mapping[tuple[str, str], Sequence[int]]) -> list[str]:
    """Do what :func:`apply_merges` does, going straight to the next merge that fits.

    A pair has several ranks where its parts can be spelled in several ways ("ab" + "c" and
    "a" + "bc"); only those behind the last merge applied still count.
    """
    last = -1
    while True:
        next_ranks = {}
        for pair in pairwise(symbols):
            ahead = [rank for rank in ranks.get(pair, ()) if rank > last]
            if ahead:
                next_ranks[ahead[0]] = pair
        if not next_ranks:
            return symbols
        last = min(next_ranks)
        pair = next_ranks[last]
        symbols = merge_pair(symbols, pair, "".join(pair))
