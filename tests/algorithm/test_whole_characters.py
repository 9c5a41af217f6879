"""Tokens of whole characters, or of the beginning of one: every learner makes the same merges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.algorithm import whole_characters
from bpe.algorithm.recipe import TIE_BREAKS_OF_ALL, Recipe
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.training.train import Training
from tests.support.learners import interrupted

words = st.dictionaries(
    st.text("aé中文𠀀", min_size=1, max_size=8).map(str.encode), st.integers(1, 5), max_size=6
)


@settings(max_examples=150, deadline=None)
@given(
    words=words,
    tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
    least=st.integers(1, 3),
    merges=st.none() | st.integers(0, 12),
)
def test_every_learner_makes_the_same_merges(words, tie_break, least, merges):
    recipe = Recipe(tie_break=tie_break, min_frequency=least, merges=merges, whole_characters=True)
    naive = list(Training(words, recipe, learner="naive"))
    assert list(Training(words, recipe, learner="incremental")) == naive
    assert list(Training(words, recipe, learner="compiled")) == naive
    with interrupted():
        assert list(Training(words, recipe, learner="compiled")) == naive


def test_no_token_mixes_characters():
    recipe = Recipe(merges=600, whole_characters=True)
    tokenizer = bpe.train([samples.corpus("zh")], recipe)
    for merge in tokenizer.merges:
        assert not whole_characters.is_mixed(tokenizer.token_bytes(merge.new_id))


def test_without_it_some_do():
    tokenizer = bpe.train([samples.corpus("zh")], Recipe(merges=600))
    tokens = [tokenizer.token_bytes(merge.new_id) for merge in tokenizer.merges]
    assert any(map(whole_characters.is_mixed, tokens))


def test_where_all_characters_are_bytes_nothing_changes():
    texts = [samples.corpus("en").encode("ascii", "ignore").decode()]
    made = bpe.train(texts, Recipe(merges=200, whole_characters=True)).merges
    assert made == bpe.train(texts, Recipe(merges=200)).merges


def test_recipes_without_it_keep_their_names():
    assert "whole_characters" not in Recipe().as_json()
    recipe = Recipe(whole_characters=True)
    assert Recipe.from_json(recipe.as_json()) == recipe
    assert recipe.digest != Recipe().digest
    assert Recipe().digest == "9ac54a0b98949945"


def test_it_is_of_bytes_alone():
    with pytest.raises(BPEError, match=r"choice of byte-level BPE"):
        Recipe(algorithm="character-bpe", whole_characters=True)
    with pytest.raises(BPEError, match=r"cannot be held to whole characters"):
        bpe.train(["a"], Recipe(whole_characters=True), start=bpe.encoding("gpt2"))


def test_the_rule():
    assert whole_characters.joinable(b"a", "é".encode())
    assert whole_characters.joinable(b"\xf0\x9f", b"\x98")
    assert not whole_characters.joinable("é".encode(), b"\xc3")
    assert not whole_characters.joinable(b"\xe4", b"a")
