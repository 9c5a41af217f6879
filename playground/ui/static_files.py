"""Streamlit's scripts and styles, compressed: three megabytes of a first visit become one.

Streamlit sends them as they are, as it would compress them anew for each visitor. A file has the
digest of its content in its name, so that here each is compressed once, at its first visitor. The
empty page that asks for them gets what one sees until they are there.
"""

import asyncio
import gzip
import mimetypes
import re
from collections.abc import Awaitable, Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import Response

Send = Callable[[dict[str, Any]], Awaitable[None]]

_NAME = re.compile(r".*/static/((?:css|js)/[\w.-]+\.(?:css|js))")
_OTHERS = re.compile(r"/(?:_stcore|media|component)/")
_OF_THE_FILE = {b"content-length", b"etag", b"last-modified"}
_HEADERS = {
    "Cache-Control": "public, immutable, max-age=31536000",  # as Streamlit does
    "Content-Encoding": "gzip",
    "Vary": "Accept-Encoding",
}


def compress(folder: Path, first: bytes) -> None:
    """Have this process send the scripts and styles of a folder compressed to whom takes it so.

    ``first`` is the HTML that an empty page begins with.
    """
    serve: Callable[..., Awaitable[None]] = Starlette.__call__

    @wraps(serve)
    async def compressed(app: Starlette, scope: Any, receive: Any, send: Any) -> None:
        is_asked = scope.get("method") == "GET" and not _OTHERS.search(scope["path"])
        name = is_asked and _NAME.fullmatch(scope["path"])
        path = folder / name[1] if name else folder
        if path.is_file() and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            data = await asyncio.to_thread(_compressed, path)
            kind = mimetypes.guess_type(path)[0]
            await Response(data, headers=_HEADERS, media_type=kind)(scope, receive, send)
        elif is_asked:
            headers = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
            await serve(app, {**scope, "headers": headers}, receive, _beginning(send, first))
        else:
            await serve(app, scope, receive, send)

    setattr(Starlette, "__call__", compressed)  # noqa: B010 - not assignable to mypy


def _beginning(send: Send, first: bytes) -> Send:
    """Return a ``send`` that puts HTML at the beginning of a page, and leaves all else as it is."""
    start: dict[str, Any] = {}
    page = bytearray()

    async def begun(message: dict[str, Any]) -> None:
        is_start = message.get("status") == 200
        if is_start and (b"content-type", b"text/html; charset=utf-8") in message["headers"]:
            start.update(message)
        elif not start:
            await send(message)
        else:
            page.extend(message["body"])
        if page and not message.get("more_body"):
            whole = page.replace(b"<body>", b"<body>" + first, 1)
            headers = [each for each in start["headers"] if each[0] not in _OF_THE_FILE]
            length = (b"content-length", b"%d" % len(whole))
            await send({**start, "headers": [*headers, length]})
            await send({**message, "body": bytes(whole)})

    return begun


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)
