"""The headline figures, on values that can be counted by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import catalog
from bpe.errors import BPEError
from bpe.metrics import (
    bytes_per_token,
    count_hanzi,
    count_tokens,
    is_lossless,
    partial_utf8_rate,
    premium,
    tokens_per_hanzi,
)
from bpe.recipe import Recipe
from bpe.tokenizer import Tokenizer
from bpe.training import train

BYTES = Tokenizer((), Recipe())  # every byte is a token
ZHONG = train(["中中中"], Recipe(pattern="none", merges=2))  # 中 is one token


def test_bytes_per_token():
    assert bytes_per_token(BYTES, ["中a", "b"]) == 1.0
    assert bytes_per_token(ZHONG, ["中a", "b"]) == 5 / 3


def test_hanzi_are_the_characters_of_script_han():
    assert count_hanzi("汉字漢字〇龘, kana かな, 한글, a1！") == 6


def test_tokens_per_hanzi_leaves_out_what_is_no_hanzi():
    assert tokens_per_hanzi(BYTES, ["中国", "english"]) == 3.0
    assert tokens_per_hanzi(ZHONG, ["中国 and words, 2024"]) == (1 + 3) / 2


def test_a_token_counts_for_its_share_of_hanzi_bytes():
    # Whatever the merges are, a token of 7 bytes 中中a would count 6/7, one of 4 bytes 中a 3/4.
    tokenizer = train(["中中a中中a中中a"], Recipe(pattern="none", merges=4))
    pieces = [tokenizer.token_bytes(i) for i in tokenizer.encode("中中a")]
    shares = {3: 1.0, 6: 1.0, 7: 6 / 7, 4: 3 / 4, 1: 0.0}
    expected = sum(shares[len(piece)] for piece in pieces) / 2
    assert tokens_per_hanzi(tokenizer, ["中中a"]) == pytest.approx(expected)


def test_partial_utf8_rate():
    assert partial_utf8_rate(BYTES, ["a中"]) == 3 / 4
    assert partial_utf8_rate(ZHONG, ["a中"]) == 0.0


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


def test_nothing_to_divide_by_is_nan():
    assert math.isnan(bytes_per_token(BYTES, [""]))
    assert math.isnan(tokens_per_hanzi(BYTES, ["abc"]))
    assert math.isnan(partial_utf8_rate(BYTES, []))


def test_lossless_allows_for_a_declared_normal_form():
    assert is_lossless(catalog.encoding("qwen3"), ["e\u0301"])
    assert is_lossless(BYTES, ["e\u0301", "\ud800"])
    lower = Tokenizer((), Recipe(normalisation="lowercase"))
    assert not is_lossless(lower, ["A"])


def test_special_tokens_in_a_text_are_counted_as_text():
    tokenizer = Tokenizer((), Recipe(special_tokens=("<|end|>",)))
    assert count_tokens(tokenizer, "<|end|>") == 7


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_bytes_have_one_byte_per_token_and_characters_as_they_are(texts):
    assert bytes_per_token(BYTES, texts) == 1.0
    hanzi = tokens_per_hanzi(BYTES, texts)
    assert math.isnan(hanzi) or hanzi in (3.0, 4.0) or 3.0 < hanzi < 4.0
