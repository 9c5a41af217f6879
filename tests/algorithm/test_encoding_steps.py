"""Encoding, step by step: by rank, in the order of the list, and by the longest match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.algorithm import basic
from bpe.algorithm.encoding_steps import (
    by_rank,
    in_list_order,
    longest_match,
    ranks_of,
    single_bytes,
    token_ranks,
)


def test_list_order_makes_a_merge_everywhere_at_once():
    (step,) = in_list_order([*"aaaaba"], [("a", "a")])
    assert step.places == (0, 2)
    assert step.after == ("aa", "aa", "b", "a")


def test_the_longest_match_finds_other_tokens_than_the_merges():
    merges = [("a", "b"), ("b", "c"), ("bc", "d")]
    vocabulary = {*"abcd", "ab", "bc", "bcd"}
    assert [step.token for step in longest_match("abcd", vocabulary)] == ["ab", "c", "d"]
    assert list(by_rank([*"abcd"], ranks_of(merges)))[-1].after == ("ab", "c", "d")
    assert list(by_rank([*"abcd"], ranks_of(merges[1:])))[-1].after == ("a", "bcd")
    assert [step.token for step in longest_match("abcd", vocabulary - {"ab"})] == ["a", "bcd"]


def test_the_longest_match_says_what_it_tried_and_passes_over_what_nothing_fits():
    steps = list(longest_match("low!", {"l", "lo", "w"}))
    assert [(step.start, step.tried, step.token) for step in steps] == [
        (0, (), "lo"),
        (2, ("w!",), "w"),
        (3, ("!",), None),
    ]


words = st.dictionaries(st.text("abc", min_size=1, max_size=9), st.integers(1, 3), max_size=5)


@given(words=words, word=st.text("abc", max_size=12))
def test_by_rank_and_in_list_order_end_in_the_symbols_of_the_definition(words, word):
    vocabulary = [bytes([byte]) for byte in range(256)]
    counts = {text.encode(): count for text, count in words.items()}
    learned = list(basic.train(counts, vocabulary, 300))
    ids = basic.encode(word.encode(), {merge[:2]: merge[2] for merge in learned})
    merges = [(vocabulary[left], vocabulary[right]) for left, right, *_ in learned]
    start = single_bytes(word)
    for steps in (list(by_rank(start, ranks_of(merges))), list(in_list_order(start, merges))):
        assert list(steps[-1].after if steps else start) == [vocabulary[number] for number in ids]


@pytest.mark.parametrize("text", ["人工智能", " tokenization", "aaaaaaa", "é"])
def test_a_production_tokenizer_by_the_ranks_of_its_tokens(text):
    encoder = bpe.encoding("o200k_base")
    steps = list(by_rank(single_bytes(text), token_ranks(encoder.ranks)))
    assert list(steps[-1].after) == [encoder.token_bytes(number) for number in encoder.encode(text)]
