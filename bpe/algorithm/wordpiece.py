"""WordPiece: symbols that begin with ``##`` inside a word; encoding takes the longest match.

The training of Google's tokenizers was never published. By ``"frequency"`` the most frequent pair
is merged, as in BPE and in the trainer of that name in Hugging Face ``tokenizers``. By
``"likelihood"``, as it is taught, the count is divided by those of the two parts::

    score(a, b) = count(a b) / (count(a) · count(b))

So symbols that hardly occur apart are joined first, and a pair of frequent letters has to wait,
often until there is no more room: texts then have more than twice as many tokens.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from bpe.algorithm.basic import TieBreak, count_pairs, merge_pair
from bpe.algorithm.character import limit_reached
from bpe.algorithm.pair_index import AT_ONCE, Pair, PairIndex, WatchedIndex
from bpe.algorithm.recipe import Recipe
from bpe.progress import OnProgress

INSIDE = "##"
"""The beginning of a symbol that does not begin a word."""


class PieceMerge(NamedTuple):
    """One step: the two symbols, how often they met and each occurred, and the score."""

    left: str
    right: str
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not needed here
    left_count: int
    right_count: int

    @property
    def new(self) -> str:
        return join(self.left, self.right)

    @property
    def score(self) -> float:
        """The figure by which the pair was chosen by likelihood."""
        return self.count / (self.left_count * self.right_count)


def split_word(word: str) -> list[str]:
    """Return the first character of a word, and the others marked as inside of it.

    >>> split_word("hug")
    ['h', '##u', '##g']
    """
    return [*word[:1], *(INSIDE + character for character in word[1:])]


def join(left: str, right: str) -> str:
    """Return the symbol of two neighbours.

    >>> join("h", "##ug"), join("##u", "##g")
    ('hug', '##ug')
    """
    return left + right.removeprefix(INSIDE)


def learn(word_counts: Mapping[str, int], recipe: Recipe) -> Iterator[PieceMerge]:
    """Yield the merges of a corpus of words, counting everything again in every round.

    Of equally good pairs ``"lexicographic"`` takes the greatest pair of symbols, ``"first-seen"``
    the pair met first, ``"smallest-ids"`` the one of the symbols that came first.

    >>> hugs = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> options = Recipe(
    ...     algorithm="wordpiece", merges=3, tie_break="first-seen", score="likelihood"
    ... )
    >>> [(merge.new, round(1 / merge.score)) for merge in learn(hugs, options)]
    [('##gs', 20), ('hu', 36), ('hugs', 15)]
    """
    words: list[tuple[Sequence[str], int]] = [(split_word(w), n) for w, n in word_counts.items()]
    vocabulary = dict.fromkeys(initial_vocabulary(word_counts, recipe))
    for done in count():
        candidates = [merge for merge in scored_pairs(words) if merge.count >= recipe.min_frequency]
        if not candidates or limit_reached(recipe, done, len(vocabulary)):
            return
        merge = _best(candidates, recipe, list(vocabulary))
        pair = (merge.left, merge.right)
        words = [(merge_pair(symbols, pair, merge.new), n) for symbols, n in words]
        vocabulary[merge.new] = None
        yield merge


def scored_pairs(words: Iterable[tuple[Sequence[str], int]]) -> list[PieceMerge]:
    """Return all pairs of neighbours with their counts, in order of first occurrence.

    >>> [pair.score for pair in scored_pairs([(["h", "##u"], 2), (["p", "##u"], 2)])]
    [0.25, 0.25]
    """
    words = list(words)
    occurrences: Counter[str] = Counter()
    for symbols, number in words:
        for symbol in symbols:
            occurrences[symbol] += number
    return [
        PieceMerge(left, right, number, occurrences[left], occurrences[right])
        for (left, right), number in count_pairs(words).items()
    ]


def initial_vocabulary(word_counts: Mapping[str, int], recipe: Recipe) -> tuple[str, ...]:
    """Return special tokens, the unknown token, and every first symbol in order of occurrence."""
    first = [*recipe.special_tokens, *([recipe.unknown] if recipe.unknown else [])]
    symbols = (symbol for word in word_counts for symbol in split_word(word))
    return tuple(dict.fromkeys([*first, *symbols]))


def _best(merges: Sequence[PieceMerge], recipe: Recipe, order: Sequence[str]) -> PieceMerge:
    by_count = recipe.score == "frequency"
    scores = [merge.count if by_count else merge.score for merge in merges]
    highest = max(scores)
    tied = [merge for merge, score in zip(merges, scores, strict=True) if score == highest]
    match recipe.tie_break:
        case "lexicographic":
            return max(tied, key=lambda merge: merge[:2])
        case "first-seen":
            return tied[0]
        case _:
            return min(tied, key=lambda merge: tuple(map(order.index, merge[:2])))


def learn_incrementally(
    word_counts: Mapping[str, int], recipe: Recipe, on_progress: OnProgress = lambda progress: None
) -> Iterator[PieceMerge]:
    """Yield the same merges as :func:`learn`, counting only what each merge changes."""
    vocabulary = dict.fromkeys(initial_vocabulary(word_counts, recipe))
    ids = {symbol: number for number, symbol in enumerate(vocabulary)}
    words = [([ids[symbol] for symbol in split_word(w)], n) for w, n in word_counts.items()]
    by_count = recipe.score == "frequency"
    index = (PairIndex if by_count else WatchedIndex)(
        words,
        dict(enumerate(ids)),
        recipe.tie_break if by_count else None,
        least=recipe.min_frequency if by_count else 1,
        join=join,
        on_progress=on_progress,
        limit=recipe.merges,
    )
    table = _Heap(index) if by_count else _Table(index)
    while not limit_reached(recipe, index.made, len(ids)):
        pair = table.best(recipe.tie_break, recipe.min_frequency)
        if pair is None:
            return
        left, right = (index.spelling[part] for part in pair)
        merge = PieceMerge(
            left,
            right,
            index.counts[pair],
            int(table.occurrences[pair[0]]),
            int(table.occurrences[pair[1]]),
        )
        new = ids.setdefault(merge.new, len(ids))
        table.merge(pair, new)
        yield merge


class _Heap:
    """The pairs by frequency, and how often each symbol is."""

    def __init__(self, index: PairIndex) -> None:
        self.index = index
        self.occurrences: Any = Counter(index.symbol_counts())

    def best(self, tie_break: TieBreak, least: int) -> Pair | None:
        """Return the best pair among those that occur ``least`` times."""
        pair = self.index.pop_best()
        return None if pair is None or self.index.counts[pair] < least else pair

    def merge(self, pair: Pair, new: int) -> None:
        merged = self.index.merge(pair, new)
        for part in pair:
            self.occurrences[part] -= merged
        self.occurrences[new] += merged


class _Table(_Heap):
    """A row for each pair there has been: its symbols and its count; and how often each symbol is.

    A merge changes the likelihood of all pairs that its parts are in, so no heap would hold. All
    are divided out anew in each round. Rows are never taken away: a count of 0 gives no score.
    """

    def __init__(self, index: PairIndex) -> None:
        self.index = index
        self.occurrences = np.zeros(2 * len(index.spelling) + 16, np.int64)
        np.add.at(self.occurrences, index.symbols, index.weights)
        self.rows: dict[Pair, int] = {}
        self.columns: npt.NDArray[np.int64] = np.zeros((3, 1024), np.int64)
        self._update(index.counts)

    def best(self, tie_break: TieBreak, least: int) -> Pair | None:
        left, right, counts = self.columns[:, : len(self.rows)]
        if not len(counts) or counts.max() < least:
            return None
        expected = self.occurrences[left] * self.occurrences[right]
        scores = np.where(counts >= least, counts / np.maximum(expected, 1), -1.0)
        tied = np.flatnonzero(scores == scores.max())
        pairs = [(int(left[row]), int(right[row])) for row in tied]
        spelling = self.index.spelling
        match tie_break:
            case "lexicographic":
                return max(pairs, key=lambda pair: (spelling[pair[0]], spelling[pair[1]]))
            case "first-seen":
                return min(pairs, key=self.index.first_place)
            case _:
                return min(pairs)

    def merge(self, pair: Pair, new: int) -> None:
        if new >= len(self.occurrences):
            self.occurrences = np.concatenate([self.occurrences, np.zeros_like(self.occurrences)])
        super().merge(pair, new)
        self._update(cast(WatchedIndex, self.index).touched or ())

    def _update(self, pairs: Iterable[Pair]) -> None:
        for number, pair in enumerate(pairs):
            if number % AT_ONCE == 0:
                self.index.tick()
            row = self.rows.setdefault(pair, len(self.rows))
            if row == self.columns.shape[1]:
                self.columns = np.concatenate([self.columns, np.zeros_like(self.columns)], axis=1)
            self.columns[:, row] = (*pair, self.index.counts.get(pair, 0))
