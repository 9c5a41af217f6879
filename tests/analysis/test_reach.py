"""Which tokens do not come back when their own text is encoded."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.algorithm.recipe import Recipe
from bpe.analysis.reach import transplant, unreachable

LEFT_OVER = 3
"""Qwen3 has ``<unk>``, ``<s>`` and ``</s>``, which no text gives either: 1,909 with them. They are
spelled like special tokens, so we leave them out."""


@cache
def unreached(name: str) -> list:
    return list(unreachable(bpe.encoding(name)))


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        # Found from outside, by encoding the text of every token with the vendor's own engine.
        ("qwen3", {"pattern": 1_661 - LEFT_OVER, "changed": 248}),
        # By its ranks alone two; a tokenizer.json has no merges for 201 more of its tokens.
        ("qwen3_5", {"pattern": 2, "merges": 201}),
        ("glm4", {"pattern": 267}),
        ("o200k_base", {"pattern": 12}),
        ("cl100k_base", {}),
        ("deepseek_v3", {}),
        ("llama3", {}),
        ("mistral_v3", {}),
    ],
)
def test_the_published_numbers_of_tokens_that_no_text_gives(name, reasons):
    assert Counter(token.why for token in unreached(name)) == reasons


def test_most_of_those_of_qwen3_are_thai_and_live_behind_the_pattern_of_qwen3_5():
    qwen = bpe.encoding("qwen3")
    assert sum("\u0e00" <= max(t.bytes.decode()) < "\u0e80" for t in unreached("qwen3")) == 1_578
    other = qwen.with_pattern("qwen3_5")
    text = "ที่ 2024"
    assert other.decode(other.encode(text)) == text
    assert len(other.encode(text)) < len(qwen.encode(text))
    assert len(unreachable(other)) < 300
    with pytest.raises(bpe.BPEError, match="no split pattern"):
        bpe.encoding("llama2").with_pattern("gpt2")
    with pytest.raises(bpe.BPEError, match="There is no split pattern"):
        qwen.with_pattern("none of these")


def test_a_byte_that_is_also_a_piece_is_never_taken_as_a_byte():
    found = unreachable(bpe.encoding("llama2"))
    assert {token.why for token in found} == {"twin"}
    assert {len(token.bytes) for token in found} == {1}


def test_pieces_within_words_are_reached():
    corpus = ["hug hug hug pug pun pun bun hugs low lower lowest"] * 3
    for recipe in (
        bpe.Recipe(algorithm="character-bpe", merges=9),
        bpe.Recipe(algorithm="wordpiece", vocabulary_size=40),
    ):
        encoder = bpe.train(corpus, recipe)
        ids = range(encoder.vocabulary_size)
        assert any(encoder.encode(encoder.decode([token])) != [token] for token in ids)
        assert unreachable(encoder) == ()


@settings(max_examples=50, deadline=None)
@given(
    texts=st.lists(st.text("aab 中文\n'1", min_size=1, max_size=20), min_size=1, max_size=5),
    trained=st.sampled_from(["none", "gpt2", "whitespace"]),
    run=st.sampled_from(["none", "gpt2", "whitespace", "qwen2"]),
)
def test_unreached_are_exactly_the_tokens_whose_text_gives_others(texts, trained, run):
    own = bpe.train(texts, bpe.Recipe(merges=12, pattern=trained))
    encoder = own.with_pattern(run)
    slowly = set()
    for token in range(own.vocabulary_size):
        text = own.token_bytes(token).decode("utf-8", "replace")
        if "\ufffd" not in text and encoder.encode_ordinary(text) != [token]:
            slowly.add(token)
    found = unreachable(encoder)
    assert {token.id for token in found} == slowly
    assert all(encoder.encode_ordinary(t.bytes.decode()) == list(t.becomes) for t in found)
    assert {token.why for token in found} <= {"pattern"}
    if trained == run:
        assert not found  # merges lead to each token from its own bytes


# Every token of a new vocabulary is spelled by the old one, or said to be new.


TEXTS = st.lists(st.text("ab 中文!", min_size=1, max_size=20), min_size=1, max_size=4)


@settings(max_examples=50, deadline=None)
@given(old=TEXTS, new=TEXTS)
def test_the_old_tokens_spell_the_new_ones(old, new):
    before, after = (bpe.train(texts, Recipe(merges=15)) for texts in (old, new))
    vocabulary = set(before.vocabulary)
    mapped = list(transplant(before, after))
    assert [token.id for token in mapped] == list(range(after.vocabulary_size))
    for token in mapped:
        assert b"".join(map(before.token_bytes, token.old)) == token.bytes
        assert (len(token.old) == 1) == (token.bytes in vocabulary)


def test_what_has_no_bytes_to_spell_it_is_new_and_special_tokens_are_left_out():
    recipe = Recipe(algorithm="character-bpe", merges=3, unknown="<unk>", special_tokens=("<unk>",))
    before = bpe.train(["low lower"], recipe)
    after = bpe.train(["low 中"], Recipe(merges=2, special_tokens=("<|end|>",)))
    mapped = {token.bytes: token.old for token in transplant(before, after)}
    assert b"<|end|>" not in mapped
    assert mapped[b"\xe4"] == ()
    assert len(mapped[b"e"]) == 1


def test_the_map_between_two_published_vocabularies_agrees_with_what_they_share():
    old, new = bpe.encoding("qwen3"), bpe.encoding("qwen3_5")
    mapped = list(transplant(old, new))
    shared = sum(len(token.old) == 1 for token in mapped)
    tokens = [set(one.token_table) - set(map(str.encode, one.special_tokens)) for one in (old, new)]
    assert shared == len(tokens[0] & tokens[1])
    assert all(token.old for token in mapped)  # bytes spell all


def test_a_space_put_in_front_of_texts_is_in_no_map():
    mapped = {t.bytes: t.old for t in transplant(bpe.encoding("llama2"), bpe.encoding("gpt2"))}
    assert max(len(mapped[word]) for word in (b"ization", b" unhappy", b" Washington")) <= 3
