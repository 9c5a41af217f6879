"""Words, spread, coverage and loss, on values that can be counted by hand."""

import math

import pytest

from bpe import catalog, metrics
from bpe.errors import BPEError
from bpe.metrics import (
    GB2312_LEVEL_1,
    Remembering,
    characters_per_token,
    effective_window,
    english_words,
    fertility,
    gini,
    hanzi_coverage,
    nsl,
    premium,
    renyi_efficiency,
    token_lengths,
    unknown_rate,
)
from bpe.recipe import Recipe
from bpe.textbook import CharacterTokenizer
from bpe.tokenizer import Tokenizer
from bpe.training import train

BYTES = Tokenizer((), Recipe())  # every byte is a token
ZHONG = train(["中中中"], Recipe(pattern="none", merges=2))  # 中 is one token
THE = train([" the" * 9], Recipe(pattern="gpt2", merges=3))  # " the" is one token


def test_every_public_name_is_there():
    assert all(hasattr(metrics, name) for name in metrics.__all__)


def test_characters_per_token():
    assert characters_per_token(BYTES, ["中a", "b"]) == 3 / 5
    assert characters_per_token(ZHONG, ["中a", "b"]) == 1.0


def test_nsl_is_the_ratio_of_lengths():
    assert nsl(ZHONG, BYTES, ["中中a"]) == 3 / 7
    assert math.isnan(nsl(ZHONG, BYTES, []))


def test_effective_window_is_in_hanzi():
    assert effective_window(128_000, 0.8) == 160_000
    assert math.isnan(effective_window(128_000, 0))


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


def test_gini():
    assert gini([5, 5, 5]) == 0
    assert gini([0, 0, 3]) == pytest.approx(2 / 3)  # (n − 1) / n where one bears everything
    assert gini([1, 2, 3, 4]) == 0.25
    with pytest.raises(BPEError, match="three languages"):
        gini([1, 2])


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


@pytest.mark.parametrize("name", ["cl100k_base", "llama3"])
def test_hanzi_coverage_is_that_of_the_engine(name):
    engine = catalog.encoding(name)
    lengths = [len(engine.encode(character)) for character in GB2312_LEVEL_1]
    coverage = hanzi_coverage(engine)
    assert coverage.counts == {length: lengths.count(length) for length in sorted({*lengths})}


def test_the_space_in_front_of_a_text_is_no_token_of_the_character():
    # 给 is in Llama 2's vocabulary, 垃 is three byte tokens; both come after "▁".
    llama = catalog.encoding("llama2")
    assert [len(llama.encode(character)) for character in "给垃"] == [2, 4]
    assert hanzi_coverage(llama, "给垃").counts == {1: 1, 3: 1}


def unknowing() -> CharacterTokenizer:
    recipe = Recipe(algorithm="character-bpe", unknown="<unk>", special_tokens=("<unk>",), merges=0)
    return train(["a b 中"], recipe)


def test_lost_characters_are_counted():
    tokenizer = unknowing()
    assert hanzi_coverage(tokenizer, "中国").counts == {0: 1, 1: 1}
    assert unknown_rate(tokenizer, ["a国", "中b"]) == 1 / 4
    assert unknown_rate(BYTES, ["a国", "\ud800"]) == 0


def test_token_lengths():
    assert token_lengths(ZHONG, ["中a国"]) == {3: 1, 1: 4}
    assert token_lengths(ZHONG, ["中a国"], unit="characters") == {1: 2, 0: 3}


def test_a_remembering_encoder_says_the_same_and_asks_once():
    asked = []

    class Counting(Remembering):
        def encode(self, text, **specials):
            asked.append(text)
            return super().encode(text, **specials)

    encoder = Remembering(Counting(ZHONG))
    pairs = [("中国", "ab"), ("中", "a")]
    assert premium(encoder, pairs) == premium(ZHONG, pairs)
    assert premium(encoder, pairs) == premium(ZHONG, pairs)
    assert asked == ["中国", "ab", "中", "a"]
    assert encoder.decode(encoder.encode("中国", allowed_special=set())) == "中国"
