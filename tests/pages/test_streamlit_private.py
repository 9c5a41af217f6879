"""Private names of Streamlit: the pinned release has all, and none is needed to go on."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from playground.ui import memory, streamlit_private

ROOT = Path(__file__).parents[2]
PRIVATE = re.compile(r"streamlit\.(runtime|web|config|proto|git_util|components\.v2\.)|st\.runtime")

MODULES = (
    *("runtime.scriptrunner", "runtime.scriptrunner_utils.script_run_context"),
    *("runtime.state.session_state", "runtime.pages_manager", "runtime.app_session"),
    "runtime.memory_uploaded_file_manager",
)
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
    names = ("let_callbacks_finish", "ignore_forged_values", "_report")
    cached = [getattr(streamlit_private, name) for name in names]
    for each in cached:
        each.cache_clear()
    yield
    for each in cached:
        each.cache_clear()


def test_no_other_file_uses_any():
    files = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(ROOT / "playground").rglob("*.py")]
    using = {file.name for file in files if PRIVATE.search(file.read_text("utf-8"))}
    assert using == {"streamlit_private.py"}


@pytest.mark.parametrize("name", FALLBACKS)
def test_in_another_release_a_function_is_less_exact_and_the_log_says_so(name, monkeypatch, caplog):
    arguments, otherwise = FALLBACKS[name]
    function = getattr(streamlit_private, name)
    for module in MODULES:
        monkeypatch.setitem(sys.modules, f"streamlit.{module}", ModuleType(module))
    monkeypatch.setattr(st, "runtime", ModuleType("runtime"))
    assert function(*arguments) == otherwise
    assert "Streamlit" in caplog.text


@pytest.mark.parametrize("page", ["train", "compare", "cost", "learn"])
def test_without_any_of_them_every_page_opens(page, monkeypatch, open_page, caplog):
    open_page("learn")
    assert "is another" not in caplog.text  # the pinned release has them all
    for name, (_arguments, otherwise) in FALLBACKS.items():
        monkeypatch.setattr(streamlit_private, name, lambda *_arguments, it=otherwise: it)
    app = open_page(page)
    assert not app.exception
    assert len(app.main) > 0


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
