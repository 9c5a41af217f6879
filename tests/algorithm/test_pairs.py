"""Three small functions."""

import pytest

from bpe.algorithm.pairs import best_pair, count_pairs, merge_pair
from bpe.errors import BPEError


def test_overlapping_pairs_all_count():
    assert count_pairs([("aaaa", 2)]) == {("a", "a"): 6}


def test_words_weigh_as_often_as_they_occur():
    assert count_pairs([("ab", 3), ("ba", 1), ("ab", 1)]) == {("a", "b"): 4, ("b", "a"): 1}


@pytest.mark.parametrize(
    ("symbols", "merged"),
    [
        ("aaa", ["X", "a"]),
        ("aaaa", ["X", "X"]),
        ("baab", ["b", "X", "b"]),
        ("a", ["a"]),
        ("", []),
    ],
)
def test_merging_is_greedy_from_the_left(symbols, merged):
    assert merge_pair(symbols, ("a", "a"), "X") == merged


@pytest.mark.parametrize(
    ("tie_break", "best"),
    [("lexicographic", (2, 1)), ("first-seen", (1, 2)), ("smallest-ids", (1, 2))],
)
def test_each_rule_breaks_ties_its_way(tie_break, best):
    assert best_pair({(1, 2): 5, (2, 1): 5, (9, 9): 4}, tie_break) == best


def test_lexicographic_compares_spellings_not_ids():
    spelling = {1: b"z", 2: b"a"}.__getitem__
    assert best_pair({(1, 2): 5, (2, 1): 5}, "lexicographic", spelling=spelling) == (1, 2)


def test_no_pair_and_no_rule_are_errors():
    with pytest.raises(BPEError, match="no pair to choose"):
        best_pair({})
    with pytest.raises(BPEError, match="no tie-break rule “coin”"):
        best_pair({(1, 2): 1}, "coin")
