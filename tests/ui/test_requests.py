"""Requests that come quickly: each is answered whole."""

from streamlit.testing.v1 import AppTest


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
