"""Counting: exact where known, elsewhere an estimate that says how it was made."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import pricing
from bpe.encoders import catalog
from bpe.errors import BPEError, Sentence
from bpe.pricing import Count, calibrations, count_for_all, count_tokens
from bpe.pricing.count import estimate_tokens
from tests.pricing.plain_encoders import ByteEncoder, CharacterEncoder


def test_a_known_vocabulary_counts_exactly():
    count = count_tokens(pricing.model("gpt-4o"), "你好 world", CharacterEncoder)
    assert (count.tokens, count.low, count.high) == (8, 8, 8)
    assert count.exactness == "exact"
    assert count.error_percent == 0
    assert str(count.method) == "counted with the model's own vocabulary o200k_base"


def test_the_real_vocabularies_give_the_known_counts():
    text = "你好，世界 Hello world"
    special = count_tokens(pricing.model("gpt-4o"), "<|endoftext|>", catalog.encoding)
    assert special.tokens > 1  # ordinary text
    for name, tokens in {"gpt-4": 8, "gpt-4o": 5, "deepseek-v4-pro": 5, "zai/GLM-4.5": 5}.items():
        assert count_tokens(pricing.model(name), text, catalog.encoding).tokens == tokens


@pytest.mark.parametrize(
    ("name", "zh", "other"), [("claude-3-to-4.6", 385, 101), ("claude-newest", 384, 163)]
)
def test_the_ratios_give_back_the_samples_that_they_are_from(name, zh, other):
    calibration = calibrations()[name]
    assert estimate_tokens(calibration, 282, 0).tokens == zh
    assert estimate_tokens(calibration, 0, 99).tokens == other


def test_the_stated_error_is_two_standard_errors_rounded_up():
    old, new = calibrations()["claude-3-to-4.6"], calibrations()["claude-newest"]
    # 2 × √(1/282 + 1/385) = 0.157; 2 × √(1/99 + 1/101) = 0.283; 2 × √(1/99 + 1/163) = 0.255
    assert [old.zh.error, old.other.error, new.other.error] == [
        Decimal("0.2"), Decimal("0.3"), Decimal("0.3"),
    ]  # fmt: skip


def test_claude_is_estimated_by_the_share_of_chinese_tokens():
    # 10 Chinese tokens × 385/282 = 13.652; 20 others × 101/99 = 20.404; together 34.056 -> 34
    # error 13.652 × 0.2 + 20.404 × 0.3 = 2.730 + 6.121 = 8.852 -> from 25.2 to 42.9
    text = "一二三四五六七八，。" + "abcdefghij klmnopqrs"
    count = count_tokens(pricing.model("claude-sonnet-4-5"), text, CharacterEncoder)
    assert (count.tokens, count.low, count.high) == (34, 25, 43)
    assert count.exactness == "estimate"
    assert count.error_percent == 27  # 9/34 = 26.5 %
    assert "30 tokens of o200k_base, Chinese ones times 1.37" in str(count.method)
    # three byte tokens of 中 and one of a: 3 × 385/282 + 101/99 = 4.0957 + 1.0202 = 5.116
    assert count_tokens(pricing.model("claude-opus-4-5"), "中a", ByteEncoder).tokens == 5


def test_an_assumed_vocabulary_has_the_range_of_the_panel():
    widths = {"o200k_base": 3, "deepseek_v4": 2, "gemma3": 5}

    def encoder_for(name):
        return CharacterEncoder(name, widths.get(name, 4))

    count = count_tokens(pricing.model("gpt-6-sol"), "abc", encoder_for)
    assert (count.tokens, count.low, count.high) == (9, 6, 15)
    assert count.exactness == "estimate"
    assert "assumed" in str(count.method)


def test_an_unknown_vocabulary_may_go_as_far_as_claude():
    # ten characters, all of the panel agree on ten; the newest Claude has 10 × 163/99 = 16.46
    count = count_tokens(pricing.model("grok-4.7"), "abcdefghij", CharacterEncoder)
    assert (count.tokens, count.low, count.high) == (10, 10, 16)
    assert "in its place" in str(count.method)


def test_many_models_need_each_vocabulary_once():
    asked = []

    def encoder_for(name):
        asked.append(name)
        return CharacterEncoder(name)

    counts = count_for_all(pricing.models(), "a中", encoder_for)
    assert counts.keys() == {model.id for model in pricing.models()}
    assert max(asked.count(name) for name in asked) <= 2  # once to count, once to split
    assert counts["openai/gpt-5"] == count_tokens(pricing.model("gpt-5"), "a中", CharacterEncoder)


@given(
    text=st.text(st.sampled_from("ab 中文，。é😀"), max_size=60),
    model=st.sampled_from(pricing.models()),
)
def test_the_count_lies_in_its_range(text, model):
    count = count_tokens(model, text, CharacterEncoder)
    assert 0 <= count.low <= count.tokens <= count.high
    assert text or count.high == 0
    assert count.exactness == "estimate" or count.low == count.high


@given(zh=st.integers(0, 10**6), other=st.integers(0, 10**6), more=st.integers(0, 100))
def test_more_text_is_never_fewer_tokens(zh, other, more):
    calibration = calibrations()["claude-newest"]
    less = estimate_tokens(calibration, zh, other)
    assert estimate_tokens(calibration, zh + more, other).tokens >= less.tokens
    assert estimate_tokens(calibration, zh, other + more).tokens >= less.tokens


def test_an_encoder_that_is_missing_is_not_replaced():
    def encoder_for(name):
        raise BPEError("There is no encoding “{name}”.", name=name)

    with pytest.raises(BPEError, match="no encoding “o200k_base”"):
        count_tokens(pricing.model("claude-opus-5"), "text", encoder_for)


METHOD = Sentence.of("by hand")


def test_a_text_that_is_longer_by_a_factor_has_more_tokens():
    scaled = Count(10, 8, 13, METHOD).scaled(Decimal("1.5"))
    assert (scaled.tokens, scaled.low, scaled.high) == (15, 12, 20)
