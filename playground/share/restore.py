"""Restoring a session from a link, a session file, or the browser's tab after a reload.

A link is read in the first run of a session and leaves the address bar in the second, when the
browser knows that this is no new page to go back from. The tab stores the session's state after
each run, and sends it once when it is reloaded.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from bpe.errors import BPEError
from playground import browser
from playground.share import codec, contents, session_file
from playground.share.codec import State
from playground.share.session_file import SessionFile
from playground.ui import caches, state, streamlit_private
from playground.ui.i18n import KEY, error_text, languages
from playground.ui.state import Field

PARAMETER = "s"
"""In the URL: what a link carries."""

_TAB = "tab"
_RESTORED: Field[str | None] = Field("restored last", None)
_ERRORS: Field[list[BPEError]] = Field("errors of the restored state", [])
_PACKED = "packed last"

_tab = browser.component("bpe_tab", "share/tab.js")


@dataclass(frozen=True)
class Incoming:
    """A state to be restored; ``packed`` identifies it."""

    packed: str
    state: State
    file: SessionFile | None = None


_INCOMING: Field[Incoming | None] = Field("state to be restored", None)


def read() -> None:
    """Read the state of a link or of the tab, once, and switch to the language of what comes."""
    packed = _packed()
    incoming = _INCOMING.get()
    if incoming is None:
        if packed is None or _RESTORED.get() == packed:
            return
        try:
            _INCOMING.set(incoming := Incoming(packed, codec.unpack(packed)))
        except BPEError as error:
            _done(packed, [error])
            return
    language = incoming.state.fields.get(KEY)
    if isinstance(language, str) and language in languages():
        Field(KEY, "").set(language)


def open_file(data: bytes, digest: str) -> str:
    """Have the next run restore a session file; return the page that it shows."""
    file = session_file.loads(data)
    _INCOMING.set(Incoming(digest, file.state, file))
    return file.state.page


def _packed() -> str | None:
    """Return the packed state in the URL, and remove it there, or that which the tab has sent."""
    in_url = st.query_params.get(PARAMETER)
    if in_url is None:
        stored = state.component(_TAB, {"stored": str}).get("stored")
        return stored if isinstance(stored, str) else None
    if not state.defer_to_next_run():
        del st.query_params[PARAMETER]
    return in_url


@contextmanager
def around(page: str) -> Iterator[None]:
    """Restore a state before a page runs, and store that of the session after it.

    Above the page stands what of the link could not be restored or is unknown to the page.
    """
    state.begin_notices()
    try:
        _restore()
        yield
        state.say_unread()
        _store(page)
    except streamlit_private.stop_exception():
        _store(page)
        raise
    finally:
        state.end_notices()


def _restore() -> None:
    if (incoming := _INCOMING.get()) is not None:
        try:
            errors = contents.restore(incoming.state, incoming.file)
        except Exception:  # the next run would fail in the same way
            _done(incoming.packed, [])
            raise
        if removed := list(filter(state.is_removed, incoming.state.fields)):
            state.forget(removed)
            errors.append(state.REMOVED)
        _done(incoming.packed, errors)
    for error in _ERRORS.get():
        state.say(error_text(error))


def _done(packed: str, errors: list[BPEError]) -> None:
    _RESTORED.set(packed)
    _ERRORS.set(errors)
    _INCOMING.pop()


def _store(page: str) -> None:
    state.end()
    to_store = contents.of_session(page).state
    packed = caches.latest(_PACKED, to_store, lambda: codec.pack(to_store))
    with st.container(key="frame_tab"):
        _tab(
            key=_TAB,
            data={
                "packed": packed if len(packed) <= _MOST else "",
                "ask": _RESTORED.get() is None,
                "again": state.another_run_is_needed(),
            },
            on_stored_change=lambda: None,
            on_ready_change=lambda: None,
        )


_MOST = 700_000
"""Characters that a tab stores. It sends them along with all that is typed on a page, of which
Streamlit takes as much as ``.streamlit/config.toml`` says."""
