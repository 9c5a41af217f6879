"""How few tokens a text becomes."""

import math
from collections.abc import Iterable

from bpe.analysis.segmentation import Segmentation


def bytes_per_token(segmentations: Iterable[Segmentation]) -> float:
    """Σ UTF-8 bytes / Σ tokens, in use since GPT-2. Compare tokenizers with it, not languages: a
    Chinese character has three bytes.
    """
    size = tokens = 0
    for segmentation in segmentations:
        size += segmentation.source_bytes
        tokens += len(segmentation)
    return ratio(size, tokens)


def characters_per_token(segmentations: Iterable[Segmentation]) -> float:
    """Σ characters / Σ tokens, as vendors' documentation has it. Compare tokenizers with it, not
    languages: the same meaning takes a third of the characters in Chinese.
    """
    characters = tokens = 0
    for segmentation in segmentations:
        characters += segmentation.source_characters
        tokens += len(segmentation)
    return ratio(characters, tokens)


def nsl(tokens: int, tokens_of_base: int) -> float:
    """Σ tokens / Σ tokens of a base, the normalised sequence length. Dagan et al. 2024, arXiv
    2402.01035.
    """
    return ratio(tokens, tokens_of_base)


def effective_window(window: int, tokens_per_unit: float) -> float:
    """Context window / tokens for each Chinese character, or for each word without the punctuation
    around it. Our own measure.

    >>> effective_window(128_000, 1.6)
    80000.0
    """
    return ratio(window, tokens_per_unit)


def ratio(value: float, by: float) -> float:
    """Return ``value / by``, or ``nan`` where there is nothing to divide by."""
    return value / by if by else math.nan
