"""What is written of the lessons: cards at the steps of a picture, questions with their options."""

import re

import pytest

from playground.learn import content
from playground.learn.lessons import LESSONS
from tests.each import each


@pytest.mark.parametrize(
    ("last", "steps"),
    [(None, [0, 0, 1, 3, None]), (2, [0, 0, 1, 2, None]), (0, [0, 0, 0, 0, None])],
)
def test_no_card_is_shown_after_the_last_step_of_its_picture(last, steps):
    assert [card.step for card in content.cards("merge", last=last, when="bytes")] == steps


def test_a_negative_step_is_counted_from_the_last_and_a_card_is_shown_for_its_unit_alone():
    assert [card.step for card in content.cards("pretokens", last=21)] == [21, 0, 20, 21, 21, 20]
    for unit in ("characters", "bytes"):
        assert f"row of {unit}" in content.cards("merge", when=unit)[0].text


def test_options_keep_the_order_of_those_that_are_the_same_in_every_language():
    question, options = content.bet("why.bridge", {"words": "900", "text": "南京"})
    assert "900 words" in question
    assert list(options) == ["two", "seven", "unknown"]


@each(LESSONS, name=lambda lesson: lesson.code)
def test_every_lesson_says_what_it_is_how_long_it_takes_and_asks_a_puzzle(lesson):
    written = content.of(lesson.code)
    assert all([written["title"], written["intro"], written["minutes"] > 0])
    assert all(asked["question"] for asked in written["puzzles"].values())


def test_a_token_in_a_sentence_shows_its_space_as_the_pictures_do():
    quoted = re.findall("`([^`]*)`", "".join(content.messages()))
    assert quoted
    assert not [text for text in quoted if text != text.strip()]
