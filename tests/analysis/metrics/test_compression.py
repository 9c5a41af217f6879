"""Tokens against bytes, characters and each other, on values that can be counted by hand."""

import math

from hypothesis import given
from hypothesis import strategies as st

from bpe.analysis.metrics import (
    bytes_per_token,
    characters_per_token,
    count_tokens,
    effective_window,
    nsl,
    partial_utf8_rate,
    tokens_per_hanzi,
)
from bpe.encoders.tokenizer import Tokenizer
from bpe.training.recipe import Recipe
from tests.analysis.metrics.small_tokenizers import BYTES, ZHONG


def test_bytes_per_token():
    assert bytes_per_token(BYTES, ["中a", "b"]) == 1.0
    assert bytes_per_token(ZHONG, ["中a", "b"]) == 5 / 3


def test_characters_per_token():
    assert characters_per_token(BYTES, ["中a", "b"]) == 3 / 5
    assert characters_per_token(ZHONG, ["中a", "b"]) == 1.0


def test_nsl_is_the_ratio_of_lengths():
    assert nsl(ZHONG, BYTES, ["中中a"]) == 3 / 7
    assert math.isnan(nsl(ZHONG, BYTES, []))


def test_effective_window_is_in_hanzi():
    assert effective_window(128_000, 0.8) == 160_000
    assert math.isnan(effective_window(128_000, 0))


def test_special_tokens_in_a_text_are_counted_as_text():
    tokenizer = Tokenizer((), Recipe(special_tokens=("<|end|>",)))
    assert count_tokens(tokenizer, "<|end|>") == 7


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_bytes_have_one_byte_per_token_and_characters_as_they_are(texts):
    assert bytes_per_token(BYTES, texts) == 1.0
    hanzi = tokens_per_hanzi(BYTES, texts)
    assert math.isnan(hanzi) or hanzi in (3.0, 4.0) or 3.0 < hanzi < 4.0


def test_nothing_to_divide_by_is_nan():
    assert math.isnan(bytes_per_token(BYTES, [""]))
    assert math.isnan(tokens_per_hanzi(BYTES, ["abc"]))
    assert math.isnan(partial_utf8_rate(BYTES, []))
