"""The search at random: what it prints can be pinned, and its checks run."""

from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz import many
from fuzz.__main__ import SUBJECTS, checks_of, failure, search

CHECKS = {
    name: check
    for subject in SUBJECTS
    for name, check in checks_of(import_module(f"fuzz.{subject}")).items()
}


EXAMPLES = {
    "scanners": 400, "learners": 200, "damaged_files": 200, "decoding": 60, "trained": 60,
    "encoders.bytes_are_the_text": 300, "encoders.counting_in_steps": 300,
    "own.wordpiece_learners": 200, "own.parity_learners": 300,
}  # fmt: skip
"""Of a check, or of each of a subject; 3 where one goes through tokenizers of every kind."""


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_runs_and_finds_nothing(name, monkeypatch):
    monkeypatch.setattr(many, "AT_ONCE", 20)
    examples = EXAMPLES.get(name) or EXAMPLES.get(name.partition(".")[0], 3)
    assert failure(settings(max_examples=examples)(CHECKS[name]), 1) is None


@given(text=st.text(), number=st.integers(0, 9))
def never_a_seven(text, number):
    assert number != 7, "a seven"


@given(number=st.integers())
def fine(number):
    assert number == number


def test_what_fails_is_printed_as_an_example():
    found = failure(never_a_seven, 1)
    assert found.startswith("@example(")
    assert "number=7" in found
    assert "AssertionError: a seven" in found


def test_a_check_that_failed_is_left_out(capsys):
    looks = iter([True] * 6)
    checks = {"a.sevens": never_a_seven, "a.fine": fine}
    assert search(checks, 5, lambda: next(looks, False)) == (3, 1)
    printed = capsys.readouterr().out
    assert printed.count("@example(") == 1
    assert "a.sevens (seed 5):" in printed
