"""English words and the tokens they take."""

import math
import sys

import pytest
import splintr

import bpe
from bpe.analysis.metrics import chinese_words, english_words, fertility
from bpe.documents import samples
from bpe.encoders import catalog
from tests.analysis.metrics.small_tokenizers import BYTES, THE, ZHONG


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
