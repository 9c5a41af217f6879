"""Chinese tokens for English ones, and how unequal they are."""

import numpy as np
import pytest

from bpe.analysis.metrics import gini, premium
from bpe.errors import BPEError


def test_premium_micro_and_macro():
    result = premium([(3, 2), (6, 3)])
    assert (result.zh_tokens, result.en_tokens) == (9, 5)
    assert result.micro == 9 / 5
    assert result.macro == (1.5 + 2.0) / 2
    assert result.ratios == (1.5, 2.0)


def test_the_interval_is_as_wide_as_chance_makes_it():
    assert premium([(3, 2)] * 9).interval == (1.5, 1.5)
    rng = np.random.default_rng(0)
    counts = [(int(rng.poisson(30)), int(rng.poisson(20))) for _ in range(400)]
    found = premium(counts)
    low, high = found.interval
    assert low < found.micro < high
    # by the formula for a ratio of sums: 1.5 × √((1/30 + 1/20) / 400) = 0.0217 a standard error
    assert high - low == pytest.approx(2 * 1.96 * 0.0217, rel=0.15)
    assert found.interval == premium(counts).interval


@pytest.mark.parametrize(
    ("counts", "message"),
    [([], "no sentence pairs"), ([(3, 1), (0, 1)], "Pair 2"), ([(3, 0)], "Pair 1")],
)
def test_premium_needs_both_sides(counts, message):
    with pytest.raises(BPEError, match=message):
        premium(counts)


def test_gini():
    assert gini([5, 5, 5]) == 0
    assert gini([0, 0, 3]) == pytest.approx(2 / 3)  # (n − 1) / n where one bears everything
    assert gini([1, 2, 3, 4]) == 0.25
    with pytest.raises(BPEError, match="three languages"):
        gini([1, 2])
