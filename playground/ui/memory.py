"""The memory of the server: caches that sessions share, and pages returned to the system.

Two limits hold what sessions share: encoders of the catalogue, and whatever else is made once for
everybody (trainings, vocabularies). What a session has is freed when it ends, for which Streamlit
needs help: it drops a session two minutes after its connection was lost, but only when the next
visitor comes or goes, and the objects of a session refer to each other, so that they are freed by
Python's search for cycles alone, which comes rarely.

The limits are those of a host that gives 1 GB; on another they grow and shrink with what it gives.
"""

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from bpe import compiled, limits, sandbox
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.limits import BoundedCache
from playground.ui import doors, streamlit_private

HOST_BYTES = 2**30
LARGEST_HOST_BYTES = 2560 * 2**20
"""With more than this nothing would be faster, and the machine may be used for other things."""

ENCODINGS_BYTES = 320 * 2**20
"""Of the encoders of the catalogue: all that one page asks for unless a reader wants more."""
SHARED_BYTES = 80 * 2**20
"""Of everything else that sessions share."""

UPLOAD_BYTES = 50 * 2**20
"""An uploaded file, at the most."""
SESSION_UPLOAD_BYTES, SERVER_UPLOAD_BYTES = 100 * 2**20, 200 * 2**20
"""Uploads that no page has read yet, of a session and of all together."""

ENOUGH_BYTES = 800 * 2**20
"""Resident memory above which caches and lost sessions are evicted."""

FREE_BYTES = 64 * 2**20
"""Bytes that the host should have left; with less, caches and lost sessions are evicted, too."""
PAGE_SECONDS = 10.0
"""How long a page waits for that."""

GRANT_SECONDS = 30.0
"""How long an uploaded file waits to be read."""

SHARE_OF_SMALL_HOSTS = 0.5
"""Of what is free, what may be granted with less than 1 GB: pages take as much there."""

PROCESSES = 3
"""Sandboxed processes at a time, for all sessions together."""
SHARE_OF_PROCESSES = 0.6
"""Of the memory that is left, what such a process may take; the next of what is left then."""
ANSWER_SECONDS = 5.0
"""Of the processor, for a text under a file's own split pattern or replacements."""
WAIT_SECONDS = 300.0
"""How long a session waits until such a process can be started."""

CHARACTERS_MATCHED = 100_000
"""Of a text, those that an own split pattern matches in the server: at most 16 MB meanwhile."""

BYTES_PARSED = 2 * 2**20
"""Of tokenizer and session files, those parsed in the server: JSON of this size in some 0.1 s."""

SWEPT_EVERY, SWEPT_EVERY_WHERE_SHORT = 10.0, 2.0
"""Seconds."""

_LOOK_SECONDS = 0.2
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # names of glibc's mallopt
_OWN_MAPPING = 512 * 2**10
_ARENAS = 2


def allowed(limit: int) -> int:
    """Return what a limit of a host of 1 GB is on this one."""
    host = min(limits.memory_limit() or HOST_BYTES, LARGEST_HOST_BYTES)
    return limit * host // HOST_BYTES


def uploadable(most: int) -> int:
    """Return how many bytes a file may have that is uploaded: ``most``, or less on a small host.

    Each upload lies in memory once as it came, beside all that is made of it later.
    """
    return min(most, allowed(most))


shared: BoundedCache[Hashable, Any] = BoundedCache(SHARED_BYTES)
"""The cache that sessions share, for all but the encoders of the catalogue."""

uploads = doors.Uploads(SESSION_UPLOAD_BYTES, SERVER_UPLOAD_BYTES)


def bound() -> None:
    """Limit the caches, and free what ended sessions held, from now on."""
    catalog.loaded.limit, shared.limit = allowed(ENCODINGS_BYTES), allowed(SHARED_BYTES)
    uploads.of_session = allowed(SESSION_UPLOAD_BYTES)
    uploads.of_server = allowed(SERVER_UPLOAD_BYTES)
    sandbox.configure(
        sandbox.Limits(
            processes=PROCESSES,
            memory=sandbox.MEMORY,
            share=SHARE_OF_PROCESSES,
            answer_seconds=ANSWER_SECONDS,
            wait_seconds=WAIT_SECONDS,
            characters_matched=CHARACTERS_MATCHED,
            bytes_parsed=BYTES_PARSED,
        )
    )
    limits.make_room = make_room
    if allowed(HOST_BYTES) < HOST_BYTES:
        limits.share = SHARE_OF_SMALL_HOSTS
    _set_up_allocator()
    if streamlit_private.is_server():
        threading.Thread(target=_sweep, name="sweep memory", daemon=True).start()


