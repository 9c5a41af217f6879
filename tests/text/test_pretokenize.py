"""Splitting, special tokens, normalisation."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.text.pretokenize import PATTERNS, _composed, count_words, normaliser, split
from bpe.text.special_tokens import split_specials


def test_every_code_point_is_in_some_piece():
    text = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    for pattern in PATTERNS:
        assert "".join(split(text, pattern)) == text


@pytest.mark.parametrize(
    ("pattern", "text", "pieces"),
    [
        ("gpt2", "Hello helo, I'm", ["Hello", " helo", ",", " I", "'m"]),
        ("gpt2", "a  b\n", ["a", " ", " b", "\n"]),
        ("gpt2", "我一把把把把住了，好。", ["我一把把把把住了", "，", "好", "。"]),
        ("qwen3_5", "क्षि e\u0301a 12", ["क्षि", " e\u0301a", " ", "1", "2"]),
        ("qwen3_5", "1\u0301!\u0301!", ["1", "\u0301", "!\u0301", "!"]),
        ("whitespace", " a  b ", [" a", "  b", " "]),
        ("none", "a b\n", ["a b\n"]),
        ("none", "", []),
    ],
)
def test_pieces(pattern, text, pieces):
    assert list(split(text, pattern)) == pieces


def test_special_tokens_are_not_counted_and_end_a_word():
    text = "intj tech<|end|>\n\nHéllò <|end|><|end|> tech"
    counts = {"intj": 1, " tech": 2, "\n": 2, "Héllò": 1, " ": 1}
    assert count_words([text], "gpt2", special_tokens=["<|end|>"]) == {
        word.encode(): count for word, count in counts.items()
    }


def test_the_longest_special_token_wins():
    parts = list(split_specials("<a><a><b>", ["<a>", "<a><b>"]))
    assert parts == [("<a>", True), ("<a><b>", True)]


@given(st.text("<a>b", max_size=30))
def test_cutting_at_special_tokens_loses_nothing(text):
    parts = list(split_specials(text, ["<a>", "ab", "b>"]))
    assert "".join(part for part, _ in parts) == text
    assert all(part in ("<a>", "ab", "b>") for part, special in parts if special)


@pytest.mark.parametrize(
    ("name", "text", "result"),
    [
        ("none", "É", "É"),
        ("NFC", "e\u0301", "é"),
        ("NFKC", "Ａ１", "A1"),
        ("lowercase", "ÀB", "àb"),
        ("strip-punctuation", "“你好”，$5 (ok)!", "你好5 ok"),
        ("NFKC+lowercase", "ＡＢ", "ab"),
    ],
)
def test_normalisation(name, text, result):
    assert normaliser(name)(text) == result


@given(
    parts=st.lists(st.sampled_from(["a", "é", "é", "̣́", "中", "ば", "한", "각", "ﬁ", "\n"])),
    form=st.sampled_from(["NFC", "NFKC"]),
    size=st.integers(1, 5),
)
def test_a_text_is_normalised_in_parts_as_it_is_as_a_whole(parts, form, size):
    text = "".join(parts)
    assert _composed(form, text, size) == unicodedata.normalize(form, text)


def test_nothing_composes_with_what_stands_before_a_place_to_cut():
    starters = [chr(point) for point in [*range(0x80), *range(0x4E00, 0x9FA6)]]
    for before in ("e", "は", "\u1100", "中", "\u0915", "¨"):
        for form in ("NFC", "NFKC"):
            whole = unicodedata.normalize(form, "".join(before + one for one in starters))
            assert whole == "".join(unicodedata.normalize(form, before) + one for one in starters)
