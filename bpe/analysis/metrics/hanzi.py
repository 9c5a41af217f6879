"""汉字: how many tokens one takes, in texts and one by one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import regex

from bpe.analysis.metrics.compression import ratio
from bpe.analysis.metrics.fidelity import pieces_of
from bpe.encoders.base import Encoder

_HANZI = regex.compile(r"\p{Script=Han}")

GB2312_LEVEL_1: str = b"".join(
    bytes([0xA0 + row, 0xA0 + cell])
    for row in range(16, 56)
    for cell in range(1, 95 if row < 55 else 90)
).decode("gb2312")
"""The 3,755 汉字 of GB 2312 level 1, the common ones: rows 16 to 55 of the code, by pinyin."""


def count_hanzi(text: str) -> int:
    """Return the number of 汉字: characters of Unicode's script Han.

    >>> count_hanzi("你好，世界 Hello")
    4
    """
    return len(_HANZI.findall(text))


def tokens_per_hanzi(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ tokens of 汉字 / Σ 汉字, on the bytes that the encoder sees.

    A token counts for the share of its bytes that belong to 汉字, so that punctuation, digits and
    English words in the text do not count and a token "世界，" counts for two thirds.
    """
    tokens = 0.0
    hanzi = 0
    for text in texts:
        pieces = pieces_of(encoder, text)
        joined = b"".join(pieces).decode("utf-8", "replace")
        is_hanzi = bytearray()
        for character in joined:
            is_hanzi += bytes([_HANZI.match(character) is not None]) * len(character.encode())
        hanzi += count_hanzi(joined)
        at = 0
        for piece in pieces:
            if piece:
                tokens += sum(is_hanzi[at : at + len(piece)]) / len(piece)
            at += len(piece)
    return ratio(tokens, hanzi)


@dataclass(frozen=True)
class Coverage:
    """How many characters take how many tokens; 0 tokens where a character gets lost."""

    characters: int
    counts: Mapping[int, int]
    """Tokens to characters that take so many."""

    def share(self, tokens: int) -> float:
        """Return the share of characters that take so many tokens."""
        return ratio(self.counts.get(tokens, 0), self.characters)


def hanzi_coverage(encoder: Encoder, characters: str = GB2312_LEVEL_1) -> Coverage:
    """Say how many of the characters, each encoded alone, are 1, 2, 3 … tokens.

    A token counts if it holds a byte of the character, so a space that the encoder puts in front
    of a text does not. The list is our choice; any other can be given.
    """
    counts: dict[int, int] = {}
    for character in characters:
        tokens = _tokens_of(character.encode(), pieces_of(encoder, character))
        counts[tokens] = counts.get(tokens, 0) + 1
    return Coverage(len(characters), dict(sorted(counts.items())))


def _tokens_of(data: bytes, pieces: list[bytes]) -> int:
    """Return how many of the pieces hold bytes of ``data``, which stands in them once, or 0."""
    start = b"".join(pieces).find(data)
    if start < 0:
        return 0
    at = tokens = 0
    for piece in pieces:
        tokens += bool(piece) and at < start + len(data) and at + len(piece) > start
        at += len(piece)
    return tokens
