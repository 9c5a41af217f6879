"""A page of the real app, run without a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from playground.ui import memory

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def sessions_are_not_swept() -> Iterator[None]:
    """The servers that AppTest makes keep none whose memory could be freed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "bound", lambda: None)
        yield


@pytest.fixture(autouse=True)
def a_server_that_has_been_visited(monkeypatch):
    """AppTest takes every run for the first of a server, in which pages/ runs without app.py."""
    begin = PagesManager.__init__

    def begin_with_navigation(self, *arguments, **options):
        begin(self, *arguments, **options)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", begin_with_navigation)


@pytest.fixture(autouse=True)
def empty_caches():
    """Both caches outlive a test otherwise."""
    st.cache_data.clear()
    st.cache_resource.clear()


TABLES = ("merge_table", "piece_table", "all_figures")
"""The sections that are drawn once they are opened, and hold a table of what the page says."""


@pytest.fixture
def open_page() -> Callable[..., AppTest]:
    """Open a page (`open_page("compare", lang="zh", sample="law")`) and run it.

    Without a language in the URL the browser speaks `locale`. The tables are opened.
    """

    def run(name: str, locale: str = "en-US", **query: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
        app.context = {"locale": locale}
        for key, value in query.items():
            app.query_params[key] = value
        for section in TABLES:
            app.session_state[section] = True
        app.switch_page(f"pages/{name}.py")
        return app.run()

    return run
