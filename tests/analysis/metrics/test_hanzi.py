"""汉字 and the tokens they take, on values that can be counted by hand."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.analysis.metrics import GB2312_LEVEL_1, count_hanzi, hanzi_coverage, tokens_per_hanzi
from bpe.encoders import catalog
from bpe.text.unicode import KEEP_LENGTH, byte_length
from tests.analysis import cuts as by_hand
from tests.analysis.metrics.small_tokenizers import BYTES, ZHONG, cut


def test_hanzi_are_the_characters_of_script_han():
    assert count_hanzi("汉字漢字〇龘, kana かな, 한글, a1！") == 6


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


@given(st.text("中国𠮷a，é "))
def test_tokens_per_hanzi_is_its_definition_under_a_tokenizer(text):
    for encoder in (ZHONG, catalog.encoding("llama2")):
        segmentations = cut(encoder, text, "看路")
        assert tokens_per_hanzi(segmentations) == pytest.approx(
            tokens_per_hanzi_byte_by_byte(segmentations)
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
