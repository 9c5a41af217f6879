"""What a pause after an edit does where the browser has not got the page's answer yet."""

import pytest
import streamlit as st

from playground.editor import _Held, _pause


@pytest.mark.parametrize(
    ("revision", "number", "called"),
    [
        (0, 3, 1),  # the pause after the last edit
        (1, 3, 0),  # the page has put another text there since
        (0, 4, 0),  # another edit has come since, and was heard
    ],
)
def test_what_an_edit_changed_on_the_page_is_changed_again(monkeypatch, revision, number, called):
    calls = []
    held = _Held("typed", 100, revision=revision, number=number)
    edit = {"text": "typed", "number": 3, "revision": 0}
    state = {"a held": held, "a editor": {"edit": edit, "settled": 3}}
    monkeypatch.setattr(st, "session_state", state)
    for _ in range(2):  # the second time it is no news
        _pause("a", lambda: calls.append(1))
    assert len(calls) == called
    assert held.paused
