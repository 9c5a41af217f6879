"""Chinese tokens for English ones, and how unequal they are."""

import pytest

from bpe.analysis.metrics import gini, premium
from bpe.errors import BPEError
from tests.analysis.metrics.small_tokenizers import BYTES


def test_premium_micro_and_macro():
    # Tokens are bytes: 3/2 and 6/3.
    result = premium(BYTES, [("中", "ab"), ("中国", "abc")])
    assert (result.zh_tokens, result.en_tokens) == (9, 5)
    assert result.micro == 9 / 5
    assert result.macro == (1.5 + 2.0) / 2
    assert result.ratios == (1.5, 2.0)


@pytest.mark.parametrize(
    ("pairs", "message"), [([], "no sentence pairs"), ([("中", "a"), ("", "a")], "Pair 2")]
)
def test_premium_needs_both_sides(pairs, message):
    with pytest.raises(BPEError, match=message):
        premium(BYTES, pairs)


def test_gini():
    assert gini([5, 5, 5]) == 0
    assert gini([0, 0, 3]) == pytest.approx(2 / 3)  # (n − 1) / n where one bears everything
    assert gini([1, 2, 3, 4]) == 0.25
    with pytest.raises(BPEError, match="three languages"):
        gini([1, 2])
