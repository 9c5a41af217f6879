"""Links and session files whose fields hold JSON of any type: every page is drawn all the same."""

import pytest

from fuzz.attack import HOSTILE, VIEWS
from playground.share.codec import State, pack
from playground.share.restore import _INCOMING, Incoming
from playground.share.session_file import SessionFile, Upload
from playground.ui import restorable

CHOICES = {"view", "section", "lesson", "page"}


def hostile(fields, start: int) -> dict[str, object]:
    """Give each field another of the values, the first of them that with number ``start``."""
    return {
        key: HOSTILE[(start + number) % len(HOSTILE)]
        for number, key in enumerate(sorted(fields))
        if key not in CHOICES
    }


@pytest.mark.parametrize(("page", "query"), VIEWS, ids=[f"{p} {[*q.values()]}" for p, q in VIEWS])
def test_any_type_in_any_field_leaves_the_page_whole(open_page, page, query):
    known = open_page(page, lang="en", **query).session_state[restorable._FIELDS].defaults
    assert known
    for start in (0, 5):
        fields = hostile({*known, "lang"}, start)
        app = open_page(page, s=pack(State(page, fields)), **query)
        assert not app.exception, fields
    state = State("" if page == "train" else page, hostile({*known, "lang"}, 8))
    upload = Upload("corpus_files", "\x00<b>", ("", "\u202e<b>"))
    app.session_state[_INCOMING] = Incoming("digest", state, SessionFile(state, (upload,)))
    app.run()
    assert not app.exception, state


def test_a_session_file_with_another_type_for_the_language_is_used_once(open_page):
    app = open_page("learn", lang="zh")
    state = State("learn", {"lang": ["en"], "lesson": "merge"})
    app.session_state[_INCOMING] = Incoming("digest", state, SessionFile(state))
    app.run()
    assert not app.exception
    assert app.session_state["lang"] == "zh"
    assert _INCOMING not in app.session_state
