"""The doors of the server: what a browser may send before a page has looked at it.

Streamlit holds an upload in memory until a page reads it or its session ends, takes one under any
id, and does whatever a message says.
"""

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.responses import PlainTextResponse

from bpe import limits
from bpe.errors import BPEError

MOST_WIDGETS = 5_000
"""Of one message; a page has some hundred."""
MOST_HASHES = 20_000
"""Parts of pages that a browser says that it still has."""
MOST_FILES = 1_000
"""Files that are chosen at once."""
IGNORED = frozenset({"clear_cache", "load_git_info", "set_run_on_save"})
"""Messages for developers: they empty the caches of all visitors, run git, and watch files."""

IDLE_SECONDS = 60.0
"""A page reads an upload within a moment; one that none has read for so long may be evicted."""
STALLED_SECONDS = 30.0
"""An upload of which nothing comes for so long is over."""
WAIT_SECONDS = 20.0
"""How long an upload waits until those of others are read."""
_LOOK_SECONDS = 0.2
_CHUNK = 4 * 2**20
"""Bytes that an upload of unknown length is granted at a time."""
_ROUTE = "/_stcore/upload_file/"
_asking = ThreadPoolExecutor(1, "memory of uploads")
"""One thread, as what it is granted is for all uploads under way."""

Receive = Callable[[], Awaitable[dict[str, Any]]]


def trim(message: Any) -> bool:
    """Shorten a message of a browser where it has more than any page; return whether to take it."""
    kind = message.WhichOneof("type")
    if kind == "rerun_script":
        del message.rerun_script.widget_states.widgets[MOST_WIDGETS:]
        del message.rerun_script.cached_message_hashes[MOST_HASHES:]
    elif kind == "file_urls_request":
        del message.file_urls_request.file_names[MOST_FILES:]
    elif kind == "backend_operation_request":  # the others write files beside the app
        return bool(message.backend_operation_request.WhichOneof("payload") == "deferred_file")
    return kind not in IGNORED


class Uploads:
    """The uploads that no page has read yet: their bytes, of each session and of the server.

    All methods may be called from several threads.
    """

    def __init__(self, of_session: int, of_server: int) -> None:
        self.of_session, self.of_server = of_session, of_server
        self.evict: Callable[[str], object] = self.forget
        """Called with a session to drop all its uploads."""
        self._offered: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._bytes: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """Of each upload of each session: what it has, or will have when it is whole."""
        self._under_way: set[tuple[str, str]] = set()
        self._active: dict[str, float] = {}
        self._lock = threading.RLock()

    def offer(self, session: str, ids: Iterable[str]) -> None:
        """Note the ids under each of which a session may upload one file."""
        with self._lock:
            self._offered[session].update(dict.fromkeys(ids))
            for oldest in list(self._offered[session])[:-MOST_FILES]:
                del self._offered[session][oldest]

    def begin(self, session: str, file: str) -> bool:
        """Begin an upload; return whether the session was offered its id, which is used up."""
        with self._lock:
            if file not in self._offered.get(session, ()):
                return False
            del self._offered[session][file]
            self._bytes[session][file] = 0
            self._under_way.add((session, file))
            return True

    def grant(self, session: str, file: str, size: int) -> bool | None:
        """Let an upload have ``size`` bytes in all; return ``None`` where it has to wait."""
        with self._lock:
            self._active[session] = time.monotonic()
            if (session, file) not in self._under_way:
                return False  # the session has ended
            more = size - self._bytes[session][file]
            if sum(self._bytes[session].values()) + more > self.of_session:
                return False
            if self._held() + more > self.of_server:
                for other in set(self._bytes) - {each for each, _file in self._under_way}:
                    if time.monotonic() - self._active.get(other, 0.0) > IDLE_SECONDS:
                        self.evict(other)
            if self._held() + more > self.of_server:
                return None
            self._bytes[session][file] = size
            return True

    def under_way(self) -> int:
        """Return how many bytes those uploads will have that are under way."""
        with self._lock:
            return sum(self._bytes[session][file] for session, file in self._under_way)

    def whole(self, session: str, file: str, size: int) -> bool:
        """Note that an upload is whole; return whether it had begun."""
        with self._lock:
            if (session, file) not in self._under_way:
                return False
            self._under_way.remove((session, file))
            self._bytes[session][file] = size
            return True

    def end(self, session: str, file: str) -> None:
        """End an upload; one that is not whole is forgotten."""
        with self._lock:
            if (session, file) in self._under_way:
                self.forget(session, file)

    def forget(self, session: str, file: str | None = None) -> None:
        """Forget an upload, or all that is known of a session."""
        with self._lock:
            for each in list(self._bytes.get(session, ())) if file is None else [file]:
                self._under_way.discard((session, each))
                self._bytes[session].pop(each, None)
            if file is None:
                for table in (self._offered, self._bytes, self._active):
                    table.pop(session, None)

    def _held(self) -> int:
        return sum(sum(files.values()) for files in self._bytes.values())


