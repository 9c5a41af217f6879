"""How a token was made, for each way in which an encoder knows its merges.

Running the merges again inside the bytes of a token, lowest rank first, ends in the merge that made
it: whatever stands around, no merge has reached across its ends before.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from bpe.algorithm.merge import Merge
from bpe.encoders.base import MadeOf, Symbol
from bpe.encoders.packed_tokens import PackedRanks

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
        (*step, at) for at, pair in enumerate(pairwise(row)) if (step := join(*pair)) is not None
    ]:
        rank, new, at = min(steps, key=lambda step: (step[0], step[2]))
        last = row[at], row[at + 1], rank
        row[at : at + 2] = [new]
    return row, last


def bytes_of(data: bytes) -> list[bytes]:
    """Return what byte-level BPE starts from."""
    return [data[at : at + 1] for at in range(len(data))]


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
        ids = (at for data, at in self._ranks.items() if len(data) > 1)
        known = {at: data for data, at in self._ranks.items()}
        return sorted(at for at in ids if len(self._units(known[at])) > 1)

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
        if len(left) == 1 and last:
            parts = tuple(Symbol(part, self._ranks.get(part), part) for part in last[:2])
            return MadeOf(parts, bisect_right(self._merged_ids, token_id))
        return MadeOf(tuple(Symbol(part, self._ranks.get(part), part) for part in left), None)


class PackedOrigins(RankedOrigins):
    """The same of byte-level tokens that lie in one block: only those asked for become objects."""

    def __init__(self, ranks: PackedRanks) -> None:
        super().__init__(ranks, bytes_of)
        self._packed = ranks

    @cached_property
    def _merged_ids(self) -> Sequence[int]:
        return self._packed.longer()


class ListedOrigins:
    """Merges of ids in order, the first ones first. ``tokens`` gives the bytes of each id."""

    def __init__(self, merges: Sequence[Merge], tokens: Callable[[int], bytes]) -> None:
        self._tokens = tokens
        self._ranks: dict[tuple[int, int], tuple[int, int]] = {}
        for rank, (left, right, new, *_) in enumerate(merges):
            self._ranks.setdefault((left, right), (rank, new))
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
