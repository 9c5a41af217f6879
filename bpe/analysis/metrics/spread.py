"""How evenly a text uses the vocabulary, how long its tokens are, and percentiles of counts."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from bpe.analysis.segmentation import Segmentation
from bpe.errors import BPEError


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
