"""Characters, words and bytes: what each makes of a sentence, and what it loses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.errors import BPEError
from bpe.teaching.codes import (
    Coder,
    characters,
    decode_bytes,
    encode_bytes,
    split_words,
    words,
)

LECTURE = Coder("words", ("Hello", " ", "helo", ",", "I'm"), unknown=None)


def test_the_lectures_list_of_words():
    assert LECTURE.encode("Hello helo, I'm") == [0, 1, 2, 3, 1, 4]
    assert LECTURE.decode([0, 1, 2, 3, 1, 4]) == "Hello helo, I'm"


def test_words_of_the_note_without_spaces():
    coder = words(["hello world!"], spaces=False)
    assert [piece.text for piece in coder.pieces("hello world!") if piece.known] == [
        "hello",
        "world",
        "!",
    ]
    assert coder.decode(coder.encode("hello world!")) == "hello world !"
    assert coder.lost("hello world!") == [" "]


def test_characters_of_the_note():
    coder = characters(["hello world!"])
    assert [piece.text for piece in coder.pieces("hello world!")] == list("hello world!")
    assert coder.lost("hello word") == []
    assert coder.lost("hello 你") == ["你"]


def test_the_lectures_bytes():
    assert encode_bytes("hello,你好") == [
        104, 101, 108, 108, 111, 44, 228, 189, 160, 229, 165, 189,
    ]  # fmt: skip
    assert decode_bytes(encode_bytes("hello,你好")) == "hello,你好"


def test_two_words_may_be_one_entry():
    one = Coder("words", ("United Kingdoms", "United", " ", "Kingdoms"))
    two = Coder("words", ("United", " ", "Kingdoms"))
    assert one.encode("United Kingdoms") == [0]
    assert two.encode("United Kingdoms") == [0, 1, 2]


def test_an_unseen_word_is_the_unknown_token_however_much_of_it_is_known():
    coder = words(["learn learns learned"])
    assert coder.decode(coder.encode("learn learning")) == "learn <unk>"


def test_chinese_without_spaces_is_one_word_a_clause():
    assert split_words("我一把把把把住了，好。") == ["我一把把把把住了", "，", "好", "。"]


def test_a_small_list_keeps_the_most_frequent():
    assert words(["a b a b a c"], 4).vocabulary == ("<unk>", " ", "a", "b")


def test_errors_say_what_to_do():
    with pytest.raises(BPEError, match="“there” is not in the vocabulary"):
        LECTURE.encode("Hello there")
    with pytest.raises(BPEError, match="no token id 5: the ids of this tokenizer go from 0 to 4"):
        LECTURE.decode([5])
    with pytest.raises(BPEError, match="no token id 256"):
        decode_bytes([256])
    with pytest.raises(BPEError, match="at least one entry"):
        characters(["a"], 0)


def test_the_unknown_token_written_out_in_a_text_is_not_known():
    assert words(["a"]).lost("<unk>") == ["<", "unk", ">"]


@given(st.text())
def test_what_was_seen_comes_back(text):
    for coder in (characters([text]), words([text])):
        assert coder.decode(coder.encode(text)) == text
        assert coder.lost(text) == []
    assert decode_bytes(encode_bytes(text)) == text


@given(st.text())
def test_split_words_joined_are_the_text(text):
    assert "".join(split_words(text)) == text
