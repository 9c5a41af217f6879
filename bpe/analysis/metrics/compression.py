"""How few tokens a text becomes, how long they are, and how evenly they use the vocabulary."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from bpe.analysis.segmentation import Segmentation
from bpe.errors import BPEError


def bytes_per_token(segmentations: Iterable[Segmentation]) -> float:
    """Σ UTF-8 bytes / Σ tokens, in use since GPT-2. Compare tokenizers with it, not languages:
    most Chinese characters take three bytes.
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


def renyi_efficiency(
    segmentations: Iterable[Segmentation], vocabulary_size: int | None = None, *, alpha: float = 2.5
) -> float:
    """H_α(p) / log₂ |V| with H_α(p) = log₂(Σ p^α) / (1 − α), p the shares of the tokens, α = 2.5,
    and |V| the whole vocabulary. Zouhar et al. 2023, arXiv 2306.16842. Not for ranking: arXiv
    2402.14614 shows tokenizers with a better value that are worse.

    Without a size, |V| is the number of tokens that the texts use. α = 1 is Shannon's entropy.
    """
    counts: Counter[int] = Counter()
    for segmentation in segmentations:
        counts.update(segmentation.counts)
    size = len(counts) if vocabulary_size is None else vocabulary_size
    if not counts or size < 2:
        return math.nan
    total = counts.total()
    shares = [count / total for count in counts.values()]
    if alpha == 1:
        entropy = -math.fsum(share * math.log2(share) for share in shares)
    else:
        entropy = math.log2(math.fsum(share**alpha for share in shares)) / (1 - alpha)
    return entropy / math.log2(size)


def token_lengths(
    segmentations: Iterable[Segmentation], *, unit: Literal["bytes", "characters"] = "bytes"
) -> Counter[int]:
    """Count the tokens of the texts by length.

    In characters, only whole ones count: a token that is but a part of a character has length 0.
    """
    pieces: Counter[bytes] = Counter()
    for segmentation in segmentations:
        pieces.update(segmentation.pieces)
    lengths: Counter[int] = Counter()
    for piece, count in pieces.items():
        lengths[len(piece) if unit == "bytes" else len(piece.decode("utf-8", "ignore"))] += count
    return lengths


def percentile(ordered: Sequence[int], percent: int) -> int:
    """Return the nearest-rank percentile of sorted counts: a value that occurs, 0 if none does.

    >>> percentile([1, 2, 3, 4], 50)
    2
    >>> percentile([1, 2, 3, 4], 95)
    4
    """
    if not 0 < percent <= 100:
        raise BPEError("A percentile must be from 1 to 100, not {percent}.", percent=percent)
    if not ordered:
        return 0
    rank = -(-percent * len(ordered) // 100)  # rounded up
    return ordered[rank - 1]


def ratio(value: float, by: float) -> float:
    """Return ``value / by``, or ``nan`` where there is nothing to divide by."""
    return value / by if by else math.nan
