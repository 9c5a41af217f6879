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
from typing import NamedTuple

from bpe.algorithm.basic import count_pairs, merge_pair
from bpe.algorithm.character import limit_reached
from bpe.algorithm.recipe import Recipe

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
    symbols = dict.fromkeys(first)
    inside: set[str] = set()
    for word in word_counts:  # most have nothing new
        if word[:1] not in symbols or not inside.issuperset(word[1:]):
            symbols.update(dict.fromkeys(split_word(word)))
            inside.update(word[1:])
    return tuple(symbols)


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
