"""The definition on one screen; the figures of lectures are held to it in ``test_lessons``."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm import basic
from bpe.algorithm.basic import best_pair, count_pairs, merge_pair
from bpe.algorithm.recipe import TIE_BREAKS

small_words = st.dictionaries(st.binary(max_size=8), st.integers(1, 4), max_size=6)


def of_bytes() -> list[bytes]:
    return [bytes([byte]) for byte in range(256)]


def test_it_fits_on_one_screen_and_needs_nothing_else_of_the_package():
    source = Path(basic.__file__).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 90
    assert "import bpe" not in source
    assert "from bpe" not in source


def test_overlapping_pairs_all_count():
    assert count_pairs([("aaaa", 2)]) == {("a", "a"): 6}


def test_words_weigh_as_often_as_they_occur():
    assert count_pairs([("ab", 3), ("ba", 1), ("ab", 1)]) == {("a", "b"): 4, ("b", "a"): 1}


@pytest.mark.parametrize(
    ("symbols", "merged"),
    [("aaa", ["X", "a"]), ("aaaa", ["X", "X"]), ("baab", ["b", "X", "b"]), ("a", ["a"]), ("", [])],
)
def test_merging_is_greedy_from_the_left(symbols, merged):
    assert merge_pair(symbols, ("a", "a"), "X") == merged


@pytest.mark.parametrize(
    ("tie_break", "best"),
    [
        ("lexicographic", (2, 1)),
        ("first-seen", (3, 0)),
        ("smallest-ids", (1, 2)),
        ("huggingface", (1, 2)),
    ],
)
def test_each_rule_breaks_ties_its_way(tie_break, best):
    counts = {(3, 0): 5, (1, 2): 5, (2, 1): 5, (9, 9): 4}
    assert best_pair(counts, tie_break, {3: "a", 1: "b", 2: "c", 0: "d"}.get) == best


def test_training_ends_where_no_pair_is_left():
    vocabulary = of_bytes()
    assert list(basic.train({b"ab": 2, b"": 1}, vocabulary, 300)) == [(97, 98, 256, 2)]
    assert list(basic.train({}, vocabulary, 300)) == []


@given(words=small_words, tie_break=st.sampled_from(TIE_BREAKS), text=st.binary(max_size=12))
def test_encoding_is_running_through_the_list_of_merges(words, tie_break, text):
    vocabulary = of_bytes()
    merges = {merge[:2]: merge[2] for merge in basic.train(words, vocabulary, 280, tie_break)}
    symbols = list(text)
    for pair, new in merges.items():
        symbols = merge_pair(symbols, pair, new)
    assert basic.encode(text, merges) == symbols
    assert basic.decode(symbols, vocabulary) == text.decode("utf-8", "replace")
