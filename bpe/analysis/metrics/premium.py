"""What the same meaning costs in one language beside another, on parallel texts alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import numpy as np

from bpe.analysis.metrics.compression import ratio
from bpe.errors import BPEError


@dataclass(frozen=True)
class Premium:
    """What the first language costs for each token of the second, on the same meaning."""

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

    @property
    def macro(self) -> float:
        """The mean of |T(zh)| / |T(en)| over the pairs, each with the same weight. Petrov et al.
        2023, arXiv 2305.15425; TokSuite.
        """
        return fmean(self.ratios)

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
    found = Premium(tuple(counts))
    if not found.counts:
        raise BPEError("There are no sentence pairs to compare. Add at least one.")
    for number, sides in enumerate(found.counts, start=1):
        if not all(sides):
            raise BPEError(
                "Pair {number} has an empty side. Give both languages, or leave the pair out.",
                number=number,
            )
    return found


def gini(costs: Sequence[float]) -> float:
    """Σᵢ Σⱼ |cᵢ − cⱼ| / (2 n² μ) over the tokens c of the same texts in n languages: 0 where each
    costs the same. Meister et al., TokEval.

    Fewer than three languages raise :class:`BPEError`, as two have a premium.

    >>> gini([1, 1, 4])
    0.3333333333333333
    """
    if len(costs) < 3:
        raise BPEError("The Gini coefficient of costs needs at least three languages.")
    differences = sum(abs(one - other) for one in costs for other in costs)
    return ratio(differences, 2 * len(costs) * sum(costs))
