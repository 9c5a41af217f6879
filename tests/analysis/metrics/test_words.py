"""English words and the tokens they take."""

import math

from bpe.analysis.metrics import english_words, fertility
from bpe.encoders import catalog
from tests.analysis.metrics.small_tokenizers import BYTES, THE, ZHONG


def test_english_words_come_with_their_space():
    # " the" is one token; " a" two bytes.
    result = fertility(THE, ["the the a"])
    assert (result.words, result.tokens, result.single) == (3, 1 + 1 + 2, 2)
    assert result.value == 4 / 3
    assert result.strr == 2 / 3
    assert result.pcw == 1 / 3


def test_chinese_has_no_words_without_a_segmenter():
    assert math.isnan(fertility(BYTES, ["中国人"]).value)
    cut = fertility(ZHONG, ["中中国"], segmenter=lambda text: [text[:1], text[1:]])
    assert (cut.words, cut.tokens, cut.single) == (2, 1 + (1 + 3), 1)


def test_an_encoder_that_puts_a_space_in_front_gets_no_second_one():
    llama = catalog.encoding("llama2")
    assert llama.encode("the") != llama.encode(" the")
    assert fertility(llama, ["the"]).tokens == len(llama.encode("the")) == 1


def test_words_keep_apostrophes_and_hyphens():
    assert english_words("Don’t “use” co-op's—2nd naïve.") == [
        "Don’t", "use", "co-op's", "2nd", "naïve"
    ]  # fmt: skip
