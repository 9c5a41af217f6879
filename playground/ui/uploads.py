"""The upload of a corpus: several files, each with its encoding and column to correct."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe.errors import BPEError
from bpe.text import corpus
from bpe.text.corpus import Document
from playground.ui.i18n import _, error_text, names_joined, plain
from playground.ui.uploader import file_uploader


@dataclass(frozen=True)
class _Reading:
    """What came of reading a file with the encoding and column that were asked for."""

    name: str
    asked: tuple[str | None, str | None]
    columns: tuple[str, ...]
    document: Document | None
    error: BPEError | None


def documents(
    *, key: str = "corpus_files", suffixes: Sequence[str] = corpus.SUFFIXES
) -> list[Document]:
    """Draw the upload and return what was read; what could not be read is said beside it.

    What was uploaded outlives a visit to another page, which empties the widget.
    """
    uploaded = file_uploader(
        _("Text files"),
        suffixes,
        key=key,
        most_bytes=corpus.MAX_BYTES,
        accept_multiple_files=True,
        on_change=_forget,
        args=(key,),
        help=_("Each file may be in UTF-8, GB18030, Big5 or UTF-16; the guess is shown below."),
    )
    readings: dict[str, _Reading] = st.session_state.setdefault(_kept(key), {})
    for file in uploaded:
        readings[file.file_id] = _show(file, readings.get(file.file_id))
    if readings and not uploaded:
        kept = names_joined(plain(reading.name) for reading in readings.values())
        st.caption(_("Still here from before: {names}").format(names=kept))
        st.button(_("Remove these files"), key=f"{key}_remove", on_click=_forget, args=(key,))
    return [reading.document for reading in readings.values() if reading.document]


def _kept(key: str) -> str:
    return f"files read for {key}"


def _forget(key: str) -> None:
    st.session_state.pop(_kept(key), None)


def _show(file: Any, last: _Reading | None) -> _Reading:
    """Read one file as its widgets ask, and draw what came of it."""
    encoding_key, column_key = f"encoding-{file.file_id}", f"column-{file.file_id}"
    asked = (st.session_state.get(encoding_key), st.session_state.get(column_key))
    reading = last if last and last.asked == asked else _read(file, asked)
    document = reading.document
    if document:
        st.caption(
            _("{name}: {characters} characters, read as {encoding}").format(
                name=plain(file.name),
                characters=f"{document.characters:,}",
                encoding=document.encoding,
            )
        )
    if reading.error:
        st.error(error_text(reading.error))
    with st.expander(_("Encoding and column of {name}").format(name=plain(file.name))):
        st.selectbox(
            _("Encoding"),
            [None, *corpus.ENCODINGS],
            format_func=lambda name: _("guess") if name is None else name,
            key=encoding_key,
        )
        if reading.columns:
            chosen = document.column if document else None
            columns = list(reading.columns)
            st.selectbox(
                _("Column"),
                columns,
                index=columns.index(chosen) if chosen in columns else 0,
                key=column_key,
            )
    return reading


def _read(file: Any, asked: tuple[str | None, str | None]) -> _Reading:
    encoding, column = asked
    data = file.getvalue()
    columns: tuple[str, ...] = ()
    try:
        columns = corpus.columns(data, file.name, encoding=encoding)
        chosen = column if column in columns else None
        document = corpus.read(data, file.name, encoding=encoding, column=chosen)
    except BPEError as error:
        return _Reading(file.name, asked, columns, None, error)
    return _Reading(file.name, asked, columns, document, None)
