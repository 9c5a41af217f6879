"""The byte-level learner that touches only what a merge changes, by the index that is drawn in
:mod:`bpe.algorithm.pair_index`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bpe.algorithm.basic import Symbol
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import Merge, Recipe
from bpe.progress import OnProgress


def learn(
    word_counts: Mapping[bytes, int],
    recipe: Recipe,
    on_progress: OnProgress = lambda progress: None,
) -> Iterator[Merge]:
    """Yield the same merges as :func:`bpe.algorithm.basic.train`, without recounting.

    ``on_progress`` is called during the indexing, and in merges that take long.
    """
    options = {"least": recipe.min_frequency, "limit": recipe.merge_limit}
    index = PairIndex.of_bytes(word_counts, recipe.tie_break, on_progress=on_progress, **options)
    yield from learn_from(index, recipe)


def learn_from(
    index: PairIndex, recipe: Recipe, first_id: int | None = None, limit: int | None = None
) -> Iterator[Merge]:
    """Yield the merges of the words in ``index``, which takes part in each.

    Those that extend another vocabulary begin with ``first_id``, and are ``limit`` at the most.
    """
    if first_id is None:
        first_id, limit = recipe.first_merge_id, recipe.merge_limit
    new_id = first_id
    while limit is None or new_id < first_id + limit:
        pair = index.pop_best()
        if pair is None or index.counts[pair] < recipe.min_frequency:
            return
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
