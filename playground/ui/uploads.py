"""The upload of a corpus: several files, each with its encoding and column to correct.

The text of a file stays in the session that uploaded it. The bytes that Streamlit
holds in memory until the session ends are let go once they are read; those of a file that may have
to be read in another way wait in a temporary file without a name, which ends with the session.
"""

import io
import tempfile
import weakref
import zipfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import IO, Any

import streamlit as st

from bpe.documents import archive, charset, corpus
from bpe.documents.corpus import Document
from bpe.errors import BPEError
from bpe.limits import require_memory
from playground.ui import restorable, settings, streamlit_private
from playground.ui.i18n import _, error_text, names_joined, plain
from playground.ui.upload_field import file_uploader, ids_of

MAX_SESSION_BYTES = 150 * 2**20
"""How much text a session may keep in all."""

_COPIES = 3
"""Of a file, while it is read: its bytes, its text, and that without what is left out."""

ZIP = ".zip"
NAMED = 3
"""How many files that were left out are called by their names."""

_ONE = "one file for "
_GUESS = "guess"
_KEPT = "files read for "
_BASE64 = "base64"


@dataclass(frozen=True)
class _Reading:
    """What came of reading a column of a file in an encoding, which may be to be guessed."""

    name: str
    encoding: str = _GUESS
    columns: tuple[str, ...] = ()
    column: str | None = None
    document: Document | None = None
    error: BPEError | None = None
    notes: tuple[BPEError, ...] = ()
    raw: "_OnDisk | None" = field(default=None, compare=False)
    """The bytes, where the file may be read again."""


class _OnDisk:
    """Bytes in a temporary file without a name; in memory where the disk is full or read-only."""

    def __init__(self, data: bytes) -> None:
        self._data = b""
        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this object
        except OSError:
            self._data = data
            return
        self._close = weakref.finalize(self, _close, self._file)
        try:
            self._file.write(data)
            self._file.flush()
        except OSError:
            self._data = data

    def read(self) -> bytes:
        if self._data:
            return self._data
        self._file.seek(0)
        return self._file.read()


def _close(file: IO[bytes]) -> None:
    with suppress(OSError):  # its buffer is written now, and there is still no room
        file.close()


def documents(
    *, key: str = "corpus_files", suffixes: Sequence[str] = charset.SUFFIXES
) -> list[Document]:
    """Draw the upload and return the documents; what could not be read is said beside it.

    ZIP archives of such files are taken too. Uploads outlive a visit to another page,
    which empties the widget.
    """
    uploaded = file_uploader(
        _("Text files"),
        (*suffixes, ZIP),
        key=key,
        most_bytes=corpus.MAX_BYTES,
        accept_multiple_files=True,
        help=_("Each file may be in UTF-8, GB18030, Big5 or UTF-16; the guess is shown below."),
    )
    readings: dict[str, list[_Reading]] = st.session_state.setdefault(_KEPT + key, {})
    for file in uploaded:
        if file.file_id not in readings:
            readings[file.file_id] = list(_read_all(file.getvalue(), file.name, suffixes))
        streamlit_private.release_upload(file.file_id)
    chips = ids_of(key)
    if chips:
        for gone in set(readings) - set(chips):
            del readings[gone]
    for file_id, of_file in readings.items():
        for number, reading in enumerate(of_file):
            of_file[number] = _show(reading, f"{file_id}-{number}")
    _say_notes([reading for of_file in readings.values() for reading in of_file])
    if lost := len(set(chips) - set(readings)):
        st.warning(_("Files no longer here, to be uploaded again: {count}").format(count=lost))
    names = [reading.name for some in readings.values() for reading in some[:1]]
    restorable.reads(names)
    if readings and not chips:
        before = names_joined(map(plain, names))
        st.caption(_("Still here from before: {names}").format(names=before))
        st.button(_("Remove these files"), key=f"{key}_remove", on_click=_forget, args=(key,))
    return [read.document for some in readings.values() for read in some if read.document]


def _say_notes(readings: Sequence[_Reading]) -> None:
    notes = {
        f"{plain(reading.name)}{_(': ')}": " ".join(map(error_text, found))
        for reading in readings
        if (found := (*reading.notes, *(reading.document.notes if reading.document else ())))
    }
    if notes:
        several = "\n".join(f"- {name}{text}" for name, text in notes.items())
        st.warning(several if len(readings) > 1 else next(iter(notes.values())))


def _forget(key: str) -> None:
    st.session_state.pop(_KEPT + key, None)


def one_file(
    label: str,
    suffixes: Sequence[str],
    *,
    key: str,
    most_bytes: int,
    help: str | None = None,
    together: bool = False,
) -> tuple[bytes, str] | None:
    """Draw the upload of one small file; return its bytes and name.

    ``together`` takes several as well, which are put into a ZIP.

    Uploads outlive a visit to another view, which empties the widget.
    """
    place = _ONE + key
    file = file_uploader(
        label, suffixes, key=key, most_bytes=most_bytes, help=help,
        accept_multiple_files=together,
        on_change=lambda: st.session_state.pop(place, None),
    )  # fmt: skip
    if together:
        file = _together(file) if file else None
    if file is not None:
        st.session_state[place] = (file.getvalue(), file.name)
    held: tuple[bytes, str] | None = st.session_state.get(place)
    if held is not None:
        restorable.reads([held[1]])
        if file is None:
            st.caption(_("Still here from before: {names}").format(names=plain(held[1])))
    return held