def guard(uploads: Uploads, largest: int) -> None:
    """Answer an upload with 413 before its bytes are in memory where there is no room for them.

    For the whole server; ``largest`` is how many bytes a file may have.
    """
    MultiPartParser.spool_max_size = 2 * largest  # in memory: a temporary folder may be full
    serve: Callable[..., Awaitable[None]] = Starlette.__call__

    @wraps(serve)
    async def guarded(app: Starlette, scope: Any, receive: Receive, send: Any) -> None:
        _before, route, rest = scope.get("path", "").partition(_ROUTE)
        if not route or scope.get("method") != "PUT":
            await serve(app, scope, receive, send)
            return
        session, _slash, file = rest.partition("/")
        if not uploads.begin(session, file):
            error = HTTPException(404, "Nothing is to be uploaded here")
            await _refuse(error, scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"")
        room = int(length) if length.isdigit() else _CHUNK
        grant = partial(_grant, uploads, session, file)
        try:
            await grant(room)
            await serve(app, scope, _counted(receive, grant, room), send)
        except HTTPException as error:
            await _refuse(error, scope, receive, send)
        finally:
            uploads.end(session, file)

    setattr(Starlette, "__call__", guarded)  # noqa: B010 - not assignable to mypy


async def _grant(uploads: Uploads, session: str, file: str, size: int) -> None:
    """Wait until an upload may have so many bytes; raise what answers it where it may not."""
    until = time.monotonic() + WAIT_SECONDS
    while (granted := uploads.grant(session, file, size)) is None and time.monotonic() < until:
        await asyncio.sleep(_LOOK_SECONDS)
    if not granted:
        raise HTTPException(413, "Too many bytes at once")
    loop = asyncio.get_running_loop()
    try:
        await loop.run_in_executor(_asking, limits.require_memory, uploads.under_way())
    except BPEError as error:
        raise HTTPException(413, str(error)) from error


def _counted(receive: Receive, grant: Callable[[int], Awaitable[None]], room: int) -> Receive:
    """Return a ``receive`` that asks for more room where more comes than there is."""
    received = 0

    async def counted() -> dict[str, Any]:
        nonlocal received, room
        try:
            message = await asyncio.wait_for(receive(), STALLED_SECONDS)
        except TimeoutError as error:
            raise HTTPException(408, "Nothing has come for too long") from error
        received += len(message.get("body", b""))
        if received > room:
            room = received + _CHUNK
            await grant(room)
        return message

    return counted


async def _refuse(error: HTTPException, scope: Any, receive: Receive, send: Any) -> None:
    """Answer an upload, of which nothing is kept, once all has come: browsers read no sooner."""
    while (await receive()).get("more_body"):
        pass
    await PlainTextResponse(error.detail, error.status_code)(scope, receive, send)
