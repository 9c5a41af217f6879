"""Private names of Streamlit: all are there in the pinned release, and none is needed to go on."""

import ast
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from playground import navigation
from playground.ui import memory, streamlit_private

ROOT = Path(__file__).parents[2]
PRIVATE = re.compile(r"streamlit\.(runtime|web|config|proto|git_util|components\.v2\.)|st\.runtime")

FALLBACKS = {
    "context": ((), None),
    "let_callbacks_finish": ((), None),
    "stop_exception": ((), ()),
    "after_back": ((), False),
    "changed_widgets": ((), ()),
    "run_whole_page_if_others_changed": ((), None),
    "ignore_forged_values": ((), None),
    "is_first_run_of_server": ((), False),
    "intended_page": ((), ""),
    "intend_first_page": ((), None),
    "is_server": ((), False),
    "drop_ended_sessions": ((lambda: False,), None),
    "trim_messages": ((), None),
    "bound_uploads": ((memory.uploads, 1), None),
    "compress_scripts": ((), None),
    "release_upload": (("id",), None),
}


@pytest.fixture(autouse=True)
def what_fell_back_is_mended_later():
    yield
    streamlit_private.let_callbacks_finish.cache_clear()
    streamlit_private.ignore_forged_values.cache_clear()


def test_the_pinned_release_has_all_of_them():
    assert [name for name in streamlit_private.NEEDED if not streamlit_private.exists(name)] == []


def test_no_other_file_uses_any():
    files = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "playground").rglob("*.py")]
    using = {file.name for file in files if PRIVATE.search(file.read_text("utf-8"))}
    assert using == {"streamlit_private.py"}


def test_each_function_that_needs_some_has_a_fallback():
    code = ast.parse(Path(streamlit_private.__file__).read_text("utf-8"))
    guarded = [
        node.name
        for node in code.body
        if isinstance(node, ast.FunctionDef)
        and "needs(" in "".join(map(ast.unparse, node.decorator_list))
    ]
    assert guarded == list(FALLBACKS)


@pytest.mark.parametrize("missing", streamlit_private.NEEDED)
def test_without_one_of_them_something_is_less_exact(missing, monkeypatch):
    real = streamlit_private.exists
    monkeypatch.setattr(streamlit_private, "exists", lambda name: name != missing and real(name))
    changed = set()
    for name, (arguments, otherwise) in FALLBACKS.items():
        function = getattr(streamlit_private, name)
        if hasattr(function, "cache_clear"):
            function = function.__wrapped__
        if missing in streamlit_private.NEEDS[name]:
            assert function(*arguments) == otherwise
            changed.add(name)
    assert changed


@pytest.mark.parametrize("page", ["train", "compare", "cost", "learn"])
def test_without_any_of_them_every_page_opens(page, monkeypatch, open_page):
    monkeypatch.setattr(streamlit_private, "exists", lambda _name: False)
    app = open_page(page)
    assert not app.exception
    assert len(app.main) > 0


def test_options_that_a_release_does_not_know_are_ignored(monkeypatch):
    asked = []

    def older(label, *, key=None):
        asked.append((label, key))

    monkeypatch.setattr(st, "text_input", older)
    monkeypatch.setattr(st.delta_generator.DeltaGenerator, "text_input", older)
    streamlit_private.accept_young_options()
    st.text_input("Name", key="name", live=True)
    assert asked == [("Name", "name")]


def test_a_page_that_is_opened_first_has_older_releases_mended_before_it_uses_them(monkeypatch):
    called = []
    monkeypatch.setattr(memory, "start", partial(called.append, "start"))
    monkeypatch.setattr(st, "navigation", lambda *_pages, **_how: called.append("navigation"))
    monkeypatch.setattr(st, "rerun", partial(called.append, "rerun"))
    navigation.through_app()
    assert called == ["start", "navigation", "rerun"]
    older = SimpleNamespace(title="Compare")  # drops the option ``help``
    assert navigation.question(older) == "Compare"  # type: ignore[arg-type]


def interrupted() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from playground.ui import streamlit_private

    streamlit_private.let_callbacks_finish()

    def clicked() -> None:
        get_script_run_ctx().script_requests.request_rerun(RerunData())
        st.session_state["steps"] = ["first"]
        st.session_state["steps"].append("second")

    st.button("Click", on_click=clicked)
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1


def test_a_click_is_taken_whole_though_the_next_one_is_there_already():
    app = AppTest.from_function(interrupted, default_timeout=600).run()
    app.button[0].click().run()
    assert app.session_state["steps"] == ["first", "second"]
    assert app.session_state["runs"] == 2


def failing() -> None:
    import streamlit as st

    from bpe.errors import BPEError
    from playground.ui import streamlit_private

    errors = {
        "Memory": BPEError("It needs 9 MB."),
        "Threads": RuntimeError("can't start new thread"),
    }

    @streamlit_private.fragment
    def part() -> None:
        for name in [name for name in errors if st.button(name)]:
            raise errors[name]
        st.write("drawn")

    part()


def test_what_a_part_of_a_page_cannot_draw_is_a_sentence_in_its_place():
    app = AppTest.from_function(failing, default_timeout=600).run()
    for button, sentence in (("Memory", "It needs 9 MB."), ("Threads", "is too busy")):
        (pressed,) = (each for each in app.button if each.label == button)
        pressed.click().run()
        assert not app.exception
        assert sentence in app.error[0].value
    app.run()
    assert (len(app.error), app.markdown[0].value) == (0, "drawn")
