"""The whole of byte pair encoding in three small functions, and the rules that break ties.

Symbols may be anything hashable: characters, byte strings, token ids. Nothing here knows about
vocabularies, text or speed; :mod:`bpe.algorithm.naive` runs these three in a loop, and every
faster learner must give the same merges.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeVar, get_args

from bpe.errors import BPEError

Symbol = TypeVar("Symbol", bound=Hashable)

TieBreak = Literal["lexicographic", "first-seen", "smallest-ids"]
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)


def count_pairs(
    words: Iterable[tuple[Sequence[Symbol], int]],
) -> dict[tuple[Symbol, Symbol], int]:
    """Count how often each two symbols stand next to each other.

    ``words`` are symbol sequences with the number of times each occurs. Every adjacent position
    counts, overlapping ones too. The order of the keys is the order of first occurrence.

    >>> count_pairs([("low", 1), ("lower", 2)])
    {('l', 'o'): 3, ('o', 'w'): 3, ('w', 'e'): 2, ('e', 'r'): 2}
    >>> count_pairs([("aaa", 1)])
    {('a', 'a'): 2}
    """
    counts: dict[tuple[Symbol, Symbol], int] = {}
    for symbols, count in words:
        for pair in pairwise(symbols):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def best_pair(
    counts: Mapping[tuple[Symbol, Symbol], int],
    tie_break: TieBreak = "lexicographic",
    *,
    spelling: Callable[[Symbol], Any] = lambda symbol: symbol,
) -> tuple[Symbol, Symbol]:
    """Return the most frequent pair; ``tie_break`` chooses among equals.

    - ``"lexicographic"``: the greatest pair of spellings (the lecture's rule);
    - ``"first-seen"``: the pair met first, that is first in ``counts``;
    - ``"smallest-ids"``: the smallest pair of symbols (Hugging Face tokenizers, gigatoken).

    ``spelling`` gives what a symbol stands for, so that ids can be compared by their bytes.

    >>> counts = {("e", "l"): 2, ("l", "o"): 2, ("H", "e"): 1}
    >>> best_pair(counts), best_pair(counts, "first-seen"), best_pair(counts, "smallest-ids")
    (('l', 'o'), ('e', 'l'), ('e', 'l'))
    """
    if not counts:
        raise BPEError("There is no pair to choose from: every word is a single symbol.")
    if tie_break == "first-seen":
        return max(counts, key=counts.__getitem__)
    most = max(counts.values())
    tied = (pair for pair, count in counts.items() if count == most)
    if tie_break == "lexicographic":
        return max(tied, key=lambda pair: (spelling(pair[0]), spelling(pair[1])))
    if tie_break == "smallest-ids":
        smallest: tuple[Symbol, Symbol] = min(tied)
        return smallest
    raise BPEError(
        "There is no tie-break rule “{name}”. Choose one of: {names}.",
        name=tie_break,
        names=", ".join(TIE_BREAKS),
    )


def merge_pair(symbols: Sequence[Symbol], pair: tuple[Symbol, Symbol], new: Symbol) -> list[Symbol]:
    """Replace each occurrence of ``pair`` by ``new``, greedily from left to right.

    >>> merge_pair(["a", "a", "a"], ("a", "a"), "aa")
    ['aa', 'a']
    >>> merge_pair([104, 101, 108, 111], (108, 111), 256)
    [104, 101, 256]
    """
    merged = []
    at = 0
    while at < len(symbols):
        if at + 1 < len(symbols) and (symbols[at], symbols[at + 1]) == pair:
            merged.append(new)
            at += 2
        else:
            merged.append(symbols[at])
            at += 1
    return merged
