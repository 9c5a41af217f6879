"""Tokens against bytes, characters and each other, on values that can be counted by hand."""

import math

import pytest

from bpe.algorithm.recipe import Recipe
from bpe.analysis.metrics import (
    bytes_per_token,
    hanzi_coverage,
    is_lossless,
    partial_utf8_rate,
    tokens_per_hanzi,
    unknown_rate,
)
from bpe.encoders import catalog
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.training.train import train
from tests.analysis.metrics.small_tokenizers import BYTES, ZHONG, cut

COMPOSED = Tokenizer((), Recipe(normalisation="NFC"))
"""Of "e" and an accent, three bytes, it makes é, two bytes and so two tokens."""


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (bytes_per_token(cut(BYTES, "中a", "b")), 1),
        (bytes_per_token(cut(ZHONG, "中a", "b")), 5 / 3),
        (bytes_per_token(cut(COMPOSED, "e\u0301")), 3 / 2),  # those of the text given
        (partial_utf8_rate(cut(BYTES, "a中")), 3 / 4),
        (partial_utf8_rate(cut(ZHONG, "a中")), 0),
        (bytes_per_token(cut(BYTES, "")), math.nan),
        (tokens_per_hanzi(cut(BYTES, "abc")), math.nan),
        (partial_utf8_rate([]), math.nan),
    ],
)
def test_figures_are_those_counted_by_hand(figure, expected):
    assert figure == pytest.approx(expected, nan_ok=True)


# What is lost, and which tokens are no characters by themselves.


def test_lossless_allows_for_a_declared_normal_form():
    assert is_lossless(cut(catalog.encoding("qwen3"), "e\u0301"))
    assert is_lossless(cut(BYTES, "e\u0301", "\ud800"))
    lower = Tokenizer((), Recipe(normalisation="lowercase"))
    assert not is_lossless(cut(lower, "A"))


def test_a_space_put_in_front_is_no_loss_as_decoding_takes_it_away():
    llama = cut(catalog.encoding("llama2"), "看路", "a 龘")
    assert [segmentation.change for segmentation in llama] == ["normalised", "normalised"]
    assert is_lossless(llama)
    assert unknown_rate(llama) == 0


def unknowing() -> CharacterTokenizer:
    recipe = Recipe(algorithm="character-bpe", unknown="<unk>", special_tokens=("<unk>",), merges=0)
    return train(["a b 中"], recipe)


def test_lost_characters_are_counted():
    tokenizer = unknowing()
    (segmentation,) = cut(tokenizer, "国")
    assert segmentation.text.startswith("<unk>")  # which stands for no character of the text
    assert segmentation.decoded == ""
    assert not is_lossless([segmentation])
    assert hanzi_coverage(tokenizer, "中国").counts == {0: 1, 1: 1}
    assert unknown_rate(cut(tokenizer, "a国", "中b")) == 1 / 4
    assert unknown_rate(cut(BYTES, "a国", "\ud800")) == 0
