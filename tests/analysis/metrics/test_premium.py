"""Chinese tokens for English ones, and how unequal they are."""

import pytest

from bpe.analysis.metrics import gini, premium
from bpe.errors import BPEError


def test_premium_micro_and_macro():
    result = premium([(3, 2), (6, 3)])
    assert (result.zh_tokens, result.en_tokens) == (9, 5)
    assert result.micro == 9 / 5
    assert result.macro == (1.5 + 2.0) / 2
    assert result.ratios == (1.5, 2.0)


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
