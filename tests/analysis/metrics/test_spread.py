"""How long tokens are, and how evenly they are used."""

import math

import pytest

from bpe.analysis.metrics import Remembering, renyi_efficiency, token_lengths
from tests.analysis.metrics.small_tokenizers import BYTES, ZHONG


def test_renyi_efficiency():
    # p = (1/2, 1/4, 1/4): Σ p² = 3/8, H₂ = log₂(8/3); H₁ = 1.5 bits.
    assert renyi_efficiency(BYTES, ["aabc"], alpha=2) == pytest.approx(math.log2(8 / 3) / 8)
    assert renyi_efficiency(BYTES, ["aabc"], alpha=1) == pytest.approx(1.5 / 8)
    observed = renyi_efficiency(BYTES, ["aabc"], alpha=2, observed=True)
    assert observed == pytest.approx(math.log2(8 / 3) / math.log2(3))
    # α = 2.5 by hand: log₂(0.5^2.5 + 2 · 0.25^2.5) / −1.5 = log₂(0.2392767…) / −1.5
    assert renyi_efficiency(BYTES, ["aabc"]) == pytest.approx(2.0632497 / 1.5 / 8, rel=1e-6)


def test_even_use_of_the_whole_vocabulary_has_efficiency_one():
    every_byte = Remembering(BYTES)
    every_byte.encode = lambda text, **_: list(range(256))
    assert renyi_efficiency(every_byte, ["x"]) == pytest.approx(1.0)
    assert math.isnan(renyi_efficiency(BYTES, []))


def test_token_lengths():
    assert token_lengths(ZHONG, ["中a国"]) == {3: 1, 1: 4}
    assert token_lengths(ZHONG, ["中a国"], unit="characters") == {1: 2, 0: 3}
