"""The byte-level learner that touches only what a merge changes, by the index that is drawn in
:mod:`bpe.algorithm.pair_index`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bpe.algorithm.basic import Symbol
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import Merge, Recipe
from bpe.algorithm.whole_characters import joinable
from bpe.progress import OnProgress


def learn(
    word_counts: Mapping[bytes, int],
    recipe: Recipe,
    on_progress: OnProgress = lambda progress: None,
) -> Iterator[Merge]:
    """Yield the same merges as :func:`bpe.algorithm.basic.train`, without recounting.

    ``on_progress`` is called during the indexing, and in merges that take long.
    """
    least, limit = recipe.min_frequency, recipe.merge_limit
    yield from learn_from(
        PairIndex.of_bytes(
            word_counts, recipe.tie_break, least=least, on_progress=on_progress, limit=limit
        ),
        recipe,
    )


def learn_from(index: PairIndex, recipe: Recipe) -> Iterator[Merge]:
    """Yield the merges of the words in ``index``, which takes part in each."""
    yield from merges_of(
        index,
        recipe.first_merge_id,
        recipe.merge_limit,
        least=recipe.min_frequency,
        may_join=joinable if recipe.whole_characters else None,
    )


def merges_of(
    index: PairIndex,
    first_id: int,
    limit: int | None,
    *,
    least: int,
    may_join: Callable[[bytes, bytes], bool] | None = None,
) -> Iterator[Merge]:
    """Yield at most ``limit`` merges of pairs that occur ``least`` times, from ``first_id`` on.

    ``may_join`` is asked about the bytes of a pair; by default any two may be joined.
    """
    new_id = first_id
    while limit is None or new_id < first_id + limit:
        pair = index.pop_best()
        if pair is None or index.counts[pair] < least:
            return
        if may_join and not may_join(*(index.spelling[part] for part in pair)):
            continue
        count = index.counts[pair]
        index.merge(pair, new_id)
        yield Merge(*pair, new_id, count)
        new_id += 1


def token_counts(
    words: Iterable[tuple[Sequence[Symbol], int]], merges: Iterable[tuple[Symbol, Symbol, Symbol]]
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
