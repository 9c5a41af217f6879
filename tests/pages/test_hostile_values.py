"""Links and session files whose fields hold JSON of any type: every page is drawn all the same."""

import pytest

from bpe.documents.reader import Document
from fuzz.attack import HOSTILE, VIEWS
from playground.share.codec import State, pack
from playground.share.contents import _INCOMING
from playground.share.session_file import SessionFile
from playground.ui import state

CHOICES = {"view", "section", "lesson", "page"}
PAGES = ("train", "compare", "cost", "learn")


def hostile(fields, start: int) -> dict[str, object]:
    """Give each field another of the values, the first of them that with number ``start``."""
    return {
        key: HOSTILE[(start + number) % len(HOSTILE)]
        for number, key in enumerate(sorted(fields))
        if key not in CHOICES
    }


@pytest.mark.parametrize(("page", "query"), VIEWS, ids=[f"{p} {[*q.values()]}" for p, q in VIEWS])
def test_types_in_the_fields_leave_the_page_whole(open_page, page, query):
    """Each kind of field is in several views, so that together they have each type."""
    app = open_page(page, lang="en", **query)
    known = app.session_state[state._SESSION].defaults
    assert known
    fields = hostile({*known, "lang"}, 0)
    linked = open_page(page, s=pack(State(page, fields)), **query)
    assert not linked.exception, fields
    for start in range(VIEWS.index((page, query)) % 4, len(HOSTILE), 4):
        restore_file(app, State("" if page == "train" else page, hostile({*known, "lang"}, start)))


@pytest.mark.parametrize("page", PAGES)
def test_types_in_place_of_what_a_page_shows_leave_it_whole(open_page, page):
    app = open_page(page, lang="en")
    for value in HOSTILE[PAGES.index(page) :: len(PAGES)]:
        restore_file(app, State("", dict.fromkeys(CHOICES, value)))


def restore_file(app, state: State) -> None:
    upload = ("corpus_files", Document("\x00<b>", ("", "\u202e<b>")))
    app.session_state[_INCOMING.key] = ("digest", state, SessionFile(state, (upload,)))
    app.run()
    assert not app.exception, state


def test_a_session_file_with_another_type_for_the_language_is_used_once(open_page):
    app = open_page("learn", lang="zh")
    state = State("learn", {"lang": ["en"], "lesson": "merge"})
    app.session_state[_INCOMING.key] = ("digest", state, SessionFile(state))
    app.run()
    assert not app.exception
    assert app.session_state["lang"] == "zh"
    assert _INCOMING.key not in app.session_state
