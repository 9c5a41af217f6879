"""Streamlit's upload of files, with its words in the reader's language."""

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from playground.ui import memory
from playground.ui.i18n import _, names_joined

_STYLE = """<style>
.st-key-{key} [data-testid="stFileUploaderDropzone"] button p,
.st-key-{key} [data-testid="stFileUploaderDropzoneInstructions"] span {{ font-size: 0 }}
.st-key-{key} [data-testid="stFileUploaderDropzone"] button p::after {{
  content: {button}; font-size: 0.875rem
}}
.st-key-{key} [data-testid="stFileUploaderDropzoneInstructions"] span {{ white-space: normal }}
.st-key-{key} [data-testid="stFileUploaderDropzoneInstructions"] span::after {{
  content: {limits}; font-size: 0.875rem
}}
</style>"""


def file_uploader(
    label: str, suffixes: Sequence[str], *, key: str, most_bytes: int, **more: Any
) -> Any:
    """Draw an upload of files with one of ``suffixes`` (".txt") and at most so many bytes each.

    A small host takes smaller ones (:func:`playground.ui.memory.uploadable`).
    Returns what ``st.file_uploader`` does, which takes ``more`` as well. The words on it exist in
    English alone and cannot be given: they are written anew by a style.
    """
    megabytes = memory.uploadable(most_bytes) // 2**20
    names = [suffix.removeprefix(".") for suffix in suffixes]
    limits = _("Up to {size} MB each: {kinds}").format(
        size=megabytes, kinds=names_joined(map(str.upper, names))
    )
    style = _STYLE.format(key=key, button=_quoted(_("Choose files")), limits=_quoted(limits))
    # A style alone would stand among those of the page, where a fragment that runs again
    # overwrites what was drawn after it.
    st.html(f'{style}<span class="style-in-place" hidden></span>')
    return st.file_uploader(label, type=names, max_upload_size=megabytes, key=key, **more)


def _quoted(text: str) -> str:
    """Return a text of our own as a string of a style sheet."""
    return json.dumps(text, ensure_ascii=False)


def release(file: Any) -> None:
    """Let go of the bytes that Streamlit keeps of an uploaded file until the session ends.

    The file stays in the widget, and :func:`ids_of` knows it.
    """
    context = get_script_run_ctx()
    if context is not None:
        manager: Any = context.uploaded_file_mgr
        manager.remove_file(context.session_id, file.file_id)


def ids_of(key: str) -> list[str]:
    return [file.file_id for file in st.session_state.get(key) or []]
