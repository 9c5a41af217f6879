"""A byte-level tokenizer that training has extended: all its ids as they were, new ones behind.

Whatever the encoder was made of, here it is a list of merges, to which the new ones are appended.
Training is in :mod:`bpe.training.extend`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from bpe.algorithm.recipe import Merge, Recipe
from bpe.encoders.byte_pair import BytePairEncoder, Engine
from bpe.encoders.merge_models import MergeList, merge_list
from bpe.encoders.normalisers import HuggingFaceNormaliser, Normaliser


@dataclass(frozen=True, repr=False)
class ExtendedTokenizer(BytePairEncoder):
    """``start`` with ``new_merges`` behind its own; see :class:`bpe.encoders.base.Encoder`.

    ``new_specials`` have the ids from ``start.vocabulary_size`` on, what merges make those behind
    them. A merge may also make a token that ``start`` has, but no merge led to. ``recipe`` and
    ``corpus_digest`` say what the new merges were trained by and on.
    """

    start: BytePairEncoder = field()
    new_merges: tuple[Merge, ...] = field()
    recipe: Recipe = field()
    new_specials: tuple[str, ...] = ()
    corpus_digest: str = ""
    name: str = "extended"

    kind = "byte-level BPE"
    provenance = "trained"

    @cached_property
    def engine(self) -> Engine:  # type: ignore[override]
        listed = merge_list(self.start.model)
        model = MergeList(
            (*listed.merges, *self.new_merges),
            byte_ids=listed.byte_ids,
            whole=listed.whole,
            others=listed.others,
        )
        return Engine(model, self.start.pattern or "none")

    @cached_property
    def special_tokens(self) -> Mapping[str, int]:  # type: ignore[override]
        """Special token to id, the new ones last."""
        first = self.start.vocabulary_size
        new = {token: first + at for at, token in enumerate(self.new_specials)}
        return MappingProxyType({**self.start.special_tokens, **new})

    @property
    def added_tokens(self) -> Mapping[str, int]:  # type: ignore[override]
        return self.start.added_tokens

    @property
    def learned(self) -> tuple[Merge, ...]:  # type: ignore[override]
        return self.new_merges

    @property
    def normaliser(self) -> Normaliser | HuggingFaceNormaliser | None:  # type: ignore[override]
        return self.start.normaliser

    @property
    def normalises(self) -> str | None:  # type: ignore[override]
        return self.start.normalises

    @cached_property
    def size(self) -> int:  # type: ignore[override]
        first = self.start.vocabulary_size + len(self.new_specials)
        return max([first, *(merge.new_id + 1 for merge in self.new_merges)])

    @cached_property
    def new_ids(self) -> tuple[int, ...]:  # type: ignore[override]
        """The ids that ``start`` did not have, special tokens left out, in order."""
        first = self.start.vocabulary_size
        return tuple(merge.new_id for merge in self.new_merges if merge.new_id >= first)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (
            *(self.start, self.new_merges, self.recipe),
            *(self.new_specials, self.corpus_digest, self.name),
        )
        return type(self), fields
