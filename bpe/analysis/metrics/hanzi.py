"""汉字: how many tokens one takes, in texts and one by one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import regex

from bpe.analysis.metrics.compression import ratio
from bpe.analysis.metrics.words import english_words, tokens_holding
from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders.base import Encoder

_HANZI_RUN = regex.compile(r"\p{Script=Han}+")

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
    return sum(map(len, _HANZI_RUN.findall(text)))


def has_hanzi(text: str) -> bool:
    return _HANZI_RUN.search(text) is not None


def language(text: str) -> Literal["zh", "en"] | None:
    """Return ``"zh"`` of a text with more 汉字 than words, ``"en"`` of another.

    ``None`` of a text without either.
    """
    hanzi, words = count_hanzi(text), len(english_words(text))
    return None if not hanzi and not words else "zh" if hanzi > words else "en"


def tokens_per_hanzi(segmentations: Iterable[Segmentation]) -> float:
    """Σ tokens of Chinese characters / Σ Chinese characters; a token counts for the share of its
    bytes that belong to them. Our own measure.

    So punctuation, digits and English words in the text do not count, and a token "世界，" counts
    for two thirds. The 汉字 are those of the text that the tokens spell.
    """
    tokens = 0.0
    hanzi = 0
    for segmentation in segmentations:
        at = segmentation.character_starts
        is_hanzi = np.zeros(len(segmentation.data) + 1, np.int64)
        for run in _HANZI_RUN.finditer(segmentation.text):
            is_hanzi[at[run.start()] + 1 : at[run.end()] + 1] = 1
            hanzi += run.end() - run.start()
        hanzi_bytes_before = np.cumsum(is_hanzi)
        starts = np.asarray(segmentation.starts, np.int64)
        sizes = np.diff(starts)
        shares = np.diff(hanzi_bytes_before[starts])[sizes > 0] / sizes[sizes > 0]
        tokens += float(shares.sum())
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
    """The share of the 3,755 Chinese characters of GB 2312 level 1 that are one token, each encoded
    alone. Our own measure.

    A token counts if it holds a byte of the character, so a space that the encoder puts in front
    of a text does not. The list is our choice; any other can be given.
    """
    counts: dict[int, int] = {}
    for character in characters:
        tokens = tokens_holding(character.encode(), segment(encoder, character).pieces)
        counts[tokens] = counts.get(tokens, 0) + 1
    return Coverage(len(characters), dict(sorted(counts.items())))
