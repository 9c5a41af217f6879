"""Unigram: how likely a cut is, and the likeliest of all."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm.unigram import Cut, all_cuts, best_cuts, score, share

# Pieces of a corpus with hug 10, pug 5, pun 12, bun 4, hugs 5 times: each count of 210 in all.
COUNTS = {
    "h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16,
    "un": 16, "b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5,
}  # fmt: skip
SCORES = {piece: math.log(count / 210) for piece, count in COUNTS.items()}


def test_two_pieces_are_likelier_than_three():
    assert math.exp(score(("p", "u", "g"), SCORES)) == pytest.approx(
        5 / 210 * 36 / 210 * 20 / 210 * 17 / 5
    )
    assert math.exp(score(("pu", "g"), SCORES)) == pytest.approx(17 * 20 / 210**2)


def test_pug_is_cut_in_two_equally_likely_ways():
    cuts = all_cuts("pug", SCORES)
    assert [cut.pieces for cut in cuts] == [("p", "ug"), ("pu", "g"), ("p", "u", "g")]
    assert cuts[0].score == pytest.approx(cuts[1].score)


def test_unhug():
    (best,) = best_cuts("unhug", SCORES)
    assert best.pieces == ("un", "hug")
    assert math.exp(best.score) == pytest.approx(16 * 15 / 210**2)


def test_what_no_piece_holds_has_no_cut():
    assert best_cuts("xu", SCORES) == all_cuts("xu", SCORES) == []
    assert share(Cut(("x",), -1.0), "x", SCORES) == 0.0


def test_the_empty_text_is_cut_into_nothing():
    assert best_cuts("", SCORES) == [Cut((), 0.0)]


vocabularies = st.dictionaries(
    st.text("ab", min_size=1, max_size=3), st.integers(-9, -1).map(float), max_size=8
)


@given(text=st.text("ab", max_size=9), scores=vocabularies, number=st.integers(1, 4))
def test_the_best_cuts_are_the_first_of_all(text, scores, number):
    assert best_cuts(text, scores, number) == all_cuts(text, scores)[:number]


@given(text=st.text("ab", min_size=1, max_size=8), scores=vocabularies)
def test_the_shares_of_all_cuts_are_one_in_sum(text, scores):
    shares = [share(cut, text, scores) for cut in all_cuts(text, scores)]
    assert sum(shares) == pytest.approx(1 if shares else 0)
