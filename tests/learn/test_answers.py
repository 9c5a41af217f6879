"""The answers of the course: which of them a link carries, and what of a link is believed."""

import pytest

from playground.learn.lesson import Lesson, Progress
from playground.learn.lessons import sheet

DONE = Progress(
    bets={"bytes.rare": "48", "merge.next": "[1, 2]"},
    puzzles={"bytes.pair": "中不"},
    scores={"merge": (2, 3)},
)


def test_all_answers_come_back():
    assert Progress.of(DONE.answers()) == DONE


def test_a_saved_sheet_is_read_again(monkeypatch):
    monkeypatch.setattr(sheet, "progress", lambda: DONE)
    assert sheet.of_sheet(sheet._markdown([], "河水").encode()) == ("河水", DONE)


@pytest.mark.parametrize(
    "data",
    [b"", b"# BPE Playground", b"\xff\xfe", b'```json\n{"sheet": }\n```', b"```json\n[]\n```"],
)
def test_what_is_no_sheet_is_not_taken_for_one(data):
    assert sheet.of_sheet(data) is None


def test_of_a_sheet_that_was_changed_what_can_be_is_read():
    data = b'```json\r\n{"sheet": 5, "bets": [], "puzzles": {"a.b": "x", "c": 1}}\r\n```\r\n'
    assert sheet.of_sheet(data) == ("5", Progress(puzzles={"a.b": "x"}))


@pytest.mark.parametrize(
    ("lesson", "solved", "answers"),
    [
        ("bytes", 1, {"bets": {"bytes.rare": "48"}, "puzzles": {"bytes.pair": "中不"}}),
        ("merge", 0, {"bets": {"merge.next": "[1, 2]"}, "scores": {"merge": [2, 3]}}),
        ("byte", 0, {}),
    ],
)
def test_a_lesson_has_its_own_answers_alone(lesson, solved, answers):
    assert DONE.answers(lesson) == answers
    assert DONE.solved(Lesson(lesson, print)) == solved


@pytest.mark.parametrize(
    "answers",
    [
        {"scores": {"merge": [3, 2]}},
        {"scores": {"merge": [-1, 2]}},
        {"scores": {"merge": ["2", 3]}},
        {"scores": {"merge": [1, 10**9]}},
        {"bets": {"x": 5}},
        {"puzzles": {"x": None}},
        {"unknown": {"x": "y"}},
    ],
    ids=str,
)
def test_what_no_answer_can_be_is_left_out(answers):
    assert Progress.of(answers) == Progress()


def test_a_long_answer_is_cut():
    assert len(Progress.of({"bets": {"x": "y" * 9_999}}).bets["x"]) == 2_000


@pytest.mark.parametrize(
    ("placed", "numbers"),
    [("[1, 2]", [1, 2]), ("48", None), ("[1, null]", None), ("{", None), (None, None)],
)
def test_numbers_are_read_where_they_were_placed(placed, numbers):
    bets = {} if placed is None else {"merge.next": placed}
    assert Progress(bets).numbers("merge.next") == numbers
