"""How few tokens a text becomes."""

import math
from collections.abc import Iterable

from bpe.encoders.base import Encoder, scalar_text


def count_tokens(encoder: Encoder, text: str) -> int:
    """Return |T(text)|, special tokens in it taken as ordinary text."""
    return len(encoder.encode(text, disallowed_special=()))


def bytes_per_token(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ UTF-8 bytes / Σ |T|: how much text one token carries (GPT-2 and onwards).

    Fair between tokenizers on one text, not between languages: a 汉字 has three bytes.
    """
    size = tokens = 0
    for text in texts:
        size += len(scalar_text(text).encode())
        tokens += count_tokens(encoder, text)
    return ratio(size, tokens)


def characters_per_token(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ characters / Σ |T|, as vendors' documentation has it.

    Never to be divided between languages: the same meaning takes a third of the characters in
    Chinese.
    """
    characters = tokens = 0
    for text in texts:
        characters += len(scalar_text(text))
        tokens += count_tokens(encoder, text)
    return ratio(characters, tokens)


def nsl(encoder: Encoder, base: Encoder, texts: Iterable[str]) -> float:
    """Normalised sequence length against a base encoder: Σ |T| / Σ |T_base|.

    Below 1 the encoder needs fewer tokens than the base. Dagan et al. 2024, arXiv 2402.01035.
    """
    tokens = tokens_of_base = 0
    for text in texts:
        tokens += count_tokens(encoder, text)
        tokens_of_base += count_tokens(base, text)
    return ratio(tokens, tokens_of_base)


def effective_window(window: int, tokens_per_unit: float) -> float:
    """window / (tokens per 汉字, or per word): how many of them a context window holds.

    >>> effective_window(128_000, 1.6)
    80000.0
    """
    return ratio(window, tokens_per_unit)


def ratio(value: float, by: float) -> float:
    """Return ``value / by``, or ``nan`` where there is nothing to divide by."""
    return value / by if by else math.nan
