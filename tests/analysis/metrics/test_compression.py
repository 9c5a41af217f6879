"""Tokens against bytes, characters and each other, on values that can be counted by hand."""

import math

from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm.recipe import Recipe
from bpe.analysis.metrics import (
    bytes_per_token,
    characters_per_token,
    effective_window,
    nsl,
    partial_utf8_rate,
    tokens_per_hanzi,
)
from bpe.encoders.trained import Tokenizer
from tests.analysis.metrics.small_tokenizers import BYTES, ZHONG, cut


def test_bytes_per_token():
    assert bytes_per_token(cut(BYTES, "中a", "b")) == 1.0
    assert bytes_per_token(cut(ZHONG, "中a", "b")) == 5 / 3


def test_characters_per_token():
    assert characters_per_token(cut(BYTES, "中a", "b")) == 3 / 5
    assert characters_per_token(cut(ZHONG, "中a", "b")) == 1.0


def test_bytes_and_characters_are_those_of_the_text_given_not_of_the_one_that_tokens_spell():
    # "e" and an accent, three bytes, become é, two bytes and so two tokens.
    composed = cut(Tokenizer((), Recipe(normalisation="NFC")), "e\u0301")
    assert bytes_per_token(composed) == 3 / 2
    assert characters_per_token(composed) == 2 / 2


def test_nsl_is_the_ratio_of_lengths():
    assert nsl(3, 7) == 3 / 7
    assert math.isnan(nsl(0, 0))


def test_effective_window_is_in_hanzi():
    assert effective_window(128_000, 0.8) == 160_000
    assert math.isnan(effective_window(128_000, 0))


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_bytes_have_one_byte_per_token_and_characters_as_they_are(texts):
    cuts = cut(BYTES, *texts)
    assert bytes_per_token(cuts) == 1.0
    assert characters_per_token(cuts) == sum(map(len, texts)) / sum(map(len, cuts))
    hanzi = tokens_per_hanzi(cuts)
    assert math.isnan(hanzi) or hanzi in (3.0, 4.0) or 3.0 < hanzi < 4.0


def test_nothing_to_divide_by_is_nan():
    assert math.isnan(bytes_per_token(cut(BYTES, "")))
    assert math.isnan(tokens_per_hanzi(cut(BYTES, "abc")))
    assert math.isnan(partial_utf8_rate([]))
