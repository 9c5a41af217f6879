"""How well a tokenizer treats a text, and Chinese beside English.

Texts come as segmentations, or counts made from these: only figures of characters and words encode.
T(x) stands for the tokens of a text x; a figure with nothing to divide by is ``nan``. The first
paragraph of a metric's docstring is its definition, which interfaces show (:func:`definition`).
"""

import inspect
import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from typing import Literal

import numpy as np
import regex

from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders.base import Encoder, adds_leading_space
from bpe.errors import BPEError, from_extra


def definition(metric: object) -> str:
    """Return the first paragraph of the docstring of a metric, on one line.

    >>> definition(Premium.zh_tokens)
    'Σ |T(zh)|, all tokens of the Chinese texts.'
    """
    paragraph, *_rest = (inspect.getdoc(metric) or "").split("\n\n")
    return " ".join(paragraph.split())


# How few tokens a text becomes, and how long they are.


def bytes_per_token(segmentations: Iterable[Segmentation]) -> float:
    """Σ UTF-8 bytes / Σ tokens, in use since GPT-2. Compare tokenizers with it, not languages:
    most Chinese characters take three bytes.
    """
    size = tokens = 0
    for segmentation in segmentations:
        size += segmentation.source_bytes
        tokens += len(segmentation)
    return ratio(size, tokens)


def percentile(ordered: Sequence[int], percent: int) -> int:
    """Return the nearest-rank percentile of sorted counts: a value that occurs, 0 if none does.

    >>> percentile([1, 2, 3, 4], 50)
    2
    >>> percentile([1, 2, 3, 4], 95)
    4
    """
    if not ordered:
        return 0
    rank = -(-percent * len(ordered) // 100)  # rounded up
    return ordered[rank - 1]


def ratio(value: float, by: float) -> float:
    """Return ``value / by``, or ``nan`` where there is nothing to divide by."""
    return value / by if by else math.nan


# What of a text a tokenizer keeps, and whether single tokens can be shown: a figure of compression
# says little without these, as an ``<unk>`` is short because it swallows text.


def partial_utf8_rate(segmentations: Iterable[Segmentation]) -> float:
    """Σ tokens that are not valid UTF-8 on their own / Σ tokens. Our own measure.

    It decides whether a view that decodes token by token shows U+FFFD.
    """
    partial = tokens = 0
    for segmentation in segmentations:
        tokens += len(segmentation)
        kept = {
            piece: piece.decode("utf-8", "ignore").encode() for piece in set(segmentation.pieces)
        }
        partial += sum(kept[piece] != piece for piece in segmentation.pieces)
    return ratio(partial, tokens)


def is_lossless(segmentations: Iterable[Segmentation]) -> bool:
    """Whether decode(encode(x)) = x for every text x, after NFC where the tokenizer says that it
    applies it. Petrov et al. 2023 (arXiv 2305.15425) leave out what loses more than a tenth.
    """
    return all(_expected(cut) == cut.decoded for cut in segmentations if cut.source is not None)


def unknown_rate(segmentations: Iterable[Segmentation]) -> float:
    """Σ characters that do not come back / Σ characters; 0 where nothing is lost.

    Each character of x that decode(encode(x)) has fewer times is lost, whether it became
    ``<unk>`` or another character. Petrov et al. 2023 (arXiv 2305.15425) leave out tokenizers
    that lose more than a tenth.
    """
    lost = characters = 0
    for segmentation in segmentations:
        if segmentation.source is None:
            characters += segmentation.source_characters
            continue
        expected = Counter(_expected(segmentation))
        characters += expected.total()
        lost += (expected - Counter(segmentation.decoded)).total()
    return ratio(lost, characters)


def _expected(segmentation: Segmentation) -> str:
    source = segmentation.source or ""
    return unicodedata.normalize("NFC", source) if segmentation.normal_form == "NFC" else source


# Words and their tokens. Chinese writes no borders of words: they are those of a segmenter, so a
# figure on Chinese words is one of the segmenter as much as of the tokenizer.

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
_HANZI_WORDS = regex.compile(r"\p{Script=Han}{2,}")
_UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}"
    r"\p{Script=Lao}\p{Script=Myanmar}]"
)


@dataclass(frozen=True)
class Fertility:
    """How words are cut; see :func:`fertility`."""

    words: int
    tokens: int
    single: int
    """Words that are one token."""

    @property
    def value(self) -> float:
        """Σ tokens of words / words, each English word with the space in front that it has in a
        text. Rust et al. 2021, arXiv 2012.15613.
        """
        return ratio(self.tokens, self.words)

    @property
    def strr(self) -> float:
        """The share of words kept as one token, the single token retention rate. Nayeem et al.
        2025, arXiv 2510.09947.
        """
        return ratio(self.single, self.words)


def english_words(text: str) -> list[str]:
    """Return the words of a language that writes spaces; words of scripts without are left out.

    >>> english_words("Don't use state-of-the-art 分词器, 2 of them.")
    ["Don't", 'use', 'state-of-the-art', '2', 'of', 'them']
    """
    return [word for word in _WORD.findall(text) if not _UNSPACED.search(word)]


