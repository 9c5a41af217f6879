"""The models of byte-level BPE: a list of merges (:class:`MergeList`) or ranks of tokens.

Both say which ids a pre-token has, what a token was merged from, and how they are compiled.
:func:`merge_list` turns ranks (:class:`RankTable`, tiktoken's) into the merges behind them.

Running the merges again inside the bytes of a token, lowest rank first, ends in the merge that made
it: whatever stands around, no merge has reached across its ends before.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from bpe import compiled
from bpe.algorithm.merge import BYTES, Merge, merge_by_heap
from bpe.encoders.base import MadeOf, PickledAlike, Symbol

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder

_Key = TypeVar("_Key")

_LONGEST_RECOVERED = 1 << 11  # finding a merge takes time that grows with the square of it


def merge_within(
    symbols: Sequence[_Key], join: Callable[[_Key, _Key], tuple[int, _Key] | None]
) -> tuple[list[_Key], tuple[_Key, _Key, int] | None]:
    """Merge neighbours, of all that ``join`` gives a rank the lowest and leftmost first.

    ``join`` returns the rank and the joined symbol. Return what is left at the end, and the last
    merge as ``(left, right, rank)``.

    >>> merge_within("abc", lambda a, b: {"ab": (0, "ab"), "abc": (1, "abc")}.get(a + b))
    (['abc'], ('ab', 'c', 1))
    """
    row = list(symbols)
    last = None
    while steps := [
        (*step, place)
        for place, pair in enumerate(pairwise(row))
        if (step := join(*pair)) is not None
    ]:
        rank, new, place = min(steps, key=lambda step: (step[0], step[2]))
        last = row[place], row[place + 1], rank
        row[place : place + 2] = [new]
    return row, last


def bytes_of(data: bytes) -> list[bytes]:
    """Return what byte-level BPE starts from."""
    return [data[place : place + 1] for place in range(len(data))]


def characters_of(data: bytes) -> list[bytes]:
    """Return what SentencePiece starts from; bytes that are no character stand alone."""
    characters = data.decode("utf-8", "surrogateescape")
    return [character.encode("utf-8", "surrogateescape") for character in characters]


class RankedOrigins:
    """A vocabulary in which, of two neighbours that join to a token, the lower id comes first.

    ``units`` takes bytes apart into what merging starts from.
    """

    def __init__(self, ranks: Mapping[bytes, int], units: Callable[[bytes], list[bytes]]) -> None:
        self._ranks = ranks
        self._units = units

    @cached_property
    def _merged_ids(self) -> Sequence[int]:
        return sorted(
            token_id for data, token_id in self._ranks.items() if len(self._units(data)) > 1
        )

    def merges(self) -> Iterator[tuple[int, int, int]]:
        for data, token_id in sorted(self._ranks.items(), key=lambda item: item[1]):
            if 1 < len(data) <= _LONGEST_RECOVERED:
                made = self.made_of(Symbol(data, token_id, data))
                if made and made.rank is not None:
                    left, right = (self._ranks[part.bytes] for part in made.parts)
                    yield left, right, token_id

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        units = self._units(symbol.bytes)
        token_id = symbol.id
        if token_id is None or len(units) == 1 or self._ranks.get(symbol.bytes) is None:
            return None

        def join(left: bytes, right: bytes) -> tuple[int, bytes] | None:
            rank = self._ranks.get(left + right)
            return None if rank is None else (rank, left + right)

        left, last = merge_within(units, join)
        rank = None
        if len(left) == 1 and last:
            left, rank = list(last[:2]), bisect_right(self._merged_ids, token_id)
        return MadeOf(tuple(Symbol(part, self._ranks.get(part), part) for part in left), rank)


def ranks_of(merges: Iterable[Merge]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the rank and the new id of each pair: those of the first merge that joins it."""
    ranks: dict[tuple[int, int], tuple[int, int]] = {}
    for rank, (left, right, new, *_) in enumerate(merges):
        ranks.setdefault((left, right), (rank, new))
    return ranks


class ListedOrigins:
    """Merges of ids in order, the first ones first. ``tokens`` gives the bytes of each id."""

    def __init__(self, merges: Sequence[Merge], tokens: Callable[[int], bytes]) -> None:
        self._tokens = tokens
        self._ranks = ranks_of(merges)
        made = {merge.new_id for merge in merges}
        parts = {part for merge in merges for part in (merge.left, merge.right)}
        self._starts = {tokens(part): part for part in parts - made}

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        if symbol.bytes in self._starts:
            return None
        leaves: list[int] = []
        for character in characters_of(symbol.bytes):
            for unit in [character] if character in self._starts else bytes_of(character):
                if unit not in self._starts:  # the token was added whole
                    return None
                leaves.append(self._starts[unit])
        left, last = merge_within(leaves, lambda one, other: self._ranks.get((one, other)))
        if len(left) == 1 and last:
            return MadeOf(tuple(self._symbol(part) for part in last[:2]), last[2] + 1)
        return MadeOf(tuple(map(self._symbol, left)), None)

    def _symbol(self, token_id: int) -> Symbol:
        return Symbol(self._tokens(token_id), token_id, token_id)


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
    def ranks(self) -> Mapping[tuple[int, int], tuple[int, int]]:
        """Pair of ids to its rank (the number of the merge from 0) and the id that it becomes."""
        return ranks_of(self.merges)

    def encode_word(self, word: bytes) -> list[int]:
        if word in self.whole:
            return [self.whole[word]]
        return merge_by_heap([self.byte_ids[byte] for byte in word], self.ranks.get)

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        return self._origins.made_of(symbol)

    def pair_rank(self, left: bytes, right: bytes) -> int | None:
        step = self.ranks.get((self.by_bytes.get(left, -1), self.by_bytes.get(right, -1)))
        return step[0] if step else None

    @cached_property
    def by_bytes(self) -> Mapping[bytes, int]:
        ids: dict[bytes, int] = {}
        for token_id, data in self.tokens.items():
            ids.setdefault(data, token_id)
        return ids

    @cached_property
    def _origins(self) -> ListedOrigins:
        return ListedOrigins(self.merges, self.tokens.__getitem__)

    def __reduce__(self) -> tuple[Any, ...]:
        return MergeList, (self.merges, self.byte_ids, dict(self.whole), dict(self.others))

    def compiled(self, splitter: str | Splitter) -> "CompiledEncoder":
        from bpe.compiled.encode.encoder import CompiledEncoder  # only here: NumPy takes long

        ids, whole = self.byte_ids, self.whole
        return CompiledEncoder.from_merges(self.merges, splitter, byte_ids=ids, whole=whole)


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
        return {**{i: data for data, i in self.by_bytes.items()}, **self.others}

    def encode_word(self, word: bytes) -> list[int]:
        if (whole := self.by_bytes.get(word)) is not None:
            return [whole]
        ids, tokens = self.by_bytes, self.tokens

        def rank_of(pair: tuple[int, int]) -> tuple[int, int] | None:
            joined = ids.get(tokens[pair[0]] + tokens[pair[1]])
            return None if joined is None else (joined, joined)

        return merge_by_heap([ids[byte] for byte in bytes_of(word)], rank_of)

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
        whole={data: i for data, i in model.by_bytes.items() if len(data) > 1 and i not in made},
        others=dict(model.tokens),
    )
