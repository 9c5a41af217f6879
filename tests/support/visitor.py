"""A visitor without a browser: a websocket that speaks Streamlit's protocol.

It opens a page, sees the widgets that are sent, clicks, types and uploads, as the frontend would,
and knows when the answer is complete. Fifty of them cost less than one browser.
"""

import json
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect

from bpe.encoders import catalog
from tests.support.browser import Server

LARGEST = 256 * 2**20
"""Bytes of a message, and of what is uploaded."""

_XSRF = "_streamlit_xsrf"


@dataclass
class Visitor:
    """One session. ``page`` is the page's name in the URL, ``query`` what follows the ``?``."""

    url: str
    page: str = ""
    query: str = ""
    timeout: float = 120.0
    """Seconds to wait for each message."""
    session: str = ""
    elements: dict[tuple[int, ...], Any] = field(default_factory=dict)
    """What is on the page, by its place."""
    exceptions: list[str] = field(default_factory=list)
    """What the server has said went wrong."""
    _drawn: set[tuple[int, ...]] = field(default_factory=set)
    """The places drawn by the run under way; what else there was is gone when it is over."""
    _fragments: dict[str, str] = field(default_factory=dict)
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _hash: str = ""
    _edits: int = 1
    _known: dict[str, ForwardMsg] = field(default_factory=dict)
    _open: ExitStack = field(default_factory=ExitStack)
    _socket: ClientConnection | None = None

    def __enter__(self) -> "Visitor":
        self.connect()
        self.rerun()
        return self

    def connect(self) -> None:
        """Open the tab, without asking for the page."""
        address = f"ws://{urlsplit(self.url).netloc}/_stcore/stream"
        self._socket = self._open.enter_context(
            connect(address, subprotocols=["streamlit"], max_size=LARGEST)  # type: ignore[list-item]
        )

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the tab."""
        self._open.close()

    # What is on the page

    def widgets(self, kind: str) -> Iterator[Any]:
        """Yield the widgets of a kind (the name of its message) in the order of their places."""
        for _place, element in sorted(self.elements.items()):
            if element.WhichOneof("type") == kind:
                yield getattr(element, kind)

    def ids(self, kind: str) -> list[str]:
        return [widget.id for widget in self.widgets(kind)]

    def widget(self, kind: str, key: str) -> Any:
        """Return the widget with that key."""
        for found in self.widgets(kind):
            if found.id.endswith(f"-{key}"):
                return found
        raise LookupError(f"no {kind} with the key {key}: {[w.id for w in self.widgets(kind)]}")

    def text(self) -> str:
        """Return all that is written on the page and in its components."""
        return "\n".join(str(element) for _place, element in sorted(self.elements.items()))

    # What a visitor does

    def labels(self, key: str) -> list[str]:
        """Return what the buttons of a row of buttons say."""
        return [option.content for option in self.widget("button_group", key).options]

    def write(self, key: str, text: str) -> None:
        """Type into an editor of the app (:mod:`playground.editor`)."""
        box = self.widget("bidi_component", f"{key} editor")
        edit = {"text": text, "revision": json.loads(box.json)["revision"], "number": self._edits}
        self._edits += 1
        self.set(WidgetState(id=box.id, json_value=json.dumps({"edit": edit})))

    def press(self, identity: str) -> None:
        """Click the button with that id."""
        fragment = self._fragments.get(identity, "")
        self.rerun(fragment, pressed=WidgetState(id=identity, trigger_value=True))

    def open(self, key: str) -> None:
        """Open the popover with that key."""
        popover = next(each for each in self._fragments if each.endswith(f"-{key}"))
        self.set(WidgetState(id=popover, bool_value=True))

    def set(self, state: WidgetState, *, wait: bool = True) -> None:
        """Change a widget, and wait for the answer unless that is not wanted."""
        self._states[state.id] = state
        self.rerun(self._fragments.get(state.id, ""), wait=wait)

    def upload(self, key: str, name: str, data: bytes, *, wait: bool = True) -> None:
        """Upload a file and wait until the page has dealt with it."""
        uploader = self.widget("file_uploader", key)
        urls = self.upload_urls(name)[0]
        self.put(urls.upload_url, name, data)
        state = WidgetState(id=uploader.id)
        file = state.file_uploader_state_value.uploaded_file_info.add()
        file.name, file.size, file.file_id = name, len(data), urls.file_id
        file.file_urls.CopyFrom(urls)
        self.set(state, wait=wait)

    def upload_urls(self, *names: str) -> Any:
        """Ask under which addresses files may be uploaded."""
        ask = BackMsg()
        ask.file_urls_request.request_id = "file"
        ask.file_urls_request.file_names.extend(names)
        ask.file_urls_request.session_id = self.session
        self.send(ask)
        while (message := self._receive()).WhichOneof("type") != "file_urls_response":
            self._take(message)
        return message.file_urls_response.file_urls

    def put(self, address: str, name: str, data: bytes) -> None:
        """Send a file to one of these addresses, which no page has read then."""
        with urllib.request.urlopen(f"{self.url}/_stcore/health") as answer:
            cookie = answer.headers.get("Set-Cookie", "").split(";")[0]
        token = cookie.removeprefix(f"{_XSRF}=")
        body = (
            b'--border\r\nContent-Disposition: form-data; name="file"; filename="'
            + name.encode()
            + b'"\r\nContent-Type: text/plain\r\n\r\n'
            + data
            + b"\r\n--border--\r\n"
        )
        put = urllib.request.Request(f"{self.url}{address}", body, method="PUT")
        put.add_header("Content-Type", "multipart/form-data; boundary=border")
        put.add_header("Cookie", cookie)
        put.add_header("X-Xsrftoken", token)
        urllib.request.urlopen(put).close()

    def rerun(
        self, fragment: str = "", *, wait: bool = True, pressed: WidgetState | None = None
    ) -> None:
        """Have the page drawn again with all that was chosen."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self.query
        state.page_script_hash = self._hash
        state.page_name = "" if self._hash else self.page
        state.fragment_id = fragment
        state.widget_states.widgets.extend(self._states.values())
        if pressed is not None:
            state.widget_states.widgets.append(pressed)
        state.cached_message_hashes.extend(self._known)
        state.context_info.url = f"{self.url}/{self.page}"
        self.send(message)
        if wait:
            self.wait()

    def wait(self) -> None:
        """Wait until the run of the page is over."""
        while not self.step():
            pass

    def step(self) -> bool:
        """Take one message; return whether the run of the page is over with it."""
        message = self._receive()
        self._take(message)
        if message.WhichOneof("type") != "script_finished":
            return False
        return message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def send(self, message: BackMsg) -> None:
        assert self._socket is not None
        self._socket.send(message.SerializeToString())

    def _receive(self) -> ForwardMsg:
        assert self._socket is not None
        message = ForwardMsg()
        message.ParseFromString(self._socket.recv(timeout=self.timeout))  # type: ignore[arg-type]
        return message

    def _take(self, message: ForwardMsg) -> None:
        """Do what a message says."""
        match message.WhichOneof("type"):
            case "new_session":
                self._drawn = set()
                if message.new_session.initialize.session_id:
                    self.session = message.new_session.initialize.session_id
            case "navigation":
                self._hash = message.navigation.page_script_hash
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    self.elements = {place: self.elements[place] for place in self._drawn}
            case "ref_hash":
                stored = ForwardMsg()
                stored.CopyFrom(self._known[message.ref_hash])
                stored.metadata.CopyFrom(message.metadata)
                self._draw(stored)
            case "delta":
                if message.metadata.cacheable and message.hash:
                    self._known[message.hash] = message
                self._draw(message)

    def _draw(self, message: ForwardMsg) -> None:
        place = tuple(message.metadata.delta_path)
        if message.delta.WhichOneof("type") == "add_block":
            if popover := message.delta.add_block.popover.id:
                self._fragments[popover] = message.delta.fragment_id
            return
        element = message.delta.new_element
        self.elements[place] = element
        self._drawn.add(place)
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.exceptions.append(element.exception.message)
        identity = getattr(getattr(element, kind, None), "id", "") if kind else ""
        if identity:
            self._fragments[identity] = message.delta.fragment_id