class _Zip(io.BytesIO):
    name = ""


def _together(files: Sequence[Any]) -> Any:
    """Return the one file, or a ZIP of several, the same for the same files."""
    if len(files) == 1:
        return files[0]
    packed = _Zip()
    packed.name = "+".join(file.name for file in files)[:60] + ZIP
    with zipfile.ZipFile(packed, "w") as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.getvalue())
    return packed


def held() -> list[tuple[str, Document]]:
    ones = [
        (key, Document(one[1], _texts(one[0]), "utf-8", guessed=False))
        for key, one in st.session_state.items()
        if isinstance(key, str) and key.startswith(_ONE)
    ]
    return ones + _documents()


def _texts(data: bytes) -> tuple[str, ...]:
    """Return the text of a file, or what it is and its bytes, where it is no UTF-8."""
    try:
        return (data.decode("utf-8"),)
    except UnicodeDecodeError:
        return _BASE64, b64encode(data).decode()


def _data(texts: tuple[str, ...]) -> bytes:
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
        f"restored {number}": [_Reading(document.name, document=document)]
        for number, document in enumerate(documents)
    }


def _held() -> int:
    return sum(document.size for _key, document in _documents())


def _read_all(data: bytes, name: str, suffixes: Sequence[str]) -> Iterator[_Reading]:
    if PurePath(name).suffix.lower() != ZIP:
        yield _read(data, name)
        return
    try:
        unpacked = archive.unpack(data, suffixes)
    except BPEError as error:
        yield _Reading(name, error=error)
        return
    notes = tuple(_left_in(unpacked))
    if not unpacked.files:
        nothing = BPEError("No file in the archive can be read here.")
        yield _Reading(name, error=nothing, notes=notes)
        return
    for number, (member, content) in enumerate(unpacked.files):
        reading = _read(content, f"{name}/{member}")
        yield replace(reading, notes=notes) if number == 0 else reading


def _left_in(unpacked: archive.Unpacked) -> Iterator[BPEError]:
    if unpacked.others:
        yield BPEError(
            "Files of other kinds, left out: {count} ({names}).",
            count=len(unpacked.others),
            names=_some(unpacked.others),
        )
    if unpacked.locked:
        yield BPEError(
            "Files locked with a password, left out: {count} ({names}).",
            count=len(unpacked.locked),
            names=_some(unpacked.locked),
        )


def _some(names: Sequence[str]) -> str:
    return names_joined(names[:NAMED]) + ("…" if len(names) > NAMED else "")


def _read(data: bytes, name: str, encoding: str = _GUESS, column: str | None = None) -> _Reading:
    is_plain = PurePath(name).suffix.lower() in charset.PLAIN
    read = _Reading(name, encoding)
    try:
        if (held := _held() + len(data)) > MAX_SESSION_BYTES:
            raise BPEError(
                "With this file there would be {size} MB of text; the limit is {limit} MB. Remove "
                "a file first.",
                size=held >> 20,
                limit=MAX_SESSION_BYTES >> 20,
            )
        require_memory(_COPIES * len(data))
        source = corpus.read_file(
            data, name, encoding=None if encoding == _GUESS else encoding, lenient=True
        )
    except BPEError as error:
        return replace(read, error=error, raw=_OnDisk(data) if is_plain else None)
    column = column or source.likely_column
    choices = is_plain or len(source.columns) > 1
    read = replace(
        read, columns=source.columns, column=column, raw=_OnDisk(data) if choices else None
    )
    try:
        return replace(read, document=source.document(column))
    except BPEError as error:
        return replace(read, error=error)


def _show(reading: _Reading, key: str) -> _Reading:
    """Draw the choices for one file and what came of them; read it again where these changed."""
    said = st.container()
    if reading.raw:
        with st.expander(_("Encoding and column of {name}").format(name=plain(reading.name))):
            reading = _chosen(reading, key)
    with said:
        if document := reading.document:
            st.caption(
                _("{name}: {characters} characters, read as {encoding}").format(
                    name=plain(reading.name),
                    characters=f"{document.characters:,}",
                    encoding=document.encoding,
                )
            )
        if reading.error:
            reason, name = error_text(reading.error), plain(reading.name)
            st.error(reason if name in reason else f"{name}{_(': ')}{reason}")
    return reading


def _chosen(reading: _Reading, key: str) -> _Reading:
    encoding, column = reading.encoding, reading.column
    if PurePath(reading.name).suffix.lower() in charset.PLAIN:
        encoding = settings.select(
            _("Encoding"),
            {_GUESS: _("guess"), **{name: name for name in charset.ENCODINGS}},
            key=f"encoding-{key}",
            in_url=False,
        )
        if encoding != reading.encoding:
            reading = _again(reading, encoding, None)
    if reading.columns:
        column = settings.select(
            _("Column"),
            {name: name for name in reading.columns},
            key=f"column-{key}",
            default=reading.column,
            in_url=False,
        )
        if column != reading.column:
            reading = _again(reading, encoding, column)
    return reading


def _again(reading: _Reading, encoding: str, column: str | None) -> _Reading:
    data = reading.raw.read() if reading.raw else b""
    return replace(_read(data, reading.name, encoding, column), notes=reading.notes)