def _set_up_allocator() -> None:
    """Have glibc give large blocks back when they are freed; elsewhere do nothing.

    Without this it learns from each large block that is freed to put blocks of that size, up to 32
    MB, between small ones, where they leave holes; and each thread makes such holes of its own.
    """
    mallopt = limits.of_libc("mallopt")
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _OWN_MAPPING)
        mallopt(_ARENA_MAX, _ARENAS)


def let_go() -> None:
    """Empty the caches that sessions share; the next session fills them again in a moment."""
    shared.shrink()
    catalog.loaded.shrink()


def resident() -> int:
    """Return how many bytes this process has in memory; 0 where that is not known."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def is_short() -> bool:
    return _missing(0) > 0


def _missing(needed: int) -> int:
    missing = resident() + needed - allowed(ENOUGH_BYTES)
    if (available := limits.available_memory()) is not None:
        missing = max(missing, needed + _free() - available)
    return missing


def _free() -> int:
    return min(FREE_BYTES, allowed(FREE_BYTES))


def wait_until_free() -> None:
    """Wait until the host has the memory to draw a page; :class:`BPEError` if it has not soon.

    Each page takes some megabytes without asking: many at once would have the system end the
    server.
    """
    until = time.monotonic() + PAGE_SECONDS
    while (available := limits.available_memory()) is not None and available < _free():
        make_room()
        if time.monotonic() > until:
            raise BPEError(
                "The server has no memory left to show this page at the moment. Reload it in a "
                "minute."
            )
        time.sleep(_LOOK_SECONDS)


def wait_for(needed: int, waiting: Callable[[], object]) -> None:
    """Wait until so many bytes are free, and ``waiting`` is called meanwhile, which may raise.

    Raises :class:`BPEError` where they are not after :data:`GRANT_SECONDS`.
    """
    until = time.monotonic() + GRANT_SECONDS
    while True:
        try:
            return limits.require_memory(needed)
        except BPEError:
            if time.monotonic() >= until:
                raise
        waiting()
        time.sleep(_LOOK_SECONDS)


def make_room(needed: int = 0) -> None:
    """Evict as much of what sessions share as it takes to have ``needed`` bytes more.

    Encoders go first: the next click loads one in a moment, where a training takes seconds.
    """
    available = limits.available_memory()
    if available is not None and available < needed + _free():
        sandbox.end_idle()
    missing = _missing(needed)
    evicted = 0
    for cache in (catalog.loaded, shared):
        before = cache.size
        cache.shrink(max(0, before - max(0, missing - evicted)))
        evicted += before - cache.size
    if evicted:
        gc.collect()
        limits.trim()


def _sweep() -> None:
    known: set[str] = set()
    swept = time.monotonic()
    while True:
        time.sleep(SWEPT_EVERY_WHERE_SHORT)
        if time.monotonic() - swept < SWEPT_EVERY and not is_short():
            continue
        swept = time.monotonic()
        try:
            sessions = streamlit_private.drop_ended_sessions(is_short)
        except RuntimeError:  # the server is stopping
            return
        known = sweep(known, known if sessions is None else sessions)


def sweep(before: set[str], sessions: set[str]) -> set[str]:
    """Free what sessions held that have ended since ``before``; return those that there are.

    With the last session goes what all shared.
    """
    if before - sessions:
        if not sessions:
            let_go()
        gc.collect()
    limits.trim()
    make_room()
    return sessions


_SWITCH_SECONDS = 0.001


_starting = threading.Lock()
_started = False


def start() -> None:
    """Start what there is once in a server, however often it is called, and by whom.

    Memory and uploads are bounded, the kernels are compiled in the background, and sessions take
    turns: what one computes in plain Python holds the lock of the interpreter, for which another
    asks dozens of times to answer one click, and waits this long each time.
    """
    global _started
    with _starting:
        if not _started:
            _started = True
            streamlit_private.at_start(uploads, uploadable(UPLOAD_BYTES))
            bound()
            sys.setswitchinterval(_SWITCH_SECONDS)
            compiled.warm()
