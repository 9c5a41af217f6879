"""What a browser may send: uploads within a budget, and messages that no page is without."""

import json
import threading
from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.formparsers import MultiPartParser
from starlette.testclient import TestClient
from streamlit import config, file_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_routes import create_upload_routes
from streamlit.web.server.starlette.starlette_static_routes import (
    create_streamlit_static_assets_routes,
)

from bpe import limits
from playground import editor
from playground.share import contents
from playground.train import corpus_form
from playground.ui import doors, memory, static_files, streamlit_private

MB = 2**20
FILE = b"ab " * (MB // 3)
FRAME = (
    b'--border\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n%b\r\n--border--'
)


class Server:
    """Streamlit's endpoint for uploads, with files of 2 MB, 3 MB a session and 5 in all."""

    def __init__(self) -> None:
        self.manager = MemoryUploadedFileManager("/_stcore/upload_file")
        self.uploads = doors.Uploads(3 * MB, 5 * MB)
        runtime = SimpleNamespace(is_active_session=lambda _session: True)
        self.routes = create_upload_routes(runtime, self.manager, None)  # type: ignore[arg-type]
        self.app = TestClient(Starlette(routes=self.routes))

    def address(self, session: str = "one") -> str:
        return self.manager.get_upload_urls(session, ["a"])[0].upload_url

    def put(self, address: str, data: bytes = FILE, *, chunked: bool = False) -> int:
        body: Any = FRAME % data
        answer = self.app.put(
            address,
            content=iter([body[start : start + 2**16] for start in range(0, len(body), 2**16)])
            if chunked
            else body,
            headers={"Content-Type": "multipart/form-data; boundary=border"},
        )
        return answer.status_code


@pytest.fixture
def server(monkeypatch) -> Iterator[Server]:
    monkeypatch.setattr(limits, "available_memory", lambda: 2**40)
    monkeypatch.setattr(limits, "_granted", {})
    monkeypatch.setattr(doors, "WAIT_SECONDS", 0.0)
    for owner, name in ((Starlette, "__call__"), (MultiPartParser, "spool_max_size")):
        monkeypatch.setattr(owner, name, getattr(owner, name))  # to be restored
    made = Server()
    runtime = SimpleNamespace(uploaded_file_mgr=made.manager)
    monkeypatch.setattr(st.runtime, "exists", lambda: True)
    monkeypatch.setattr(st.runtime, "get_instance", lambda: runtime)
    before = {
        name: config.get_option(f"server.{name}")
        for name in ("maxUploadSize", "enableXsrfProtection")
    }
    config.set_option("server.enableXsrfProtection", value=False)
    streamlit_private.bound_uploads(made.uploads, 2 * MB)
    yield made
    for name, value in before.items():
        config.set_option(f"server.{name}", value)


@pytest.mark.parametrize("chunked", [False, True])
def test_uploads_of_a_session_have_a_budget_until_a_page_has_read_them(
    server, monkeypatch, chunked
):
    monkeypatch.setattr(doors, "_CHUNK", 2**17)
    addresses = [server.address() for _number in range(4)]
    assert [server.put(address, chunked=chunked) for address in addresses] == [204, 204, 413, 413]
    assert server.manager._file_count == 2
    server.manager.remove_file("one", addresses[0].rpartition("/")[2])
    assert server.put(server.address(), chunked=chunked) == 204
    assert server.put(addresses[3]) == 404  # an id is good for one try


def test_nothing_is_read_of_an_upload_that_is_too_large(server, monkeypatch):
    monkeypatch.setattr(MultiPartParser, "parse", lambda _parser: pytest.fail("was read"))
    assert server.put(server.address(), FILE * 4) == 413
    assert server.uploads.under_way() == 0


def test_only_ids_that_the_server_gave_out_are_taken_and_by_their_session(server):
    server.address("other")
    mine = server.address()
    assert server.put("/_stcore/upload_file/one/invented") == 404
    assert server.put(mine.replace("one", "other")) == 404
    assert server.put(mine) == 204


def test_what_no_page_has_read_for_a_minute_makes_room_for_others(server, monkeypatch):
    for session in ("a", "b", "c"):
        assert server.put(server.address(session), FILE + FILE[: MB // 2]) == 204
    assert server.put(server.address("d")) == 413
    monkeypatch.setattr(doors, "IDLE_SECONDS", -1.0)
    assert server.put(server.address("d")) == 204
    assert set(server.manager.file_storage) == {"d"}


def test_where_memory_is_short_nothing_is_taken(server, monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: MB)
    assert server.put(server.address()) == 413
    assert server.put(server.address(), FILE[: MB // 2]) == 204


def test_a_session_that_has_ended_leaves_nothing(server):
    address = server.address()
    assert server.put(server.address()) == 204
    server.manager.remove_session_files("one")
    assert server.put(address) == 404
    known = (server.uploads._bytes, server.uploads._offered, server.uploads._active)
    assert not any(known)


def test_a_full_temporary_folder_ends_no_upload(server, monkeypatch):
    def full(_file: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(SpooledTemporaryFile, "rollover", full)
    assert server.put(server.address(), FILE + FILE[: MB // 2]) == 204


def test_scripts_are_sent_compressed_to_whom_takes_them_so(tmp_path, monkeypatch):
    monkeypatch.setattr(Starlette, "__call__", unwrap(Starlette.__call__))  # as Streamlit has it
    routes = create_streamlit_static_assets_routes(base_url="base")
    app = TestClient(Starlette(routes=routes))
    folder = Path(file_util.get_static_dir())
    script = max((folder / "static/js").iterdir(), key=lambda path: path.stat().st_size)
    address = f"/base/static/js/{script.name}"
    as_they_are = {"Accept-Encoding": "identity"}
    plain = app.get(address, headers=as_they_are)
    page = app.get("/base/").content.replace(b"<body>", b"<body><p>Wait")
    static_files.compress(folder / "static", b"<p>Wait")
    for _ in range(2):
        answer = app.get(address)
        assert answer.content == script.read_bytes() == plain.content
        assert int(answer.headers["content-length"]) < len(plain.content) / 2
        assert answer.headers["cache-control"] == plain.headers["cache-control"]
        assert answer.headers["content-type"] == plain.headers["content-type"]
    as_it_is = app.get(address, headers=as_they_are)
    assert int(as_it_is.headers["content-length"]) == len(plain.content)
    for other in ("/base/static/js/none.js", "/base/static/js/../../index.html", "/base/"):
        answer = app.get(other)
        assert answer.content == page
        assert int(answer.headers["content-length"]) == len(page)
        assert "etag" not in answer.headers  # that of the file, which is another text
    assert app.get("/base/favicon.png").content == (folder / "favicon.png").read_bytes()
    assert app.head("/base/").content == b""


def test_a_browser_empties_no_cache_and_has_no_more_than_a_page(monkeypatch):
    taken: list[BackMsg] = []
    monkeypatch.setattr(AppSession, "handle_backmsg", lambda _session, each: taken.append(each))
    streamlit_private.trim_messages()
    state = ClientState(
        widget_states=WidgetStates(widgets=[WidgetState(id="a")] * (doors.MOST_WIDGETS + 1)),
        cached_message_hashes=[""] * (doors.MOST_HASHES + 1),
    )
    names = BackMsg()
    names.file_urls_request.file_names.extend([""] * (doors.MOST_FILES + 1))
    skills, download = BackMsg(), BackMsg()
    skills.backend_operation_request.install_skills.SetInParent()
    download.backend_operation_request.deferred_file.file_id = "a"
    for message in (
        BackMsg(clear_cache=True),
        skills,
        BackMsg(load_git_info=True),
        BackMsg(rerun_script=state),
        names,
        BackMsg(stop_script=True),
        download,
    ):
        AppSession.handle_backmsg(SimpleNamespace(), message)  # type: ignore[arg-type]
    rerun, files, stop, saved = taken
    assert saved is download
    assert len(rerun.rerun_script.widget_states.widgets) == doors.MOST_WIDGETS
    assert len(rerun.rerun_script.cached_message_hashes) == doors.MOST_HASHES
    assert len(files.file_urls_request.file_names) == doors.MOST_FILES
    assert stop.stop_script


def test_whoever_asks_for_the_server_to_be_started_starts_it_once(monkeypatch):
    started: list[str] = []
    monkeypatch.setattr(memory, "_started", False)
    monkeypatch.setattr(memory.compiled, "warm", lambda: started.append("kernels"))
    monkeypatch.setattr(memory, "bound", lambda: started.append("memory"))
    monkeypatch.setattr(streamlit_private, "at_start", lambda *_args: started.append("doors"))
    threads = [threading.Thread(target=memory.start) for _number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    st.cache_resource.clear()
    memory.start()
    assert started == ["doors", "memory", "kernels"]


@pytest.mark.parametrize(
    "texts",
    [[(editor.LIMIT, True)] * 2, [(corpus_form.MOST_TYPED, False)], [(editor.LIMIT, False)] * 4],
    ids=["both texts of Compare, escaped", "Train", "texts and answers of Cost"],
)
def test_all_that_may_be_typed_on_a_page_is_taken(texts):
    sent: Callable[..., WidgetState] = lambda value, escaped: WidgetState(  # noqa: E731
        id="$$ID-" + "0" * 200, json_value=json.dumps(value, ensure_ascii=escaped)
    )
    widgets = [
        sent({"edit": {"text": "汉" * size, "at": size, "number": 1}}, escaped)
        for size, escaped in texts
    ]
    widgets.append(sent({"stored": "a" * contents._MOST}, True))
    widgets += [WidgetState(id="$$ID-" + "0" * 200, string_value="a" * 100)] * 100
    message = BackMsg(rerun_script=ClientState(widget_states=WidgetStates(widgets=widgets)))
    configured = Path(__file__).parents[2] / ".streamlit" / "config.toml"
    most = int(configured.read_text("utf-8").split("maxWidgetStateSize = ")[1].split()[0])
    assert message.ByteSize() < most * 1_000_000
