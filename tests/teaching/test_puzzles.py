"""Puzzles: right answers, wrong ones, and what is said of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.errors import BPEError
from bpe.teaching.puzzles import by_hand, cheaper_in_chinese, one_token, ties_differ


@pytest.mark.parametrize(
    ("corpus", "word", "tokens", "merges"),
    [
        ("人工智能人工智能", "人工智能", 1, 11),  # twice is enough, as pairs must occur twice
        ("人工智能", "人工智能", 12, 0),
        ("low low", "low", 1, 2),
    ],
)
def test_a_word_becomes_one_token_where_it_is_frequent(corpus, word, tokens, merges):
    cut, made = one_token(corpus, word)
    assert (len(cut), made) == (tokens, merges)


@pytest.mark.parametrize(
    ("chinese", "english", "is_cheaper", "are_in_their_scripts"),
    [
        ("人工智能", "the intelligence of machines", True, True),
        ("龘靐齉", "dragon", False, True),
        ("hello there", "good morning to you", True, False),
        ("", "good morning", True, False),
        ("你好", "你好 and many, many words", True, False),
        ("你好", "123456789", True, False),
    ],
)
def test_what_is_cheaper_in_chinese(chinese, english, is_cheaper, are_in_their_scripts):
    zh, en, found = cheaper_in_chinese(bpe.encoding("o200k_base"), chinese, english)
    assert (zh < en, found) == (is_cheaper, are_in_their_scripts)


@given(st.text("ab ", max_size=20))
def test_a_rule_never_differs_from_itself_nor_any_where_one_pair_leaves_no_choice(text):
    assert ties_differ(text, ("first-seen", "first-seen"))[0] is None
    assert ties_differ("ab ab") == (None, [["ab", "·ab"]] * 2)
    assert ties_differ("abab", ("first-seen", "smallest-ids"))[0] is None


HUGS, BANDANA = "hug pug hugs bugs", "banana bandana cabana ananas nab ban"


@pytest.mark.parametrize(
    ("text", "merges", "mine", "machine"),
    [
        (HUGS, "", 1.0, 4.25),  # four words of 17 bytes, each of them one symbol in the end
        (HUGS, "x+y u+g", 17 / 13, 4.25),  # a pair that is nowhere changes nothing
        ("看路", "看+路", 6.0, 6.0),  # a Chinese character is three bytes
        # looking ahead can beat the machine
        (BANDANA, "a+b a+n ␠+b an+a ␠b+an d+ana an+ana ab+ana ␠+c ␠ban+dana", 3.0, 2.77),
    ],
)
def test_merges_by_hand_are_scored_beside_those_of_the_machine(text, merges, mine, machine):
    pairs = [tuple(merge.replace("␠", " ").split("+")) for merge in merges.split(" ") if merge]
    own, score, lengths = by_hand(text, pairs)
    assert (own, round(score, 2)) == (mine, machine)
    assert (lengths[0], len(text.encode()) / lengths[-1]) == (len(text), score)
    assert by_hand("ab", [])[2] == [2, 1]  # it stops where no pair is left


@pytest.mark.parametrize(
    ("check", "error"),
    [
        (lambda: one_token("a" * 2_001), "2,001 characters; the limit is 2,000"),
        (lambda: by_hand("a" * 201, []), "201 characters; the limit is 200"),
        (lambda: by_hand("ab", [("a", "b")] * 11), "at most 10 merges, not 11"),
    ],
)
def test_answers_have_limits(check, error):
    with pytest.raises(BPEError, match=error):
        check()
