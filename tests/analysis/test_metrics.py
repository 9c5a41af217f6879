"""Metrics of texts, words, 汉字 and pairs, on values that can be counted by hand."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
import splintr
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.algorithm.recipe import Recipe
from bpe.analysis.metrics import (
    GB2312_LEVEL_1,
    bytes_per_token,
    chinese_words,
    count_hanzi,
    english_words,
    fertility,
    hanzi_coverage,
    is_lossless,
    partial_utf8_rate,
    percentile,
    premium,
    tokens_per_hanzi,
    unknown_rate,
)
from bpe.analysis.segmentation import Segmentation, segment
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text.unicode import KEEP_LENGTH, byte_length
from bpe.training.train import train
from tests.analysis import cuts as by_hand

BYTES = Tokenizer((), Recipe())
"""Every byte is a token."""

ZHONG = train(["中中中"], Recipe(pattern="none", merges=2))
"""中 is one token, everything else its bytes."""

THE = train([" the" * 9], Recipe(pattern="gpt2", merges=3))
"""“ the” is one token, everything else its bytes."""


def cut(encoder: Encoder, *texts: str) -> list[Segmentation]:
    return [segment(encoder, text) for text in texts]


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


def tokens_per_hanzi_byte_by_byte(segmentations):
    """The definition as it is said, without numpy."""
    tokens, hanzi = Fraction(0), 0
    for segmentation in segmentations:
        held: list[bool] = []  # for each byte, whether it is of a 汉字
        for character in segmentation.data.decode("utf-8", KEEP_LENGTH):
            held += [count_hanzi(character) == 1] * byte_length(character)
            hanzi += count_hanzi(character)
        for start, piece in zip(segmentation.starts, segmentation.pieces, strict=False):
            if piece:
                tokens += Fraction(sum(held[start : start + len(piece)]), len(piece))
    return float(tokens / hanzi) if hanzi else math.nan


@given(
    st.lists(st.lists(st.binary(max_size=5) | st.text("中国𠮷a，é ").map(str.encode)), max_size=3)
)
def test_tokens_per_hanzi_is_its_definition_byte_by_byte(rows):
    segmentations = [by_hand.cut(*pieces) for pieces in rows]
    assert tokens_per_hanzi(segmentations) == pytest.approx(
        tokens_per_hanzi_byte_by_byte(segmentations), nan_ok=True
    )


def test_gb_2312_level_1_has_its_3755_characters():
    assert len(GB2312_LEVEL_1) == len(set(GB2312_LEVEL_1)) == 3755
    assert GB2312_LEVEL_1[0] == "啊"
    assert GB2312_LEVEL_1[-1] == "座"
    assert "镕" not in GB2312_LEVEL_1  # famously in neither level


def test_hanzi_coverage_of_bytes_and_of_one_merge():
    assert hanzi_coverage(BYTES).counts == {3: 3755}
    # The first merge is E4 B8, which other characters start with too.
    beside = sum(character.encode()[:2] == b"\xe4\xb8" for character in GB2312_LEVEL_1) - 1
    assert hanzi_coverage(ZHONG).counts == {1: 1, 2: beside, 3: 3754 - beside}
    assert hanzi_coverage(ZHONG, "中国").share(1) == 0.5


def test_the_space_in_front_of_a_text_is_no_token_of_the_character():
    # 给 is in Llama 2's vocabulary, 垃 is three byte tokens; both come after "▁".
    llama = catalog.encoding("llama2")
    assert [len(llama.encode(character)) for character in "给垃"] == [2, 4]
    assert hanzi_coverage(llama, "给垃").counts == {1: 1, 3: 1}


def test_english_words_come_with_their_space():
    # " the" is one token; " a" two bytes.
    result = fertility(THE, ["the the a"])
    assert (result.words, result.tokens, result.single) == (3, 1 + 1 + 2, 2)
    assert result.value == 4 / 3
    assert result.strr == 2 / 3


def test_chinese_has_no_words_without_a_segmenter():
    assert math.isnan(fertility(BYTES, ["中国人"]).value)
    cut = fertility(ZHONG, ["中中国"], segmenter=lambda text: [text[:1], text[1:]])
    assert (cut.words, cut.tokens, cut.single) == (2, 1 + (1 + 3), 1)


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_the_share_of_words_that_stay_whole_is_that_of_the_vendors_engine(name):
    texts = [pair.zh for pair in samples.pairs()]
    words = [word for text in texts for word in chinese_words(text)]
    engine = splintr.Tokenizer.from_pretrained(name)
    whole = sum(len(engine.encode(word)) == 1 for word in words)
    found = fertility(catalog.encoding(name), texts, segmenter=chinese_words)
    assert (found.words, found.single) == (len(words), whole)
    assert found.strr == pytest.approx({"o200k_base": 0.405, "cl100k_base": 0.130}[name], abs=1e-3)


def test_neither_a_space_in_front_nor_an_unknown_word_makes_a_word_whole_or_not():
    llama = bpe.encoding("llama2")
    assert fertility(llama, ["中国"], segmenter=chinese_words).tokens == 2
    small = bpe.train(["中国 中国"], bpe.Recipe(algorithm="wordpiece", vocabulary_size=20))
    found = fertility(small, ["中国北京"], segmenter=chinese_words)
    assert (found.words, found.single) == (2, 1)


def test_without_a_segmenter_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rjieba", None)
    with pytest.raises(bpe.BPEError, match=r"rjieba.*bpe-playground\[words\]"):
        chinese_words("中国")


def test_an_encoder_that_puts_a_space_in_front_gets_no_second_one():
    llama = catalog.encoding("llama2")
    assert llama.encode("the") != llama.encode(" the")
    assert fertility(llama, ["the"]).tokens == len(llama.encode("the")) == 1


def test_words_keep_apostrophes_and_hyphens():
    assert english_words("Don’t “use” co-op's—2nd naïve.") == [
        "Don’t", "use", "co-op's", "2nd", "naïve"
    ]  # fmt: skip


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
