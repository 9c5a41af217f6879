"""How one pre-token becomes tokens, step by step, in each of the ways that are taught.

:func:`by_rank` is what encoders do: of all neighbours merge those of the lowest rank. Going through
the list of merges, :func:`in_list_order`, ends in the same symbols. :func:`longest_match`, which
knows the vocabulary but no merges, often ends in others.

Symbols are texts or bytes, so that two of them are merged by joining them::

    characters      by_rank([*"lowest", "</w>"], ranks_of([("o", "w"), ("l", "ow")]))
    a tokenizer     by_rank(single_bytes("tech"), token_ranks(encoder.ranks))
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from bpe.algorithm.basic import merge_pair

Text = TypeVar("Text", str, bytes)
RankOf = Callable[[Text, Text], int | None]
"""The rank of a pair of neighbours, ``None`` where they are not merged."""


def ranks_of(merges: Iterable[tuple[Text, Text]] | Mapping[tuple[Text, Text], int]) -> RankOf[Text]:
    """Rank the pairs of a list of merges by their place in it, from 0; a mapping has its ranks.

    >>> ranks_of([("e", "s"), ("es", "t")])("es", "t")
    1
    """
    if isinstance(merges, Mapping):
        ranks = dict(merges)
    else:
        ranks = {}
        for rank, pair in enumerate(merges):
            ranks.setdefault(pair, rank)
    return lambda left, right: ranks.get((left, right))


def token_ranks(ranks: Mapping[bytes, int]) -> RankOf[bytes]:
    """Rank a pair by the token that it joins to, as tiktoken does."""
    return lambda left, right: ranks.get(left + right)


def single_bytes(text: str) -> list[bytes]:
    """Return what byte-level BPE starts from.

    >>> single_bytes("é!")
    [b'\\xc3', b'\\xa9', b'!']
    """
    data = text.encode()
    return [data[place : place + 1] for place in range(len(data))]


@dataclass(frozen=True)
class MergeStep(Generic[Text]):
    """The symbols, the pairs that can be merged, the one that is, and the symbols after it."""

    symbols: tuple[Text, ...]
    ranks: tuple[int | None, ...]
    """Of each two neighbours: one fewer than the symbols."""
    rank: int
    """The one that was chosen."""
    places: tuple[int, ...]
    """The numbers of the symbols that were merged with their right neighbour."""
    after: tuple[Text, ...]


def by_rank(symbols: Sequence[Text], rank_of: RankOf[Text]) -> Iterator[MergeStep[Text]]:
    """Merge the neighbours of the lowest rank, the leftmost of several, until none has a rank.

    >>> steps = list(by_rank([*"lowest", "</w>"], ranks_of([("o", "w"), ("l", "ow")])))
    >>> steps[0].ranks, steps[0].after
    ((None, 0, None, None, None, None), ('l', 'ow', 'e', 's', 't', '</w>'))
    >>> steps[-1].after
    ('low', 'e', 's', 't', '</w>')
    """
    row = list(symbols)
    while True:
        ranks = _ranks(row, rank_of)
        lowest = min((rank for rank in ranks if rank is not None), default=None)
        if lowest is None:
            return
        before, place = tuple(row), ranks.index(lowest)
        row[place : place + 2] = [row[place] + row[place + 1]]
        yield MergeStep(before, ranks, lowest, (place,), tuple(row))


def in_list_order(
    symbols: Sequence[Text], merges: Iterable[tuple[Text, Text]]
) -> Iterator[MergeStep[Text]]:
    """Go through the list of merges and make each wherever it fits; yield those that fit.

    A list that is not in the order of training can give other symbols than :func:`by_rank`.

    >>> (step,) = in_list_order([*"low"], [("l", "ow"), ("o", "w")])
    >>> step.after
    ('l', 'ow')
    """
    merges = list(merges)
    rank_of = ranks_of(merges)
    now: tuple[Text, ...] = tuple(symbols)
    for rank, (left, right) in enumerate(merges):
        places = _places(now, (left, right))
        if places:
            after = tuple(merge_pair(now, (left, right), left + right))
            yield MergeStep(now, _ranks(now, rank_of), rank, places, after)
            now = after


def _ranks(symbols: Sequence[Text], rank_of: RankOf[Text]) -> tuple[int | None, ...]:
    return tuple(rank_of(left, right) for left, right in pairwise(symbols))


def _places(symbols: Sequence[Text], pair: tuple[Text, Text]) -> tuple[int, ...]:
    """Return where ``pair`` stands, overlapping ones left out as a merge leaves them out."""
    places: list[int] = []
    for place, neighbours in enumerate(pairwise(symbols)):
        if neighbours == pair and (not places or places[-1] < place - 1):
            places.append(place)
    return tuple(places)


@dataclass(frozen=True)
class MatchStep(Generic[Text]):
    """One token of the longest match: where it starts, the beginnings tried, and the one found."""

    start: int
    """In characters of a text, in bytes of bytes."""
    tried: tuple[Text, ...]
    """Beginnings of the rest that are not in the vocabulary, the longest first."""
    token: Text | None
    """``None`` where nothing fits: then one character is passed over."""


def longest_match(text: Text, vocabulary: Collection[Text]) -> Iterator[MatchStep[Text]]:
    """Take the longest beginning that is in the vocabulary, and go on behind it.

    >>> vocabulary = {"u", "n", "a", "b", "l", "e", "un", "una", "able"}
    >>> [step.token for step in longest_match("unable", vocabulary)]
    ['una', 'b', 'l', 'e']
    """
    longest = max(map(len, vocabulary), default=0)
    place = 0
    while place < len(text):
        tried: list[Text] = []
        token = None
        for end in range(min(len(text), place + longest), place, -1):
            if text[place:end] in vocabulary:
                token = text[place:end]
                break
            tried.append(text[place:end])
        yield MatchStep(place, tuple(tried), token)
        place += 1 if token is None else len(token)
