"""The upload of a corpus: several files, each with its encoding and column to correct."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from bpe.errors import BPEError
from bpe.text import corpus
from bpe.text.corpus import Document
from playground.ui import settings
from playground.ui.i18n import _, error_text, names_joined, plain
from playground.ui.uploader import file_uploader

_GUESS = "guess"


@dataclass(frozen=True)
class _Reading:
    """What came of reading a column of a file in an encoding, which may be to be guessed."""

    name: str
    encoding: str
    columns: tuple[str, ...] = ()
    column: str | None = None
    document: Document | None = None
    error: BPEError | None = None


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
    """Draw the choices for one file and what came of them; read it only where these changed."""
    said = st.container()
    with st.expander(_("Encoding and column of {name}").format(name=plain(file.name))):
        encoding = settings.select(
            _("Encoding"),
            {_GUESS: _("guess"), **{name: name for name in corpus.ENCODINGS}},
            key=f"encoding-{file.file_id}",
            in_url=False,
        )
        reading = last if last and last.encoding == encoding else _read(file, encoding)
        if reading.columns:
            column = settings.select(
                _("Column"),
                {name: name for name in reading.columns},
                key=f"column-{file.file_id}",
                default=reading.column,
                in_url=False,
            )
            if column != reading.column:
                reading = _read(file, encoding, column)
    with said:
        if reading.document:
            st.caption(
                _("{name}: {characters} characters, read as {encoding}").format(
                    name=plain(file.name),
                    characters=f"{reading.document.characters:,}",
                    encoding=reading.document.encoding,
                )
            )
        if reading.error:
            st.error(error_text(reading.error))
    return reading


def _read(file: Any, encoding: str, column: str | None = None) -> _Reading:
    """Read the column, by default the likely one."""
    override = None if encoding == _GUESS else encoding
    try:
        source = corpus.source(file.getvalue(), file.name, encoding=override)
    except BPEError as error:
        return _Reading(file.name, encoding, error=error)
    column = column or source.likely_column
    try:
        document = source.document(column)
    except BPEError as error:
        return _Reading(file.name, encoding, source.columns, column, error=error)
    return _Reading(file.name, encoding, source.columns, column, document)
