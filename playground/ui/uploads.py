"""The upload of a corpus: several files, of each the encoding, columns and sheet to choose.

The text of a file stays in the session that uploaded it. The bytes that Streamlit
holds in memory until the session ends are let go once they are read; those of a file that may have
to be read in another way wait in a temporary file without a name, which ends with the session.
"""

import io
import tempfile
import threading
import weakref
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st

from bpe.documents import charset, reader, untrusted
from bpe.documents.reader import Document
from bpe.documents.tables import GUESS, Choice, Notes
from bpe.errors import BPEError
from playground.ui import fields, memory, state, streamlit_private
from playground.ui.fields import file_uploader, ids_of
from playground.ui.i18n import _, error_text, names_joined, plain, sentences_joined
from playground.ui.state import Field

MAX_SESSION_BYTES = 150 * 2**20
"""How much text a session may keep in all."""

_AT_ONCE = threading.BoundedSemaphore(2)
"""Texts that are read in Python at the same time, of all sessions: more would hold up clicks."""

_COPIES = 3
"""Of a file, while it is read: its bytes, its text, and that without what is left out."""

ZIP = ".zip"

_ONE = "one file for "
_KEPT = "files read for "
_BASE64 = "base64"


@dataclass(frozen=True)
class _Reading:
    """The outcome of reading a file in some way."""

    name: str
    choice: Choice = Choice(charset=GUESS, lenient=True)  # noqa: RUF009 - frozen
    notes: Notes = field(default_factory=Notes)
    document: Document | None = None
    error: BPEError | None = None
    archive_notes: tuple[BPEError, ...] = ()
    """Of the first file of an archive: what of this is left out."""
    raw: "_OnDisk | None" = field(default=None, compare=False)
    """The bytes, where the file may be read again."""


class _OnDisk:
    """Bytes in a temporary file without a name; in memory where the disk is full or read-only."""

    def __init__(self, data: bytes) -> None:
        self._data: bytes | None = data
        with suppress(OSError):
            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed with this object
            weakref.finalize(self, self._file.close)
            if self._file.write(data) == len(data):
                self._data = None

    def read(self) -> bytes:
        if self._data is not None:
            return self._data
        self._file.seek(0)
        return self._file.read()


def documents(
    *, key: str = "corpus_files", suffixes: Sequence[str] = charset.SUFFIXES
) -> list[Document]:
    """Draw the upload and return the documents; what could not be read is said beside it.

    ZIP archives of such files, and compressed ones (.gz), are taken too. Uploads outlive a visit to
    another page, which empties the widget; only its own × takes a file away.
    """
    readings = _readings(key).stored()
    uploaded = file_uploader(
        _("Text files"),
        (*suffixes, ".gz", ZIP),
        key=key,
        most_bytes=reader.MAX_BYTES,
        accept_multiple_files=True,
        help=_("Each file may be in UTF-8, GB18030, Big5 or UTF-16; the guess is shown below."),
        on_change=_changed,
        args=(key,),
    )
    for file in uploaded:
        if file.file_id not in readings:
            readings[file.file_id] = list(_read_all(file.getvalue(), file.name, suffixes))
        streamlit_private.release_upload(file.file_id)
    chips = _drawn(key).stored()
    chips[:] = ids_of(key)
    names = {file_id: some[0].name for file_id, some in readings.items() if some}
    before = {file_id: name for file_id, name in names.items() if file_id not in chips}
    still_here(before, partial(_forget, key), key=key)
    for file_id, of_file in readings.items():
        for number, reading in enumerate(of_file):
            of_file[number] = _show(reading, f"{file_id}-{number}")
    _say_notes([reading for of_file in readings.values() for reading in of_file])
    if lost := len(set(chips) - set(readings)):
        st.warning(_("Files no longer here, to be uploaded again: {count}").format(count=lost))
    state.reads(list(names.values()))
    return [read.document for some in readings.values() for read in some if read.document]


def _changed(key: str) -> None:
    """Forget the files that the reader has taken out of the widget."""
    for file_id in set(_drawn(key).get()) - set(ids_of(key)):
        _forget(key, file_id)


def _forget(key: str, file_id: str) -> None:
    _readings(key).stored().pop(file_id, None)


