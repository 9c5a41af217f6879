"""Which tokens do not come back when their own text is encoded."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.analysis.reach import unreachable

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
    run=st.sampled_from(["none", "gpt2", "whitespace", "qwen2"]),
)
def test_unreached_are_exactly_the_tokens_whose_text_gives_others(texts, run, tmp_path_factory):
    own = bpe.train(texts, bpe.Recipe(merges=12, pattern="none"))
    path = tmp_path_factory.mktemp("reach") / "own.tiktoken"
    bpe.save(own, path, format="tiktoken")
    encoder = bpe.load(path, pattern=run)
    slowly = set()
    for token in range(own.vocabulary_size):
        text = own.token_bytes(token).decode("utf-8", "replace")
        if "\ufffd" not in text and encoder.encode_ordinary(text) != [token]:
            slowly.add(token)
    found = unreachable(encoder)
    assert {token.id for token in found} == slowly
    assert all(encoder.encode_ordinary(t.bytes.decode()) == list(t.becomes) for t in found)
    assert {token.why for token in found} <= {"pattern"}
    if run == "none":
        assert not found  # merges lead to each token from its own bytes
