"""Puzzles: right answers, wrong ones, and what is said of each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.errors import BPEError
from bpe.teaching.puzzles import by_hand, cheaper_in_chinese, one_token, ties_differ


class TestOneToken:
    def test_the_word_twice_is_enough_where_pairs_must_occur_twice(self):
        answer = one_token("人工智能人工智能")
        assert answer.solved
        assert answer.tokens == ("人工智能",)
        assert (answer.characters, answer.merges) == (8, 11)

    def test_once_is_not(self):
        answer = one_token("人工智能")
        assert not answer.solved
        assert len(answer.tokens) == 12
        assert answer.merges == 0

    def test_any_word(self):
        assert one_token("low low", "low").tokens == ("low",)


class TestCheaperInChinese:
    encoder = bpe.encoding("o200k_base")

    def test_a_cheaper_one(self):
        answer = cheaper_in_chinese(self.encoder, "人工智能", "the intelligence of machines")
        assert (answer.solved, answer.problem) == (True, None)
        assert answer.chinese_tokens < answer.english_tokens

    @pytest.mark.parametrize(
        ("chinese", "english", "problem"),
        [
            ("龘靐齉", "dragon", "not cheaper"),
            ("hello there", "good morning to you", "no Chinese"),
            ("", "good morning", "no Chinese"),
            ("你好", "你好 and many, many words", "no English"),
            ("你好", "123456789", "no English"),
        ],
    )
    def test_what_is_wrong(self, chinese, english, problem):
        answer = cheaper_in_chinese(self.encoder, chinese, english)
        assert (answer.solved, answer.problem) == (False, problem)


class TestTiesDiffer:
    def test_two_pairs_that_occur_once(self):
        answer = ties_differ("ab cd")
        assert answer.at == 1
        assert answer.merges["lexicographic"][0] == "cd"
        assert answer.merges["first-seen"][0] == "ab"

    def test_one_pair_leaves_no_choice(self):
        answer = ties_differ("ab ab")
        assert not answer.solved
        assert answer.merges["lexicographic"] == answer.merges["first-seen"] == ("ab", "·ab")

    def test_where_one_rule_makes_more_merges_than_the_other(self):
        assert ties_differ("abab", ("first-seen", "smallest-ids")).at is None

    @given(st.text("ab ", max_size=20))
    def test_a_rule_never_differs_from_itself(self, text):
        answer = ties_differ(text, ("first-seen", "first-seen"))
        assert (answer.solved, answer.at) == (False, None)


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


def test_answers_have_limits():
    with pytest.raises(BPEError, match="2,001 characters; the limit is 2,000"):
        one_token("a" * 2_001)
    with pytest.raises(BPEError, match="201 characters; the limit is 200"):
        by_hand("a" * 201, [])
    with pytest.raises(BPEError, match="at most 10 merges, not 11"):
        by_hand("ab", [("a", "b")] * 11)
