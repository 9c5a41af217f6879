"""A vocabulary without its least used tokens."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.errors import BPEError

TEXT = st.text("abc 中文国!", max_size=60)


@settings(max_examples=60, deadline=None)
@given(corpus=TEXT, used=TEXT, text=TEXT, share=st.floats(0, 1))
def test_texts_whose_tokens_stay_have_the_same_ids_renumbered(corpus, used, text, share):
    recipe = bpe.Recipe(merges=25, special_tokens=("<|end|>",))
    old = bpe.train([corpus], recipe)
    counts = Counter(old.encode(used))
    size = 257 + round(share * (old.vocabulary_size - 257))
    pruned, new = bpe.prune(old, counts, size)
    assert pruned.vocabulary_size == len(new) == size
    assert [new[each] for each in sorted(new)] == list(range(size))
    assert all(pruned.token_bytes(new[each]) == old.token_bytes(each) for each in new)
    ids = old.encode(text)
    if set(ids) <= new.keys():
        assert pruned.encode(text) == [new[each] for each in ids]
    assert pruned.decode(pruned.encode(text)) == text
    # A token goes only where none that is used more could have gone: parts of what stays do stay.
    gone = set(range(old.vocabulary_size)) - new.keys()
    parts = {part for merge in old.merges if merge.new_id in new for part in merge[:2]}
    assert not parts & gone


def test_a_catalogue_encoding_keeps_what_a_corpus_uses():
    old = bpe.encoding("cl100k_base")
    text = "Byte pair encoding 从字节到汉字。" * 20
    pruned, new = bpe.prune(old, Counter(old.encode(text)), 2_000)
    assert pruned.vocabulary_size == 2_000
    assert pruned.encode(text) == [new[each] for each in old.encode(text)]
    assert pruned.special_tokens["<|endoftext|>"] == new[old.special_tokens["<|endoftext|>"]]


def test_a_size_without_room_and_what_has_no_merges_are_refused():
    old = bpe.train(["low lower"], bpe.Recipe(merges=3))
    with pytest.raises(BPEError, match="256 to 259 tokens, not to 200"):
        bpe.prune(old, {}, 200)
    unigram = bpe.train(["low lower"] * 3, bpe.Recipe(algorithm="unigram", vocabulary_size=300))
    with pytest.raises(BPEError, match="has no merges"):
        bpe.prune(unigram, {}, 10)
