"""Every token of a new vocabulary is spelled by the old one, or said to be new."""

from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.algorithm.recipe import Recipe
from bpe.analysis.reach import transplant

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
    tokens = [set(one.get_vocab()) - set(map(str.encode, one.special_tokens)) for one in (old, new)]
    assert shared == len(tokens[0] & tokens[1])
    assert all(token.old for token in mapped)  # bytes spell all


def test_a_space_put_in_front_of_texts_is_in_no_map():
    mapped = {t.bytes: t.old for t in transplant(bpe.encoding("llama2"), bpe.encoding("gpt2"))}
    assert max(len(mapped[word]) for word in (b"ization", b" unhappy", b" Washington")) <= 3
