"""What the same meaning costs in one language beside another, on parallel texts alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from bpe.analysis.metrics.compression import count_tokens, ratio
from bpe.encoders.base import Encoder
from bpe.errors import BPEError


@dataclass(frozen=True)
class Premium:
    """What the first language costs for each token of the second, on the same meaning.

    ``micro`` is Σ|T(zh)| / Σ|T(en)|, ``macro`` the mean over pairs of |T(zh)| / |T(en)|.
    Petrov et al. 2023, arXiv 2305.15425.
    """

    counts: tuple[tuple[int, int], ...]
    """|T(zh)| and |T(en)| of each pair."""

    @property
    def zh_tokens(self) -> int:
        """Σ|T(zh)|."""
        return sum(zh for zh, _ in self.counts)

    @property
    def en_tokens(self) -> int:
        """Σ|T(en)|."""
        return sum(en for _, en in self.counts)

    @property
    def micro(self) -> float:
        """The premium of all texts taken together; long ones weigh more."""
        return self.zh_tokens / self.en_tokens

    @property
    def ratios(self) -> tuple[float, ...]:
        """|T(zh)| / |T(en)| of each pair."""
        return tuple(zh / en for zh, en in self.counts)

    @property
    def macro(self) -> float:
        """The mean premium of a pair, each with the same weight."""
        return fmean(self.ratios)


def premium(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> Premium:
    """Return the premium of Chinese over English on ``(zh, en)`` pairs of the same meaning.

    An empty side raises :class:`BPEError`, as does an empty list.
    """
    if not pairs:
        raise BPEError("There are no sentence pairs to compare. Add at least one.")
    counts = []
    for number, (zh, en) in enumerate(pairs, start=1):
        counts.append((count_tokens(encoder, zh), count_tokens(encoder, en)))
        if not all(counts[-1]):
            raise BPEError(
                "Pair {number} has an empty side. Give both languages, or leave the pair out.",
                number=number,
            )
    return Premium(tuple(counts))


def gini(costs: Sequence[float]) -> float:
    """Σ_i Σ_j |c_i − c_j| / (2 n² μ): 0 where the same meaning costs the same in each language.

    ``costs`` are the tokens of the same texts in n ≥ 3 languages; fewer raise :class:`BPEError`,
    as two have a premium. Meister et al., TokEval.

    >>> gini([1, 1, 4])
    0.3333333333333333
    """
    if len(costs) < 3:
        raise BPEError("The Gini coefficient of costs needs at least three languages.")
    differences = sum(abs(one - other) for one in costs for other in costs)
    return ratio(differences, 2 * len(costs) * sum(costs))
