"""What a byte-level BPE merges by: a list of merges (:class:`MergeList`) or ranks of tokens.

Both say which ids a pre-token has, what a token was merged from, and how they are compiled.
:func:`merge_list` turns ranks (:class:`RankTable`, tiktoken's) into the merges behind them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bpe import compiled
from bpe.algorithm.merge import BYTES, Merge, Ranks, merge_by_heap
from bpe.encoders.base import MadeOf, Symbol
from bpe.encoders.derivation import ListedOrigins, RankedOrigins, bytes_of
from bpe.encoders.equality import PickledAlike

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder

Splitter = Callable[[str], Iterable[str]]


class MergeList(PickledAlike):
    """Merges in order: of all neighbours, those of the first merge are joined first.

    ``byte_ids`` are the ids of the 256 bytes. ``whole`` are tokens that a pre-token becomes
    without looking at merges (``ignore_merges`` of a ``tokenizer.json``); ``others`` are tokens
    that only decoding meets, as no merge makes them.
    """

    def __init__(
        self,
        merges: Sequence[Merge],
        *,
        byte_ids: Sequence[int] = range(BYTES),
        whole: Mapping[bytes, int] = MappingProxyType({}),
        others: Mapping[int, bytes] = MappingProxyType({}),
    ) -> None:
        self.merges = tuple(merges)
        self.byte_ids = tuple(byte_ids)
        self.whole = whole
        self.others = others

    @cached_property
    def tokens(self) -> Mapping[int, bytes]:
        spelled = dict(self.others)
        spelled.update((token, bytes([byte])) for byte, token in enumerate(self.byte_ids))
        for left, right, new, *_ in self.merges:
            spelled.setdefault(new, spelled[left] + spelled[right])
        spelled.update((token_id, data) for data, token_id in self.whole.items())
        return spelled

    @cached_property
    def ranks(self) -> Ranks:
        """Pair of ids to its rank (the number of the merge from 0) and the id that it becomes."""
        ranks: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, (left, right, new, *_) in enumerate(self.merges):
            ranks.setdefault((left, right), (rank, new))
        return ranks

    def encode_word(self, word: bytes) -> list[int]:
        if word in self.whole:
            return [self.whole[word]]
        return self.merged(word)

    def merged(self, word: bytes) -> list[int]:
        """Return the ids that merges lead to, also of what is a token as a whole."""
        return merge_by_heap([self.byte_ids[byte] for byte in word], self.ranks)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        return self._origins.made_of(symbol)

    def pair_rank(self, left: bytes, right: bytes) -> int | None:
        known = self.ranks.get((self._ids.get(left, -1), self._ids.get(right, -1)))
        return known[0] if known else None

    @cached_property
    def _ids(self) -> Mapping[bytes, int]:
        ids: dict[bytes, int] = {}
        for token_id, data in self.tokens.items():
            ids.setdefault(data, token_id)
        return ids

    @cached_property
    def _origins(self) -> ListedOrigins:
        return ListedOrigins(self.merges, self.tokens.__getitem__)

    def __reduce__(self) -> tuple[Any, ...]:
        return _merge_list, (self.merges, self.byte_ids, dict(self.whole), dict(self.others))

    def compiled(self, splitter: str | Splitter) -> "CompiledEncoder":
        from bpe.compiled.encode.encoder import CompiledEncoder  # only here: NumPy takes long

        return CompiledEncoder.from_merges(
            self.merges, splitter, byte_ids=self.byte_ids, whole=self.whole
        )


def _merge_list(
    merges: Sequence[Merge],
    byte_ids: Sequence[int],
    whole: Mapping[bytes, int],
    others: Mapping[int, bytes],
) -> MergeList:
    return MergeList(merges, byte_ids=byte_ids, whole=whole, others=others)


class RankTable(PickledAlike):
    """Tokens and their ids: of all neighbours that join to a token, the lowest id comes first.

    A pre-token that is a token is its id, whether merges lead to it or not (tiktoken). ``others``
    are tokens that only decoding meets. Both may be functions, called when they are needed.
    """

    def __init__(
        self,
        ranks: Mapping[bytes, int] | Callable[[], Mapping[bytes, int]],
        others: Mapping[int, bytes] | Callable[[], Mapping[int, bytes]] = MappingProxyType({}),
    ) -> None:
        self._ranks = ranks
        self._others = others

    @cached_property
    def by_bytes(self) -> Mapping[bytes, int]:
        return self._ranks() if callable(self._ranks) else self._ranks

    @cached_property
    def others(self) -> Mapping[int, bytes]:
        """The bytes of tokens that no text is encoded to."""
        return self._others() if callable(self._others) else self._others

    @cached_property
    def tokens(self) -> Mapping[int, bytes]:
        return {**{at: data for data, at in self.by_bytes.items()}, **self.others}

    @cached_property
    def _joined(self) -> "_JoinedRanks":
        return _JoinedRanks(self.by_bytes, self.tokens)

    def encode_word(self, word: bytes) -> list[int]:
        if (whole := self.by_bytes.get(word)) is not None:
            return [whole]
        return self.merged(word)

    def merged(self, word: bytes) -> list[int]:
        ids = self.by_bytes
        return merge_by_heap([ids[word[at : at + 1]] for at in range(len(word))], self._joined)

    @cached_property
    def merges(self) -> tuple[Merge, ...]:
        """The merges, recovered from the ranks; counts are not known and 0.

        A token that no two others lead to was put in by hand, and no merge makes it.
        """
        merges: Iterable[tuple[int, int, int]] = self._origins.merges()
        if compiled.cached("encode"):
            compiled.warm(background=False, part="encode")
            merges = self.compiled("none").recovered_merges()
        return tuple(Merge(left, right, new, 0) for left, right, new in merges)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        return self._origins.made_of(symbol)

    def pair_rank(self, left: bytes, right: bytes) -> int | None:
        return self.by_bytes.get(left + right)

    @cached_property
    def _origins(self) -> RankedOrigins:
        return RankedOrigins(self.by_bytes, bytes_of)

    def __reduce__(self) -> tuple[Any, ...]:
        return RankTable, (dict(self.by_bytes), dict(self.others))

    def compiled(self, splitter: str | Splitter) -> "CompiledEncoder":
        from bpe.compiled.encode.encoder import CompiledEncoder  # only here: NumPy takes long

        return CompiledEncoder.from_ranks(self.by_bytes, splitter)


class _JoinedRanks(Mapping[tuple[int, int], tuple[int, int]]):
    """Pair of ids to the rank and id of the token that they join to."""

    def __init__(self, ranks: Mapping[bytes, int], tokens: Mapping[int, bytes]) -> None:
        self._ranks = ranks
        self._tokens = tokens

    def __getitem__(self, pair: tuple[int, int]) -> tuple[int, int]:
        joined = self._ranks[self._tokens[pair[0]] + self._tokens[pair[1]]]
        return joined, joined

    def get(self, pair: tuple[int, int], default: Any = None) -> Any:
        joined = self._ranks.get(self._tokens[pair[0]] + self._tokens[pair[1]])
        return default if joined is None else (joined, joined)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        raise NotImplementedError("pairs are looked up, never listed")

    def __len__(self) -> int:
        raise NotImplementedError("pairs are looked up, never listed")


def merge_list(model: MergeList | RankTable) -> MergeList:
    """Return a model as a list of merges that gives the same ids.

    In a vocabulary of ranks each token is made by one pair, the last that is merged within its
    bytes: whatever stands around, no merge has reached across its ends before. Tokens that nothing
    leads to are those that only a whole pre-token can be.
    """
    if isinstance(model, MergeList):
        return model
    made = {merge.new_id for merge in model.merges}
    return MergeList(
        model.merges,
        byte_ids=[model.by_bytes[bytes([byte])] for byte in range(BYTES)],
        whole={data: at for data, at in model.by_bytes.items() if len(data) > 1 and at not in made},
        others=dict(model.tokens),
    )
