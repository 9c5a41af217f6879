"""What a reader comes with: a link that carries a state, or a tab that is loaded again.

A link is read in the first run of a session and leaves the address bar in the second, when the
browser knows that this is no new page to go back from. What a tab had before it was loaded again,
it has kept itself, and sends it once.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from bpe.errors import BPEError
from playground.share import codec, contents, session_file
from playground.share.codec import State
from playground.share.session_file import SessionFile
from playground.ui import notices, restorable
from playground.ui.i18n import KEY, LANGUAGES, _, error_text, names_joined, plain

PARAMETER = "s"
"""In the URL: what a link carries."""

_HERE = Path(__file__).parent
_TAB = "tab"
_FILE = "session file to be opened"
_OPENED = "what was brought last"
_SAID = "what is to be said of it"
_PACKED = "packed last"

_tab = st.components.v2.component("bpe_tab", js=(_HERE / "tab.js").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Incoming:
    """What has come, and by what it is known again."""

    packed: str
    state: State
    file: SessionFile | None = None


def read() -> Incoming | None:
    """Return what a link, the tab or a file brings, once; its language counts from now on."""
    arrival: Incoming | None = st.session_state.get(_FILE)
    if arrival is None:
        packed = _brought()
        if packed is None or st.session_state.get(_OPENED) == packed:
            return None
        try:
            arrival = Incoming(packed, codec.unpack(packed))
        except BPEError as error:
            _done(packed, [error])
            return None
    if (language := arrival.state.fields.get(KEY)) in LANGUAGES:
        st.session_state[KEY] = language
    return arrival


def open_file(data: bytes, digest: str) -> str:
    """Lay out a session file for the next run; return the page that it shows."""
    file = session_file.loads(data)
    st.session_state[_FILE] = Incoming(digest, file.state, file)
    return file.state.page


def _brought() -> str | None:
    """Return what is in the URL, which it then leaves, or what the tab has sent."""
    in_url = st.query_params.get(PARAMETER)
    if in_url is None:
        said: dict[str, Any] = st.session_state.get(_TAB) or {}
        stored = said.get("stored")
        return stored if isinstance(stored, str) else None
    if not restorable.defer_to_next_run():
        del st.query_params[PARAMETER]
    return in_url


def restore(arrival: Incoming | None) -> None:
    """Make what has come the session's own, and say what of it cannot be had here."""
    if arrival is not None:
        missing = contents.take_up(arrival.state, arrival.file)
        said = [
            BPEError(
                "The tokenizer “{name}” cannot be had here: neither its file nor what it was "
                "trained on has come with it, or it was published elsewhere.",
                name=name,
            )
            for name in missing
        ]
        _done(arrival.packed, said)
    for error in st.session_state.get(_SAID, ()):
        notices.say(error_text(error))


def _done(packed: str, said: list[BPEError]) -> None:
    st.session_state[_OPENED] = packed
    st.session_state[_SAID] = said
    st.session_state.pop(_FILE, None)


def report_unclaimed() -> None:
    """Say which fields of a link this page does not have; after a run."""
    if st.query_params.get(PARAMETER) is None:
        return
    if strange := restorable.unclaimed():
        restorable.forget(strange)
        notices.say(
            _("The link sets {names}, which this page does not have.").format(
                names=names_joined(f"“{plain(key)}”" for key in strange)
            )
        )


def remember(page: str) -> None:
    """Let the tab keep what the session holds, for when it is loaded again; after a run."""
    state = contents.of_session(page).state
    last = st.session_state.get(_PACKED)
    if last is None or last[0] != state:
        packed = codec.pack(state)
        last = st.session_state[_PACKED] = (state, packed if len(packed) <= _MOST else "")
    with st.container(key="frame_tab"):
        _tab(
            key=_TAB,
            data={
                "packed": last[1],
                "ask": st.session_state.get(_OPENED) is None,
                "again": restorable.another_run_is_needed(),
            },
            on_stored_change=lambda: None,
            on_ready_change=lambda: None,
        )


_MOST = 1_000_000
"""Letters that a tab keeps; browsers give it five million."""