def chinese_words(text: str) -> list[str]:
    """Return the words of two characters or more that jieba's dictionary has, as jieba cuts them.

    A single character is a token of most vocabularies, and says nothing of words. The dictionary is
    of Simplified Chinese. Needs the extra ``words``.

    >>> chinese_words("城南新开的图书馆, open 上周末")
    ['城南', '图书馆', '上周末']
    """
    with from_extra("words"):
        import rjieba
    return [
        word
        for run in _HANZI_WORDS.findall(text)
        for word in rjieba.cut(run, hmm=False)
        if len(word) > 1 and rjieba.has_word(word)
    ]


def chinese_segmenter() -> str:
    """Return the name and version of what :func:`chinese_words` cuts with."""
    with from_extra("words"):
        return f"rjieba {metadata.version('rjieba')}"


def tokens_holding(data: bytes, pieces: Sequence[bytes]) -> int:
    """Return how many of the pieces hold bytes of ``data``, which stands in them once, or 0."""
    start = b"".join(pieces).find(data)
    if start < 0:
        return 0
    end = tokens = 0
    for piece in pieces:
        tokens += bool(piece) and end < start + len(data) and end + len(piece) > start
        end += len(piece)
    return tokens


def fertility(
    encoder: Encoder,
    texts: Iterable[str],
    *,
    segmenter: Callable[[str], Iterable[str]] | None = None,
) -> Fertility:
    """Cut the texts into words and each of these into tokens.

    English words are encoded with the space in front that they have in a text. ``segmenter`` cuts
    other languages into words, such as :func:`chinese_words`; these are encoded as they are, and a
    space that the encoder puts in front does not count. A word that gets lost is not whole.
    """
    # Where the encoder puts a space in front by itself, ours would be a second one.
    space = "" if adds_leading_space(encoder) else " "
    counts: dict[str, tuple[int, bool]] = {}
    words = tokens = single = 0
    for text in texts:
        for word in (segmenter or english_words)(text):
            if word not in counts and segmenter:
                pieces = segment(encoder, word).pieces
                held = tokens_holding(word.encode(), pieces)
                counts[word] = held or len(pieces), held == 1
            elif word not in counts:
                number = encoder.count(space + word)
                counts[word] = number, number == 1
            words += 1
            tokens += counts[word][0]
            single += counts[word][1]
    return Fertility(words, tokens, single)


# 汉字: how many tokens one takes, in texts and one by one.

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
        offsets = segmentation.character_starts
        is_hanzi = np.zeros(len(segmentation.data) + 1, np.int64)
        for run in _HANZI_RUN.finditer(segmentation.text):
            is_hanzi[offsets[run.start()] + 1 : offsets[run.end()] + 1] = 1
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


# What the same meaning costs in one language beside another, on parallel texts alone.


@dataclass(frozen=True)
class Premium:
    """The tokens of the first language for each of the second, on the same meaning."""

    counts: tuple[tuple[int, int], ...]
    """|T(zh)| and |T(en)| of each pair."""

    @property
    def zh_tokens(self) -> int:
        """Σ |T(zh)|, all tokens of the Chinese texts."""
        return sum(zh for zh, _ in self.counts)

    @property
    def en_tokens(self) -> int:
        """Σ |T(en)|, all tokens of the English texts."""
        return sum(en for _, en in self.counts)

    @property
    def micro(self) -> float:
        """Σ |T(zh)| / Σ |T(en)| on parallel texts: all of them together, so long ones weigh more.
        Petrov et al. 2023, arXiv 2305.15425.
        """
        return self.zh_tokens / self.en_tokens

    @property
    def ratios(self) -> tuple[float, ...]:
        """|T(zh)| / |T(en)| of each pair."""
        return tuple(zh / en for zh, en in self.counts)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the micro premium by the bootstrap over pairs: the middle of what
        999 samples of as many pairs, drawn with replacement, lead to (199 of them for more than
        10,000 pairs). Efron 1979.
        """
        counts = np.array(self.counts)
        drawing = np.random.default_rng(len(counts))  # the same at every look
        size, samples = len(counts), 999 if len(counts) <= 10_000 else 199
        sums = [counts[drawing.integers(size, size=size)].sum(0) for _ in range(samples)]
        low, high = np.quantile([zh / en for zh, en in sums], (0.025, 0.975))
        return float(low), float(high)


def premium(counts: Iterable[tuple[int, int]]) -> Premium:
    """Return the premium of Chinese over English, from |T(zh)| and |T(en)| of each pair.

    The two texts of a pair have the same meaning. An empty side raises :class:`BPEError`, as does
    an empty list.
    """
    result = Premium(tuple(counts))
    if not result.counts:
        raise BPEError("There are no sentence pairs to compare. Add at least one.")
    for number, sides in enumerate(result.counts, start=1):
        if not all(sides):
            raise BPEError(
                "Pair {number} has an empty side. Give both languages, or leave the pair out.",
                number=number,
            )
    return result
