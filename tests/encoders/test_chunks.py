"""Texts cut to fit a number of tokens: pieces, beginnings, counts that end early, streams."""

import numpy as np
import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

import bpe
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.backend import STEP
from bpe.errors import BPEError
from tests.pricing.plain_encoders import ByteEncoder, CharacterEncoder

CHARACTERS, BYTES = CharacterEncoder(), ByteEncoder("bytes")


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
        ("短。长长的一句没标点。短。", 6, ["短。", "长长的一句没", "标点。短。"]),
        ("第一段\n\n第二段\n", 6, ["第一段\n\n", "第二段\n"]),
        ("", 5, []),
    ],
)
def test_chunks_end_at_the_best_border(text, most, expected):
    assert texts(CHARACTERS.chunks(text, most)) == expected


def test_a_character_with_its_marks_is_not_broken():
    family = "👨‍👩‍👧"  # five code points
    assert texts(CHARACTERS.chunks(f"ab{family}e\u0301", 5)) == ["ab", family, "e\u0301"]
    assert texts(CHARACTERS.chunks(family, 4)) == [family[:4], family[4:]]  # it does not fit
    assert list(map(len, texts(CHARACTERS.chunks("e" + "\u0301" * 1_000, 500)))) == [500, 500, 1]


@pytest.mark.parametrize(
    "text", ["！\u0301", "，\u0301", " \u0301", "\r\n", "…\u0301", "!\u0e33", "，\u0eb3", " 🏻"]
)
def test_neither_is_a_punctuation_mark_or_a_space_with_its_marks(text):
    assert texts(CHARACTERS.chunks(f"a{text}", 2)) == ["a", text]


@pytest.mark.parametrize("most", [0, -1, True, 2.5])
def test_an_impossible_size_is_refused(most):
    with pytest.raises(BPEError, match="at least 1 token"):
        CHARACTERS.chunks("text", most)


@pytest.mark.parametrize("tokens", ["3", 2.5, True])
def test_a_limit_that_is_no_whole_number_is_refused(tokens):
    encoder = catalog.encoding("o200k_base")
    for call in (encoder.fits, lambda text, most: encoder.count(text, limit=most)):
        with pytest.raises(BPEError, match="limit of tokens is a whole number, not "):
            call("text", tokens)


def test_integers_of_numpy_are_numbers_as_any_other():
    one, three = np.int64(1), np.int64(3)
    assert texts(CHARACTERS.chunks("ab cd", three, overlap=one)) == ["ab ", "cd"]
    assert CHARACTERS.truncate("abcd", three) == "abc"
    encoder = catalog.encoding("o200k_base")
    assert (encoder.fits("low", three), encoder.fits("low", -one)) == (True, False)
    assert type(encoder.fits("low", three)) is bool


TEXTS = st.text(st.sampled_from("ab.,!? \n中文。，！？“”；…😀e\u0301\r"), max_size=80) | st.text(
    max_size=40
)


@given(text=TEXTS, most=st.integers(1, 20), encoder=st.sampled_from([CHARACTERS, BYTES]))
@example(text="…\u0301", most=3, encoder=BYTES)
@example(text="?\u0301", most=1, encoder=CHARACTERS)
def test_chunks_join_to_the_text_and_fit(text, most, encoder):
    if max(map(encoder.count, text), default=0) > most:
        with pytest.raises(BPEError, match="alone has"):
            encoder.chunks(text, most)
        return
    found = encoder.chunks(text, most)
    assert "".join(texts(found)) == text
    assert all(0 < chunk.tokens == len(encoder.encode(chunk.text)) <= most for chunk in found)
    assert [chunk.start for chunk in found] == [0, *(chunk.end for chunk in found)][: len(found)]


