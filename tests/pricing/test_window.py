"""The window's gauge, and chunks that fit."""

from dataclasses import replace
from decimal import Decimal

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from bpe import pricing
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.pricing import chunks, gauge, remaining
from tests.pricing.plain_encoders import ByteEncoder, CharacterEncoder

CHARACTERS, BYTES = CharacterEncoder(), ByteEncoder("bytes")


def test_the_gauge_shows_what_is_used_and_what_is_free():
    filled = gauge(pricing.model("gpt-4o"), 32_000, reserve=16_000)  # window 128 000
    assert filled.share == Decimal("0.25")
    assert filled.free == 80_000
    assert filled.fits


@pytest.mark.parametrize(("tokens", "fits", "free"), [(112_000, True, 0), (112_001, False, 0)])
def test_the_answer_needs_room_too(tokens, fits, free):
    filled = gauge(pricing.model("gpt-4o"), tokens, reserve=16_000)
    assert (filled.fits, filled.free) == (fits, free)


def test_an_unknown_window_gives_no_number():
    unknown = gauge(replace(pricing.model("gpt-4o"), context_window=None), 5)
    assert (unknown.share, unknown.free, unknown.fits) == (None, None, None)


def test_what_remains_is_told_in_characters_words_and_pages():
    # 80 000 / 0.8 = 100 000 汉字 = 125 pages of 800; 80 000 / 1.25 = 64 000 words = 128 of 500
    left = remaining(80_000, tokens_per_hanzi=Decimal("0.8"), tokens_per_word=Decimal("1.25"))
    assert (left.hanzi, left.words) == (100_000, 64_000)
    assert (left.zh_pages, left.en_pages) == (Decimal("125.0"), Decimal("128.0"))


def test_what_remains_is_rounded_down():
    left = remaining(1000, tokens_per_hanzi=Decimal("0.7"), tokens_per_word=Decimal("1.3"))
    assert (left.hanzi, left.words) == (1428, 769)  # 1428.57…, 769.23…
    assert (left.zh_pages, left.en_pages) == (Decimal("1.7"), Decimal("1.5"))


def test_a_rate_of_zero_is_refused():
    with pytest.raises(BPEError, match="more than zero"):
        remaining(1, tokens_per_hanzi=Decimal(0), tokens_per_word=Decimal(1))


def texts(found):
    return [chunk.text for chunk in found]


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("今天下雨。明天晴天！后天呢？", 10, ["今天下雨。明天晴天！", "后天呢？"]),
        ("他说：“走吧。”她没动。", 8, ["他说：“走吧。”", "她没动。"]),
        ("One is 3.14. Two is e.", 13, ["One is 3.14. ", "Two is e."]),
        ("第一，第二，第三。", 4, ["第一，", "第二，", "第三。"]),
        ("aaa bbb ccc", 8, ["aaa bbb ", "ccc"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        (
            "短。很长很长的一句话没有标点。短。",
            6,
            ["短。", "很长很长的一", "句话没有标点", "。短。"],
        ),
        ("第一段\n\n第二段\n", 6, ["第一段\n\n", "第二段\n"]),
        ("", 5, []),
    ],
)
def test_chunks_end_at_the_best_border(text, most, expected):
    assert texts(chunks(text, CHARACTERS, most)) == expected


def test_a_character_with_its_marks_is_not_broken():
    family = "👨‍👩‍👧"  # five code points
    assert texts(chunks(f"ab{family}e\u0301", CHARACTERS, 5)) == ["ab", family, "e\u0301"]
    with pytest.raises(BPEError, match="alone has 5 tokens, more than the 4 allowed"):
        chunks(family, CHARACTERS, 4)


@pytest.mark.parametrize(
    "text",
    ["！\u0301", "，\u0301", " \u0301", "\r\n", "…\u0301", "!\u0e33", "，\u0eb3", " 🏻"],
)
def test_neither_is_a_punctuation_mark_or_a_space_with_its_marks(text):
    with pytest.raises(BPEError, match="alone has"):
        chunks(text, CHARACTERS, 1)


def test_one_hanzi_does_not_fit_in_two_bytes():
    with pytest.raises(BPEError, match="“中” alone has 3 tokens"):
        chunks("a中", BYTES, 2)


@pytest.mark.parametrize("most", [0, -1, True, 2.5])
def test_an_impossible_size_is_refused(most):
    with pytest.raises(BPEError, match="at least 1 token"):
        chunks("text", CHARACTERS, most)


TEXTS = st.text(st.sampled_from("ab.,!? \n中文。，！？“”；…😀e\u0301\r"), max_size=80) | st.text(
    max_size=40
)


@given(text=TEXTS, most=st.integers(1, 20), encoder=st.sampled_from([CHARACTERS, BYTES]))
@example(text="…\u0301", most=3, encoder=BYTES)
@example(text="?\u0301", most=1, encoder=CHARACTERS)
def test_chunks_join_to_the_text_and_fit(text, most, encoder):
    longest = max((len(encoder.encode(c)) for c in regex.findall(r"\X", text)), default=0)
    if longest > most:
        with pytest.raises(BPEError, match="alone has"):
            chunks(text, encoder, most)
        return
    found = chunks(text, encoder, most)
    assert "".join(texts(found)) == text
    assert all(0 < chunk.tokens == len(encoder.encode(chunk.text)) <= most for chunk in found)
    assert [chunk.start for chunk in found] == [0, *(chunk.end for chunk in found)][: len(found)]


@given(text=TEXTS.map(lambda text: text.encode("utf-8", "replace").decode()))
def test_chunks_of_a_real_tokenizer_fit_too(text):
    encoder = catalog.encoding("o200k_base")
    most = 24 + max((len(encoder.encode(c)) for c in regex.findall(r"\X", text)), default=0)
    found = chunks(text, encoder, most)
    assert "".join(texts(found)) == text
    assert all(len(encoder.encode(chunk.text)) <= most for chunk in found)


def test_special_tokens_in_a_document_are_text():
    encoder = catalog.encoding("o200k_base")
    assert texts(chunks("<|endoftext|>", encoder, 50)) == ["<|endoftext|>"]
