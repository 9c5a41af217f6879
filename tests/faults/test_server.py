"""A server without Numba, without a network, with a full disk or a wrong clock still answers, and
one that was killed begins anew.
"""

import os
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from playground.cost import price_settings
from tests.support.browser import served
from tests.support.visitor import Visitor

ROOT = Path(__file__).parents[2]

PAGES = """
import resource, signal, socket, sys

class Refused(socket.socket):
    def connect(self, address):
        raise OSError(101, "Network is unreachable")

sys.modules["numba"] = None
socket.socket = Refused
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

begin = PagesManager.__init__

def begin_with_navigation(self, *arguments, **options):
    begin(self, *arguments, **options)
    PagesManager.uses_pages_directory = False

PagesManager.__init__ = begin_with_navigation
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

for page in ("train", "compare", "cost", "learn"):
    app = AppTest.from_file(sys.argv[1], default_timeout=600)
    app.query_params["lang"] = "en"
    app.switch_page(f"pages/{page}.py")
    app.run()
    if page == "train":
        app.button_group(key="corpus").set_value("upload").run()
        text = "看路，看天，看路人。\\n".encode("gb18030") * 50
        app.file_uploader[0].set_value(("a.txt", text, "text/plain")).run()
        print([caption.value for caption in app.caption if "read as" in caption.value])
    print(page, [error.message for error in app.exception], [error.value for error in app.error])
"""


def test_the_pages_need_no_numba_no_network_and_no_disk():
    done = subprocess.run(
        [sys.executable, "-c", PAGES, str(ROOT / "app.py")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.stdout.splitlines() == [
        "['a.txt: 550 characters, read as gb18030']",
        "train [] []",
        "compare [] []",
        "cost [] []",
        "learn [] []",
    ], done.stderr[-2000:]


@pytest.fixture
def a_visited_server(monkeypatch):
    """AppTest takes every run for the first of a server, in which pages/ runs without app.py."""
    begin = PagesManager.__init__

    def begin_with_navigation(self, *arguments, **options):
        begin(self, *arguments, **options)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", begin_with_navigation)


@pytest.mark.parametrize("moment", [datetime.min, datetime.max], ids=("1", "9999"))
def test_a_wrong_clock_breaks_nothing(moment, monkeypatch, a_visited_server):
    clock = type("Clock", (), {"now": staticmethod(lambda zone: moment.replace(tzinfo=zone))})
    monkeypatch.setattr(price_settings, "datetime", clock)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
    app.query_params["lang"] = "en"
    app.switch_page("pages/cost.py")
    app.query_params["section"] = "month"
    app.run()
    assert not app.exception
    assert app.segmented_control(key="section").value == "languages"
    assert app.segmented_control(key="every").value == "month"


def test_a_server_that_was_killed_in_a_training_begins_anew():
    text = "\n".join(
        f"第{line}行：看路，看天，看路人。The river {line} is wide." for line in range(200_000)
    )
    with served() as server, Visitor(server.url, query="lang=en&corpus=upload") as visitor:
        visitor.upload("corpus_files", "a.txt", text.encode(), wait=False)
        while not any(visitor.widgets("progress")):
            assert not visitor.step(), "the training was over before it was seen"
        os.kill(server.process, signal.SIGKILL)
    with served() as server, Visitor(server.url, query="lang=en") as visitor:
        assert visitor.exceptions == []
        drawn = [component.id for component in visitor.widgets("bidi_component")]
        assert any(each.endswith("-explorer") for each in drawn)
