"""Tokenizers from a repository of the Hugging Face Hub."""

import hashlib
import threading
import time

import streamlit as st

from bpe import files
from bpe.errors import BPEError
from bpe.files import hub
from playground import session
from playground.compare.own import room
from playground.ui.i18n import _, error_text, plain

SECONDS = 20.0
_ERROR = "what the Hub answered"


def fetch() -> list[str]:
    """Draw the name of a repository; return the code of the tokenizer just fetched from it."""
    with st.form("hub", border=False):
        repository = st.text_input(
            _("Or a repository of the Hugging Face Hub"),
            placeholder="Qwen/Qwen2.5-0.5B",
            key="hub_repository",
            persist_state="session",
        )
        asked = st.form_submit_button(_("Fetch its tokenizer.json"), icon=":material/download:")
    repository = (repository or "").strip()
    if asked:
        st.session_state.pop(_ERROR, None)
        if not repository:
            return []
        code = f"{room.HUB}{hashlib.sha256(repository.encode()).hexdigest()[:8]}"
        try:
            room.check()
            with st.spinner(
                _("Fetching {name} from the Hub…").format(name=plain(repository)), show_time=True
            ):
                encoder = files.from_hub(repository, timeout=SECONDS, fetch=_cancellable)
        except BPEError as error:
            st.session_state[_ERROR] = (repository, error)
        else:
            session.keep(code, encoder)
            return [code]
    said, reason = st.session_state.get(_ERROR, ("", None))
    if reason and said == repository:
        st.error(error_text(reason))
    return []


def _cancellable(url: str, timeout: float) -> bytes:
    """Download in a thread, and give up as soon as the reader clicks something else."""
    results: list[bytes | Exception] = []

    def download() -> None:
        try:
            results.append(hub.download(url, timeout))
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=download, name="fetch a tokenizer", daemon=True)
    thread.start()
    while thread.is_alive():
        time.sleep(0.1)
        st.session_state.get(_ERROR)  # here a click ends this run
    if isinstance(results[0], Exception):
        raise results[0]
    return results[0]