def _readings(key: str) -> Field[dict[str, list[_Reading]]]:
    """Return the field of what came of each file, by its id."""
    return Field(_KEPT + key, {})


def _drawn(key: str) -> Field[list[str]]:
    """Return the field of the ids that the widget was last drawn with."""
    return Field(f"files in the upload of {key}", [])


def still_here(files: Mapping[str, str], forget: Callable[[str], None], *, key: str) -> None:
    """Name files (name by id) that are used and not in the widget any more, each with its ×."""
    if not files:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("Still here from before:"), width="content")
        for file_id, name in files.items():
            st.button(
                plain(name),
                key=f"{key}-remove-{file_id}",
                icon=":material/close:",
                type="tertiary",
                help=_("Remove this file"),
                on_click=forget,
                args=(file_id,),
            )


def _say_notes(readings: Sequence[_Reading]) -> None:
    lines = [
        f"{plain(reading.name)}{_(': ')}{' '.join(map(error_text, left_out))}"
        for reading in readings
        if (left_out := (*reading.archive_notes, *reading.notes.left_out))
    ]
    if lines:
        st.warning("\n\n".join(lines))


def one_file(
    label: str, suffixes: Sequence[str], *, key: str, most_bytes: int, help: str
) -> tuple[bytes, str] | None:
    """Draw the upload of a small file; return its bytes and name, of several those of a ZIP.

    Uploads outlive a visit to another view, which empties the widget.
    """
    held: Field[tuple[bytes, str] | None] = Field(_ONE + key, None)

    def forget(*_: object) -> None:
        held.pop()

    files = file_uploader(
        label, suffixes, key=key, most_bytes=most_bytes, help=help,
        accept_multiple_files=True, on_change=forget,
    )  # fmt: skip
    if files:
        held.set(_together(files))
    one = held.get()
    if one is not None:
        state.reads([one[1]])
        if not files:
            still_here({key: one[1]}, forget, key=key)
    return one


def _together(files: Sequence[Any]) -> tuple[bytes, str]:
    """Return the one file, or a ZIP of several, the same for the same files."""
    if len(files) == 1:
        return files[0].getvalue(), files[0].name
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.getvalue())
    return packed.getvalue(), "+".join(file.name for file in files)[:60] + ZIP


def held() -> list[tuple[str, Document]]:
    ones = [
        (key, Document(one[1], (_BASE64, b64encode(one[0]).decode())))
        for key, one in st.session_state.items()
        if isinstance(key, str) and key.startswith(_ONE)
    ]
    return ones + _documents()


def _data(texts: tuple[str, ...]) -> bytes:
    """Return the bytes of a file; session files of before have some as text."""
    if texts[:1] == (_BASE64,):
        with suppress(ValueError):
            return b64decode("".join(texts[1:]))
    return "".join(texts).encode()


def _documents() -> list[tuple[str, Document]]:
    return [
        (key.removeprefix(_KEPT), reading.document)
        for key, readings in st.session_state.items()
        if isinstance(key, str) and key.startswith(_KEPT)
        for some in readings.values()
        for reading in some
        if reading.document
    ]


def put_back(key: str, documents: Sequence[Document]) -> None:
    """Keep documents as if they had been uploaded, in place of those of this upload."""
    if key.startswith(_ONE):
        document = documents[0]
        st.session_state[key] = (_data(document.texts), document.name)
        return
    st.session_state[_KEPT + key] = {
        f"restored {number}": [_Reading(document.name, notes=document.notes, document=document)]
        for number, document in enumerate(documents)
    }


def _held() -> int:
    return sum(document.size for _key, document in _documents())


def _read_all(data: bytes, name: str, suffixes: Sequence[str]) -> Iterator[_Reading]:
    if not name.lower().endswith(ZIP):
        yield _read(data, _Reading(name))
        return
    try:
        files, notes = untrusted.unpack(data, suffixes)
        if not files:
            yield _Reading(
                name,
                error=BPEError("No file in the archive can be read here."),
                archive_notes=tuple(notes),
            )
    except BPEError as error:
        yield _Reading(name, error=error)
        return
    for number, (member, content) in enumerate(files):
        reading = _Reading(f"{name}/{member}", archive_notes=() if number else tuple(notes))
        yield _read(content, reading)


