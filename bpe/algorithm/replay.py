"""Run merges over words again and say how many tokens are left after each."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from bpe.algorithm.incremental import PairIndex

Symbol = TypeVar("Symbol", bound=Hashable)


def token_counts(
    words: Iterable[tuple[Sequence[Symbol], int]],
    merges: Iterable[tuple[Symbol, Symbol, Symbol]],
) -> Iterator[int]:
    """Yield the number of tokens before the first of ``(left, right, new)``, and after each.

    ``words`` are symbol sequences with their numbers of occurrences: the corpus that the merges
    come from, or any other.

    >>> list(token_counts([("aaa", 2), ("ab", 1)], [("a", "a", "A"), ("A", "a", "B")]))
    [8, 6, 4]
    """
    ids: dict[Symbol, int] = {}
    numbered = [
        ([ids.setdefault(symbol, len(ids)) for symbol in symbols], count)
        for symbols, count in words
    ]
    index = PairIndex(numbered, dict.fromkeys(ids.values(), b""), None)
    tokens = sum(len(symbols) * count for symbols, count in numbered)
    yield tokens
    for left, right, new in merges:
        if left in ids and right in ids:
            tokens -= index.merge((ids[left], ids[right]), ids.setdefault(new, len(ids)))
        yield tokens
