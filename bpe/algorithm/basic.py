"""Byte pair encoding, all of it: train, encode, decode.

A text is a row of symbols, at first its bytes. Training joins the two that most often stand side by
side, again and again. Encoding makes the same merges in another text, and decoding spells it out.

>>> vocabulary = [bytes([byte]) for byte in range(256)]
>>> words = {b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}
>>> merges = {(left, right): new for left, right, new, _ in train(words, vocabulary, size=260)}
>>> vocabulary[256:], encode(b"lowest", merges), decode([259, 257], vocabulary)
([b'st', b'est', b'ow', b'low'], [259, 257], 'lowest')
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeVar

Symbol = TypeVar("Symbol", bound=Hashable)  # a number that stands for bytes, or a character
Pair = tuple[Symbol, Symbol]
Words = Mapping[bytes, int] | Mapping[tuple[int, ...], int]  # how often each occurs
TieBreak = Literal["lexicographic", "first-seen", "smallest-ids", "huggingface"]
PRINTABLE = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}  # first, in tokenizers


def count_pairs(words: Iterable[tuple[Sequence[Symbol], int]]) -> dict[Pair[Symbol], int]:
    """Count how often each two symbols stand side by side, in words with their counts.

    >>> count_pairs([("low", 1), ("lower", 2)])
    {('l', 'o'): 3, ('o', 'w'): 3, ('w', 'e'): 2, ('e', 'r'): 2}
    """
    counts: dict[Pair[Symbol], int] = {}
    for symbols, count in words:
        for pair in pairwise(symbols):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def best_pair(
    counts: Mapping[Pair[Symbol], int], tie_break: TieBreak, spelling: Callable[[Symbol], Any]
) -> Pair[Symbol]:
    """Return the most frequent pair; of several the greatest spelled out, the first, the smallest.

    >>> best_pair({("e", "l"): 2, ("l", "o"): 2, ("H", "e"): 1}, "lexicographic", str)
    ('l', 'o')
    """
    most = max(counts.values())
    tied = [pair for pair, count in counts.items() if count == most]
    if tie_break == "lexicographic":
        return max(tied, key=lambda pair: (spelling(pair[0]), spelling(pair[1])))
    if tie_break == "huggingface":
        return min(tied, key=lambda pair: [(part not in PRINTABLE, part) for part in pair])
    return tied[0] if tie_break == "first-seen" else min(tied)


def merge_pair(symbols: Sequence[Symbol], pair: Pair[Symbol], new: Symbol) -> list[Symbol]:
    """Put ``new`` in place of each ``pair``, from left to right.

    >>> merge_pair(["a", "a", "a", "b", "a", "a"], ("a", "a"), "aa")
    ['aa', 'a', 'b', 'aa']
    """
    merged, place = [], 0
    while place < len(symbols):
        is_pair = tuple(symbols[place : place + 2]) == pair
        merged.append(new if is_pair else symbols[place])
        place += 2 if is_pair else 1
    return merged


def train(
    words: Words, vocabulary: list[bytes], size: int, tie_break: TieBreak = "lexicographic"
) -> Iterator[tuple[int, int, int, int]]:
    """Grow ``vocabulary`` to ``size``; yield each merge: left and right symbol, new one, count."""
    rows: list[tuple[Sequence[int], int]] = list(words.items())
    while len(vocabulary) < size and (counts := count_pairs(rows)):
        new, pair = len(vocabulary), best_pair(counts, tie_break, vocabulary.__getitem__)
        vocabulary.append(vocabulary[pair[0]] + vocabulary[pair[1]])
        rows = [(merge_pair(symbols, pair, new), count) for symbols, count in rows]
        yield *pair, new, counts[pair]


def encode(symbols: Sequence[Symbol], merges: Mapping[Pair[Symbol], Symbol]) -> list[Symbol]:
    """Make merges wherever they fit, of those that do always the one that was learned first."""
    while mergeable := [pair for pair in pairwise(symbols) if pair in merges]:
        pair = min(mergeable, key=list(merges).index)
        symbols = merge_pair(symbols, pair, merges[pair])
    return list(symbols)


def decode(symbols: Iterable[int], vocabulary: Sequence[bytes]) -> str:
    """Write out what each symbol stands for."""
    return b"".join(vocabulary[symbol] for symbol in symbols).decode("utf-8", "replace")
