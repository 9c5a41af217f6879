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
    ("chinese", "english", "problem"),
    [
        ("人工智能", "the intelligence of machines", None),
        ("龘靐齉", "dragon", "not cheaper"),
        ("hello there", "good morning to you", "no Chinese"),
        ("", "good morning", "no Chinese"),
        ("你好", "你好 and many, many words", "no English"),
        ("你好", "123456789", "no English"),
    ],
)
def test_what_is_cheaper_in_chinese(chinese, english, problem):
    zh, en, found = cheaper_in_chinese(bpe.encoding("o200k_base"), chinese, english)
    assert found == problem
    assert problem is not None or zh < en


class TestTiesDiffer:
    def test_one_pair_leaves_no_choice(self):
        assert ties_differ("ab ab") == (None, [["ab", "·ab"]] * 2)

    def test_where_one_rule_makes_more_merges_than_the_other(self):
        assert ties_differ("abab", ("first-seen", "smallest-ids"))[0] is None

    @given(st.text("ab ", max_size=20))
    def test_a_rule_never_differs_from_itself(self, text):
        assert ties_differ(text, ("first-seen", "first-seen"))[0] is None


class TestByHand:
    text = "hug pug hugs bugs"

    def test_the_merges_of_the_machine_are_as_good_as_the_machine(self):
        machine = by_hand(self.text, []).machine_merges
        answer = by_hand(self.text, [merge[:2] for merge in machine])
        assert answer.solved
        assert answer.own == answer.machine

    def test_nothing_done_is_not_enough(self):
        answer = by_hand(self.text, [])
        assert not answer.solved
        assert answer.own == 1.0

    def test_a_pair_that_is_nowhere_changes_nothing(self):
        one, other = (by_hand(self.text, [*more, ("u", "g")]) for more in ([], [("x", "y")]))
        assert one.own == other.own

    def test_a_chinese_character_is_three_bytes(self):
        assert by_hand("看路", [("看", "路")]).own == 6.0

    def test_looking_ahead_can_beat_the_machine(self):
        merges = "a+b a+n ␠+b an+a ␠b+an d+ana an+ana ab+ana ␠+c ␠ban+dana"
        pairs = [tuple(merge.replace("␠", " ").split("+")) for merge in merges.split(" ")]
        answer = by_hand("banana bandana cabana ananas nab ban", pairs)
        assert answer.solved
        assert (answer.own, round(answer.machine, 2)) == (3.0, 2.77)

    def test_the_machine_stops_where_no_pair_is_left(self):
        assert by_hand("ab", [("a", "b")]).machine_merges == (("a", "b", 1),)


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
