"""Choices are stored by their code, whatever labels a browser sends."""

import pytest
from streamlit.testing.v1 import AppTest

from playground.ui import memory

STALE = "a label of another language"


def draw() -> None:
    import streamlit as st

    from playground.ui import fields, state

    state.session().choices.update(st.session_state.pop("former", {}))
    st.session_state.update(st.session_state.pop("sent", {}))
    st.session_state["chosen"] = (
        fields.select("One", {"a": "A", "b": "B"}, key="one"),
        fields.select("Own", {"a": "A", "b": "B"}, key="own", in_url=False),
        fields.several("Some", {"a": "A", "b": "B", "c": "C"}, key="some", default=["c"]),
    )


@pytest.fixture
def app() -> AppTest:
    app = AppTest.from_function(draw, default_timeout=600).run()
    app.selectbox(key="one").set_value("b")
    app.selectbox(key="own").set_value("b")
    return app.multiselect(key="some").set_value(["a", "b"]).run()


def test_codes_are_kept_in_the_url_or_for_the_session_alone(app):
    assert app.session_state["chosen"] == ("b", "b", ["a", "b"])
    assert set(app.query_params) == {"one", "some"}


def test_a_label_that_is_no_code_leaves_a_choice_as_it_was(app):
    app.query_params.clear()
    app.session_state["sent"] = {"one": STALE, "own": STALE, "some": ["a", STALE]}
    app.run()
    assert app.session_state["chosen"] == ("b", "b", ["a", "b"])


def test_a_choice_that_is_no_more_falls_back_to_the_default(app):
    app.query_params.clear()
    gone = {"one": "gone", "some": ["gone", "b"]}
    app.session_state["sent"] = app.session_state["former"] = gone
    app.run()
    assert app.session_state["chosen"] == ("a", "b", ["b"])


def test_a_browser_that_draws_a_choice_late_begins_with_what_was_chosen(app):
    app.run()
    default = {each.key: each.proto.default for each in (*app.selectbox, *app.multiselect)}
    assert (default["one"], default["own"], list(default["some"])) == (1, 1, [0, 1])


def test_a_small_host_offers_at_least_a_megabyte(monkeypatch):
    def uploads() -> None:
        from playground.ui.fields import file_uploader

        file_uploader("Sheets", (".md",), key="sheets", most_bytes=2**20)

    monkeypatch.setattr(memory, "uploadable", lambda most: most // 2)
    assert not AppTest.from_function(uploads, default_timeout=600).run().exception
