"""Restoring a session from a link, a session file, or the browser's tab after a reload.

A link is read in the first run of a session and leaves the address bar in the second, when the
browser knows that this is no new page to go back from. The tab stores the session's state after
each run, and sends it once when it is reloaded.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from bpe.errors import BPEError
from playground import browser
from playground.share import codec, contents, session_file
from playground.share.codec import State
from playground.share.session_file import SessionFile
from playground.ui import caches, notices, restorable
from playground.ui.i18n import KEY, _, error_text, languages, names_joined, plain

PARAMETER = "s"
"""In the URL: what a link carries."""

_TAB = "tab"
_INCOMING = "state to be restored"
_RESTORED = "restored last"
_ERRORS = "errors of the restored state"
_PACKED = "packed last"

_tab = browser.component("bpe_tab", "share/tab.js")


@dataclass(frozen=True)
class Incoming:
    """A state to be restored; ``packed`` identifies it."""

    packed: str
    state: State
    file: SessionFile | None = None


def read() -> None:
    """Read the state of a link or of the tab, once, and switch to the language of what comes."""
    packed = _packed()
    if _INCOMING not in st.session_state:
        if packed is None or st.session_state.get(_RESTORED) == packed:
            return
        try:
            st.session_state[_INCOMING] = Incoming(packed, codec.unpack(packed))
        except BPEError as error:
            _done(packed, [error])
            return
    incoming: Incoming = st.session_state[_INCOMING]
    language = incoming.state.fields.get(KEY)
    if isinstance(language, str) and language in languages():
        st.session_state[KEY] = language


def open_file(data: bytes, digest: str) -> str:
    """Have the next run restore a session file; return the page that it shows."""
    file = session_file.loads(data)
    st.session_state[_INCOMING] = Incoming(digest, file.state, file)
    return file.state.page


def _packed() -> str | None:
    """Return the packed state in the URL, and remove it there, or that which the tab has sent."""
    in_url = st.query_params.get(PARAMETER)
    if in_url is None:
        said: dict[str, Any] = st.session_state.get(_TAB) or {}
        stored = said.get("stored")
        return stored if isinstance(stored, str) else None
    if not restorable.defer_to_next_run():
        del st.query_params[PARAMETER]
    return in_url


@contextmanager
def around(page: str) -> Iterator[None]:
    """Restore a state before a page runs, and store that of the session after it.

    Above the page stands what of the link could not be restored or is unknown to the page.
    """
    notices.begin()
    try:
        _restore()
        yield
        notices.unread()
        _report_unclaimed()
        _store(page)
    except StopException:
        _store(page)
        raise
    finally:
        notices.end()


def _restore() -> None:
    incoming: Incoming | None = st.session_state.get(_INCOMING)
    if incoming is not None:
        try:
            errors = contents.restore(incoming.state, incoming.file)
        except Exception:  # the next run would fail in the same way
            _done(incoming.packed, [])
            raise
        if removed := list(filter(notices.is_removed, incoming.state.fields)):
            restorable.forget(removed)
            errors.append(notices.REMOVED)
        _done(incoming.packed, errors)
    for error in st.session_state.get(_ERRORS, ()):
        notices.say(error_text(error))


def _done(packed: str, errors: list[BPEError]) -> None:
    st.session_state[_RESTORED] = packed
    st.session_state[_ERRORS] = errors
    st.session_state.pop(_INCOMING, None)


def _report_unclaimed() -> None:
    if st.query_params.get(PARAMETER) is None:
        return
    if strange := restorable.unclaimed():
        restorable.forget(strange)
        notices.say(
            _("The link sets {names}, which this page does not have.").format(
                names=names_joined(f"“{plain(key)}”" for key in strange)
            )
        )


def _store(page: str) -> None:
    restorable.end()
    state = contents.of_session(page).state
    packed = caches.latest(_PACKED, state, lambda: codec.pack(state))
    with st.container(key="frame_tab"):
        _tab(
            key=_TAB,
            data={
                "packed": packed if len(packed) <= _MOST else "",
                "ask": st.session_state.get(_RESTORED) is None,
                "again": restorable.another_run_is_needed(),
            },
            on_stored_change=lambda: None,
            on_ready_change=lambda: None,
        )


_MOST = 1_000_000
"""Characters that a tab stores; browsers allow five million."""