@given(text=TEXTS.map(lambda text: text.encode("utf-8", "replace").decode()))
def test_chunks_of_a_real_tokenizer_fit_too(text):
    encoder = catalog.encoding("o200k_base")
    most = 24 + max((encoder.count(c) for c in regex.findall(r"\X", text)), default=0)
    found = encoder.chunks(text, most)
    assert "".join(texts(found)) == text
    assert all(encoder.count(chunk.text) <= most for chunk in found)


@given(text=TEXTS, most=st.integers(6, 20), overlap=st.integers(0, 5))
def test_chunks_that_overlap_cover_the_text_and_fit(text, most, overlap):
    longest = max((len(c) for c in regex.findall(r"\X", text)), default=0)
    if longest > most:
        return
    at = 0
    for chunk in CHARACTERS.chunks(text, most, overlap=overlap):
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunk.start <= at < chunk.end
        assert at - chunk.start <= overlap
        assert chunk.tokens <= most
        at = chunk.end
    assert at == len(text)


def test_a_chunk_begins_with_the_last_sentence_of_the_one_before():
    found = CHARACTERS.chunks("One. Two. Three. Four.", 12, overlap=6)
    assert texts(found) == ["One. Two. ", "Two. Three. ", "Four."]
    with pytest.raises(BPEError, match="can overlap by 0 to 11 tokens, not by 12"):
        CHARACTERS.chunks("text", 12, overlap=12)


@given(text=TEXTS, most=st.integers(0, 20))
def test_what_is_cut_is_a_beginning_of_whole_characters_that_fits(text, most):
    cut = BYTES.truncate(text, most)
    rest = text.encode("utf-8", "replace").decode().removeprefix(cut)
    assert BYTES.count(cut) <= most
    characters = regex.findall(r"\X", text)
    whole = regex.findall(r"\X", cut)
    if whole != characters[: len(whole)]:  # but one that does not fit by itself
        assert BYTES.count(characters[len(whole) - 1]) > most
        assert BYTES.count(cut + rest[0]) > most
    elif rest:
        assert BYTES.count(cut + regex.findall(r"\X", rest)[0]) > most


@pytest.mark.parametrize("name", ["cl100k_base", "llama2"])
def test_a_character_that_does_not_fit_is_cut_between_code_points(name):
    encoder, odd = bpe.encoding(name), "h" + "\u0301" * 600 + "llo. "
    document = "Ordinary text. " * 300 + odd
    found = encoder.chunks(document, 512, overlap=20)
    assert all(chunk.tokens <= 512 for chunk in found)
    assert "".join(texts(encoder.chunks(document, 512))) == document
    cut = encoder.truncate(odd, 512)
    assert odd.startswith(cut)
    assert 500 < encoder.count(cut) <= 512 < encoder.count(cut + "\u0301\u0301")
    assert encoder.truncate("ab " + odd, 3).startswith("ab h")


@pytest.mark.parametrize("name", ["o200k_base", "gemma3", "llama2"])
def test_a_long_text_is_cut_and_counted_no_farther_than_needed(name):
    encoder = bpe.encoding(name)
    text = samples.corpus("en") * (3 * STEP // len(samples.corpus("en")) + 2)
    cut = encoder.truncate(text, 1_000)
    assert text.startswith(cut)
    assert 990 <= encoder.count(cut) <= 1_000
    tokens = encoder.count(text)
    assert 100 < encoder.count(text, limit=100) < tokens
    assert encoder.count(text, limit=tokens) == tokens
    assert encoder.fits(text, tokens)
    assert not encoder.fits(text, tokens - 1)


@pytest.mark.parametrize("name", ["o200k_base", "llama2"])
@given(text=TEXTS)
def test_a_stream_of_ids_is_decoded_to_whole_characters(name, text):
    encoder = bpe.encoding(name)
    ids = encoder.encode_ordinary(text)
    parts = list(encoder.decode_stream(iter(ids)))
    assert "".join(parts) == encoder.decode(ids)
    assert "" not in parts
    assert "\ufffd" not in "".join(parts) or "\ufffd" in encoder.decode(ids)
