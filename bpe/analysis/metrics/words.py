"""Words and their tokens. Chinese writes no borders of words: they are those of a segmenter.

A figure on Chinese words is one of the segmenter as much as of the tokenizer, so name it with the
number.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata

import regex

from bpe.analysis.metrics.compression import ratio
from bpe.analysis.segmentation import segment
from bpe.encoders.base import Encoder
from bpe.errors import from_extra

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
_HANZI_RUN = regex.compile(r"\p{Script=Han}{2,}")
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

    @property
    def pcw(self) -> float:
        """The share of words cut into two tokens or more, the proportion of continued words. Rust
        et al. 2021, arXiv 2012.15613.
        """
        return ratio(self.words - self.single, self.words)


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
        for run in _HANZI_RUN.findall(text)
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
    at = tokens = 0
    for piece in pieces:
        tokens += bool(piece) and at < start + len(data) and at + len(piece) > start
        at += len(piece)
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
    space = "" if encoder.adds_leading_space else " "
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
