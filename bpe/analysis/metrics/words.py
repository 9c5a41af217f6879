"""Words and their tokens. Chinese writes no word boundaries: without a segmenter it has none here.

A figure on Chinese words is one of the segmenter as much as of the tokenizer, so name it with the
number.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import regex

from bpe.analysis.metrics.compression import ratio
from bpe.encoders.base import Encoder

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
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


def fertility(
    encoder: Encoder,
    texts: Iterable[str],
    *,
    segmenter: Callable[[str], Iterable[str]] | None = None,
) -> Fertility:
    """Cut the texts into words and each of these into tokens.

    English words are encoded with the space in front that they have in a text. ``segmenter`` cuts
    other languages into words, which are then encoded as they are.
    """
    # Where the encoder puts a space in front by itself, ours would be a second one.
    space = "" if segmenter or encoder.adds_leading_space else " "
    counts: dict[str, int] = {}
    words = tokens = single = 0
    for text in texts:
        for word in (segmenter or english_words)(text):
            if word not in counts:
                counts[word] = encoder.count(space + word)
            words += 1
            tokens += counts[word]
            single += counts[word] == 1
    return Fertility(words, tokens, single)
