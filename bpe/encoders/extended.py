"""A byte-level tokenizer that was gone on from: all its ids as they were, and new ones behind.

Whatever the encoder was made of, here it is a list of merges, to which the new ones are appended.
Training is in :mod:`bpe.training.start`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bpe import compiled
from bpe.algorithm.recipe import Merge, Recipe
from bpe.encoders.byte_pair import BytePairEncoder, MergeList
from bpe.encoders.origins import bytes_of, merge_within

_LONGEST = 1 << 11  # finding a merge in plain Python takes time that grows with the square of it


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

    def __post_init__(self) -> None:
        start = self.start
        listed = merge_list(start)
        first = start.vocabulary_size
        specials = {token: first + at for at, token in enumerate(self.new_specials)}
        size = max([first + len(specials), *(merge.new_id + 1 for merge in self.new_merges)])
        BytePairEncoder.__init__(
            self,
            self.name,
            MergeList(
                (*listed.merges, *self.new_merges),
                byte_ids=listed.byte_ids,
                whole=listed.whole,
                others=listed.others,
            ),
            start.pattern or "none",
            special_tokens={**start.special_tokens, **specials},
            added=start.added_tokens,
            normalise=start.normaliser,
            normalises=start.normalises,
            size=size,
        )

    @cached_property
    def new_ids(self) -> tuple[int, ...]:
        """The ids that ``start`` did not have, special tokens left out, in order."""
        first = self.start.vocabulary_size
        return tuple(merge.new_id for merge in self.new_merges if merge.new_id >= first)

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep only the fields: what is derived is made anew."""
        fields = (
            *(self.start, self.new_merges, self.recipe),
            *(self.new_specials, self.corpus_digest, self.name),
        )
        return type(self), fields


def merge_list(encoder: BytePairEncoder) -> MergeList:
    """Return what is behind an encoder as a list of merges that gives the same ids.

    In a vocabulary of ranks each token is made by one pair, the last that is merged within its
    bytes: whatever stands around, no merge has reached across its ends before. Tokens that nothing
    leads to are those that only a whole pre-token can be.
    """
    model = encoder.model
    if isinstance(model, MergeList):
        return model
    if compiled.ready("encode"):
        merges = encoder.compiled_encoder.recovered_merges()
    else:
        merges = _recovered_slowly(model.by_bytes)
    made = {new for _, _, new in merges}
    whole = {d: at for d, at in model.by_bytes.items() if len(d) > 1 and at not in made}
    return MergeList(
        [Merge(left, right, new, 0) for left, right, new in merges],
        byte_ids=[model.by_bytes[bytes([byte])] for byte in range(256)],
        whole=whole,
        others=dict(model.tokens),
    )


def _recovered_slowly(ranks: Mapping[bytes, int]) -> list[tuple[int, int, int]]:
    """Return the pair that makes each token and the token, in the order of ids."""

    def join(left: bytes, right: bytes) -> tuple[int, bytes] | None:
        rank = ranks.get(left + right)
        return None if rank is None else (rank, left + right)

    merges = []
    for data, token_id in sorted(ranks.items(), key=lambda item: item[1]):
        if 1 < len(data) <= _LONGEST:
            row, last = merge_within(bytes_of(data), join)
            if last and len(row) == 1:
                merges.append((ranks[last[0]], ranks[last[1]], token_id))
    return merges