def _read(data: bytes, reading: _Reading) -> _Reading:
    """Return what comes of reading a file as the choice of a reading says."""
    name, notes = reading.name, Notes()
    document = wrong = None
    plain_text = reader.suffix_of(name) in charset.PLAIN
    try:
        if (held := _held() + len(data)) > MAX_SESSION_BYTES:
            raise BPEError(
                "With this file there would be {size} MB of text; the limit is {limit} MB. Remove "
                "a file first.",
                size=held >> 20,
                limit=MAX_SESSION_BYTES >> 20,
            )
        place = st.empty()
        memory.wait_for(
            _COPIES * len(data), lambda: place.info(_("Waiting for memory to read this file."))
        )
        place.empty()
        with _AT_ONCE if plain_text else nullcontext():
            document = reader.whole(data, name, reading.choice, notes=notes)
    except BPEError as error:
        wrong = error
    raw = (reading.raw or _OnDisk(data)) if plain_text or reader.kind_of(name) else None
    return replace(reading, notes=notes, document=document, error=wrong, raw=raw)


def _show(reading: _Reading, key: str) -> _Reading:
    """Draw the choices for one file and what came of them; read it again where these changed."""
    outcome = st.container()
    if reading.raw:
        with st.expander(_("Encoding and columns of {name}").format(name=plain(reading.name))):
            reading = _chosen(reading, key)
    with outcome:
        if document := reading.document:
            st.caption(
                _("{name}: {characters} characters, read as {encoding}").format(
                    name=plain(reading.name),
                    characters=f"{document.characters:,}",
                    encoding=document.notes.charset,
                )
            )
            if columns := _columns_read(document.notes):
                st.caption(columns)
        if reading.error:
            reason, name = error_text(reading.error), plain(reading.name)
            st.error(reason if name in reason else f"{name}{_(': ')}{reason}")
    return reading


def _columns_read(notes: Notes) -> str:
    """Say which columns and sheet were read of a table, and which were not."""
    if not notes.columns:
        return ""
    others = [_("sheet {name}").format(name=name) for name in notes.sheets if name != notes.sheet]
    read, unread = (
        names_joined(_("“{name}”").format(name=plain(name)) for name in names)
        for names in (notes.columns, [*notes.unread, *others])
    )
    if unread:
        line = _("Columns read: {columns} (not read: {unread})")
    else:
        line = _("Columns read: {columns}")
    line = line.format(columns=read, unread=unread)
    if notes.header is False:
        line = sentences_joined(line + _("."), _("The first row is read as text."))
    return line


def _chosen(reading: _Reading, key: str) -> _Reading:
    choice, notes = reading.choice, reading.notes
    if reader.suffix_of(reading.name) in charset.PLAIN:
        encoding = fields.select(
            _("Encoding"),
            {GUESS: _("guess"), **{name: name for name in charset.ENCODINGS}},
            key=f"encoding-{key}",
            in_url=False,
        )
        choice = replace(choice, charset=encoding)
    if len(notes.sheets) > 1:
        sheet = fields.select(
            _("Sheet"),
            {name: name for name in notes.sheets},
            key=f"sheet-{key}",
            default=notes.sheet,
            in_url=False,
        )
        if sheet != notes.sheet:
            choice = replace(choice, sheet=sheet, columns=(), header=None)
    if notes.header is not None:
        header = st.toggle(
            _("The first row names the columns"),
            value=notes.header,
            key=f"header-{key}-{notes.sheet}",
        )
        if header != notes.header:
            choice = replace(choice, header=header, columns=())
    reading = _again(reading, choice)
    choice, notes = reading.choice, reading.notes
    if notes.choices:
        columns = st.multiselect(
            _("Columns"),
            notes.choices,
            default=[name for name in notes.columns if name in notes.choices],
            key=f"columns-{key}-{notes.sheet}-{notes.header}",
            help=_("Each cell of them is a document, row by row."),
        )
        if columns and tuple(columns) != notes.columns:
            choice = replace(choice, columns=tuple(columns))
    return _again(reading, choice)


def _again(reading: _Reading, choice: Choice) -> _Reading:
    if choice == reading.choice or not reading.raw:
        return reading
    return _read(reading.raw.read(), replace(reading, choice=choice))
