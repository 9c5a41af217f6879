"""The tokenizer that a byte-level training returns: a value made of merges and a recipe.

Ids are 0–255 for the bytes, then the special tokens, then the merges in order. Everything else
follows from the merges and is derived on first use. :func:`extended` adds merges to any byte-level
vocabulary.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from bpe.algorithm.recipe import BYTES, Merge, Recipe, StopReason
from bpe.encoders.base import MadeOf, Symbol, TrainingRecord
from bpe.encoders.byte_pair import BytePairEncoder, Engine
from bpe.encoders.merge_models import MergeList, merge_list
from bpe.encoders.normalisers import Normaliser
from bpe.text.special_tokens import checked_specials


@dataclass(frozen=True, repr=False)
class Tokenizer(BytePairEncoder):
    """A trained byte-level BPE tokenizer; see :class:`bpe.encoders.base.Encoder`.

    ``recipe`` and ``corpus_digest`` say what it was trained by and on; ``name`` is for people.
    ``added_later`` are special tokens that came after the training; their ids are behind all
    others. That ``merges`` follow from each other is checked where they are read from a file.
    """

    merges: tuple[Merge, ...] = field()
    recipe: Recipe = field()
    corpus_digest: str = ""
    name: str = "trained"
    added_later: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "merges", tuple(Merge(*merge) for merge in self.merges))
        object.__setattr__(self, "added_later", tuple(self.added_later))
        special_tokens = (*self.recipe.special_tokens, *self.added_later)
        replace(self.recipe, special_tokens=special_tokens, vocabulary_size=None)  # checks them

    @cached_property
    def engine(self) -> Engine:  # type: ignore[override]
        return Engine(MergeList(self.merges), self.recipe.pattern)

    @cached_property
    def special_tokens(self) -> Mapping[str, int]:  # type: ignore[override]
        """Special token to id: those of the recipe behind the bytes, later ones at the end."""
        later = self.recipe.first_merge_id + len(self.merges)
        return MappingProxyType(
            {
                **{token: BYTES + i for i, token in enumerate(self.recipe.special_tokens)},
                **{token: later + i for i, token in enumerate(self.added_later)},
            }
        )

    @cached_property
    def training(self) -> TrainingRecord:  # type: ignore[override]
        return TrainingRecord(self.recipe, self.corpus_digest, self.merges)

    @cached_property
    def normaliser(self) -> Normaliser | None:  # type: ignore[override]
        return None if self.normalises is None else Normaliser(self.normalises)

    @property
    def normalises(self) -> str | None:  # type: ignore[override]
        normalisation = self.recipe.normalisation
        return None if normalisation == "none" else normalisation

    provenance = "trained"

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        first = self.recipe.first_merge_id
        if symbol.id is None or not first <= symbol.id < first + len(self.merges):
            return None
        left, right, new_id, count = self.merges[symbol.id - first]
        return MadeOf((self.symbol(left), self.symbol(right)), new_id - first + 1, count)

    def with_special_tokens(self, *tokens: str) -> "Tokenizer":
        """Return this tokenizer with more special tokens; all ids that there are stay as they are.

        A token that is no text, or special already, raises :class:`BPEError`.

        >>> from bpe.training.train import train
        >>> tokenizer = train(["low lower"], Recipe(merges=2)).with_special_tokens("<|end|>")
        >>> tokenizer.encode("low<|end|>", allowed_special="all")
        [257, 258]
        """
        checked_specials(tokens, self.special_tokens)
        return replace(self, added_later=(*self.added_later, *tokens))

    @property
    def vocabulary(self) -> tuple[bytes, ...]:
        """The bytes of every id, special tokens as their UTF-8."""
        return tuple(data for data in self.token_table if data is not None)

    @property
    def stop_reason(self) -> StopReason:
        return self.recipe.stop_reason(len(self.merges))

    @cached_property
    def digest(self) -> str:
        """The identity: 16 hexadecimal digits that follow from the recipe and the merges."""
        parts: list[Any] = [self.recipe.digest, [merge[:2] for merge in self.merges]]
        if self.added_later:
            parts.append(self.added_later)
        content = json.dumps(parts)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep only the fields: what is derived, the cache above all, is made anew."""
        return type(self), tuple(getattr(self, name) for name in self.__dataclass_fields__)


def extended(
    start: BytePairEncoder,
    merges: Sequence[Merge],
    recipe: Recipe,
    specials: Sequence[str] = (),
    corpus_digest: str = "",
    name: str = "extended",
) -> BytePairEncoder:
    """Return ``start`` with ``merges`` behind its own; all its ids stay as they are.

    ``specials`` have the ids from ``start.vocabulary_size`` on, what merges make those behind them.
    A merge may also make a token that ``start`` has, but no merge led to. ``recipe`` and
    ``corpus_digest`` say what the new merges were trained by and on.
    """
    listed = merge_list(start.model)
    size = start.vocabulary_size
    new = {token: size + i for i, token in enumerate(specials)}
    new_ids = tuple(merge.new_id for merge in merges if merge.new_id >= size)
    return BytePairEncoder(
        name,
        MergeList(
            (*listed.merges, *merges),
            byte_ids=listed.byte_ids,
            whole=listed.whole,
            others=listed.others,
        ),
        start.pattern or "none",
        special_tokens={**start.special_tokens, **new},
        added=start.added_tokens,
        normalise=start.normaliser,
        normalises=start.normalises,
        size=max([size + len(new), *(i + 1 for i in new_ids)]),
        training=TrainingRecord(
            recipe, corpus_digest, tuple(merges), new_ids=new_ids, start=start.identity
        ),
    )
