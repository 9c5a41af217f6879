"""Streamlit's scripts and styles, compressed: three megabytes of a first visit become one.

Streamlit sends them as they are, as it would compress them anew for each visitor. A file has the
digest of its content in its name, so that here each is compressed once, at its first visitor.
"""

import asyncio
import gzip
import mimetypes
import re
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import Response

_NAME = re.compile(r".*/static/((?:css|js)/[\w.-]+\.(?:css|js))")
_HEADERS = {
    "Cache-Control": "public, immutable, max-age=31536000",  # as Streamlit does
    "Content-Encoding": "gzip",
    "Vary": "Accept-Encoding",
}


def compress(folder: Path) -> None:
    """Have this process send the scripts and styles of a folder compressed to whom takes it so."""
    serve: Callable[..., Awaitable[None]] = Starlette.__call__

    async def compressed(app: Starlette, scope: Any, receive: Any, send: Any) -> None:
        name = scope.get("method") == "GET" and _NAME.fullmatch(scope["path"])
        path = folder / name[1] if name else folder
        if path.is_file() and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            data = await asyncio.to_thread(_compressed, path)
            kind = mimetypes.guess_type(path)[0]
            await Response(data, headers=_HEADERS, media_type=kind)(scope, receive, send)
        else:
            await serve(app, scope, receive, send)

    setattr(Starlette, "__call__", compressed)  # noqa: B010 - not assignable to mypy


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6)