PAGES = {
    "Train": ("", ""),
    "Compare": ("compare", ""),
    "Compare, languages": ("compare", "view=languages"),
    "Cost": ("cost", ""),
    "Learn": ("learn", ""),
}


def wait_for_children(server: Server) -> None:
    """Wait until the server has no process of its own at work."""
    threads = Path(f"/proc/{server.process}/task")
    while any((thread / "children").read_text().strip() for thread in threads.iterdir()):
        time.sleep(1)


def visits(server: Server) -> Iterator[str]:
    """Visit each page, all tokenizers and each vocabulary; yield what was visited."""
    for name, (page, query) in PAGES.items():
        with Visitor(server.url, page, f"lang=en&{query}"):
            pass
        if name == "Train":
            time.sleep(10)  # the kernels are loaded in the background,
            wait_for_children(server)  # or compiled by a process of its own
        yield name
    names = [entry.name for entry in catalog.encodings()]
    chosen = "".join(f"&tokenizers={name}" for name in names)
    with Visitor(server.url, "compare", f"lang=en{chosen}"):
        pass
    yield "all tokenizers beside each other"
    for name in names:
        view = f"view=vocabulary&tokenizers={name}&vocabulary={name}"
        with Visitor(server.url, "compare", f"lang=en&{view}"):
            pass
    yield "each vocabulary"
