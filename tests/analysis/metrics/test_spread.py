"""The premium with its interval, and percentiles of counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.analysis.metrics import percentile, premium
from bpe.errors import BPEError


@given(counts=st.lists(st.integers(0, 10**6), min_size=1), percent=st.integers(1, 100))
def test_a_percentile_is_a_value_with_that_share_at_or_below(counts, percent):
    value = percentile(sorted(counts), percent)
    assert value in counts
    assert 100 * sum(count <= value for count in counts) >= percent * len(counts)
    assert 100 * sum(count < value for count in counts) < percent * len(counts)


# Chinese tokens for English ones.


def test_the_premium_is_of_all_tokens():
    result = premium([(3, 2), (6, 3)])
    assert (result.zh_tokens, result.en_tokens) == (9, 5)
    assert result.micro == 9 / 5


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
