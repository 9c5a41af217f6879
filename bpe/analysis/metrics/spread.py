"""How evenly a text uses the vocabulary, how long its tokens are, and percentiles of counts."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from bpe.analysis.metrics.fidelity import pieces_of
from bpe.encoders.base import Encoder
from bpe.errors import BPEError


def renyi_efficiency(
    encoder: Encoder, texts: Iterable[str], *, alpha: float = 2.5, observed: bool = False
) -> float:
    """H_α(p) / log₂|V| with H_α(p) = log₂(Σ p^α) / (1 − α), p the shares of the tokens.

    |V| is the whole vocabulary; with ``observed``, only the tokens that the texts use. α = 1 is
    Shannon's entropy. Zouhar et al. 2023, arXiv 2306.16842; Cognetta et al. 2024 (arXiv
    2402.14614) show tokenizers with a better value that are worse, so nothing is to be ranked by
    it.
    """
    counts: Counter[int] = Counter()
    for text in texts:
        counts.update(encoder.encode(text, disallowed_special=()))
    size = len(counts) if observed else encoder.vocabulary_size
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
    encoder: Encoder,
    texts: Iterable[str],
    *,
    unit: Literal["bytes", "characters"] = "bytes",
) -> Counter[int]:
    """Count the tokens of the texts by length.

    In characters, only whole ones count: a token that is but a part of a character has length 0.
    """
    counts: Counter[int] = Counter()
    for text in texts:
        for piece in pieces_of(encoder, text):
            counts[len(piece) if unit == "bytes" else len(piece.decode("utf-8", "ignore"))] += 1
    return counts


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
