"""Long work resumes where it was stopped, and stays stopped until the reader says so."""

from streamlit.testing.v1 import AppTest

STOPPED = "stopped work"


def counting_to_three() -> None:
    from collections.abc import Iterator

    import streamlit as st

    from playground.ui import progress

    done = st.session_state.setdefault("done", [])

    def steps() -> Iterator[tuple[float, str]]:
        for number in range(len(done), 3):
            done.append(number)
            yield len(done) / 3, f"{len(done)} of 3"

    progress.run("to three", steps(), stopped="Stopped at one.")


def test_work_is_done_to_its_end_though_other_work_was_stopped():
    app = AppTest.from_function(counting_to_three, default_timeout=600)
    app.session_state[STOPPED] = "to four"
    assert app.run().session_state["done"] == [0, 1, 2]
    assert not app.warning


def test_stopped_work_waits_and_goes_on_where_it_was():
    app = AppTest.from_function(counting_to_three, default_timeout=600)
    app.session_state["done"] = [0]
    app.session_state[STOPPED] = "to three"
    app.run()
    assert app.session_state["done"] == [0]
    assert app.warning[0].value == "Stopped at one."
    app.button[0].click().run()
    assert app.session_state["done"] == [0, 1, 2]
    assert not app.warning
