"""Uploaded files to documents: plain text, tables (csv, tsv, Parquet), JSON lines, PDF and Word.

A document's texts are exactly what the file says: no cell is trimmed, and line ends inside a
text stay as they are, since every byte of them is counted later on. How bytes become characters
is in :mod:`bpe.documents.charset`, how these become rows in :mod:`bpe.documents.tables`; the
other kinds are in :mod:`bpe.documents.parquet` and :mod:`bpe.documents.office`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import PurePath

from bpe import sandbox
from bpe.documents.charset import SUFFIXES, Decoded, decode
from bpe.documents.parquet import Parquet
from bpe.documents.tables import ROWS_TO_LOOK_AT, JsonLines, Sheet, Table, likely_column, no_column
from bpe.errors import BPEError
from bpe.text.digests import digest
from bpe.text.unicode import scalar_text

MAX_BYTES = 50 * 1024 * 1024

_TABLES: Mapping[str, Callable[..., Table]] = {
    ".csv": Sheet.from_text,
    ".tsv": partial(Sheet.from_text, delimiter="\t"),
    ".jsonl": JsonLines.from_text,
}


@dataclass(frozen=True)
class Document:
    """The content of one file: its texts, in order, and how its bytes were understood.

    A page asks for the sizes and the digest on every click, so each is worked out once.
    """

    name: str
    texts: tuple[str, ...]
    encoding: str
    guessed: bool
    column: str | None = None
    notes: tuple[BPEError, ...] = ()
    """What of the file is not in the texts, a sentence each."""

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @cached_property
    def characters(self) -> int:
        return sum(map(len, self.texts))

    @cached_property
    def size(self) -> int:
        """How many bytes the texts have together in UTF-8, whatever the file was in."""
        return sum(len(text.encode()) for text in self.texts)

    @cached_property
    def digest(self) -> str:
        """The digest of the texts; the file's name and encoding do not matter."""
        return digest(self.texts)


@dataclass(frozen=True)
class ReadFile:
    """A file that has been read: its text and, if it is a table or JSON lines, what is in them."""

    name: str
    decoded: Decoded
    table: Table | None
    notes: tuple[BPEError, ...] = ()
    """What of the file is not in it, a sentence each."""

    @property
    def columns(self) -> tuple[str, ...]:
        return self.table.columns if self.table else ()

    @cached_property
    def likely_column(self) -> str | None:
        if self.table is None:
            return None
        return likely_column(self.columns, partial(self.table.most_letters, ROWS_TO_LOOK_AT))

    def document(self, column: str | None = None) -> Document:
        """Return the texts of ``column``, by default of the likely one.

        Raises :class:`BPEError` where there is no such column or no text in it.
        """
        if self.table is None:
            texts = [self.decoded.text]
            if column is not None:
                raise BPEError("“{name}” is plain text and has no columns.", name=self.name)
        else:
            column = self.likely_column if column is None else self._known(column)
            texts = self.table.texts(column)
        texts = [scalar_text(text) for text in texts if text]
        if not texts:
            raise BPEError("There is no text in “{name}”.", name=self.name)
        notes = self.notes
        if self.table is not None and (empty := self.table.height - len(texts)):
            notes += (BPEError("Rows without text, left out: {count}.", count=f"{empty:,}"),)
        encoding, guessed = self.decoded.encoding, self.decoded.guessed
        return Document(self.name, tuple(texts), encoding, guessed, column, notes)

    def cells(self, wanted: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the number of each row and its cells in some columns, empty where there is none.

        Rows are numbered from 1, the heading included. A column that does not exist raises
        :class:`BPEError`.
        """
        for column in wanted:
            self._known(column)
        if self.table is not None:
            yield from self.table.cells(wanted)

    def _known(self, column: str) -> str:
        if column not in self.columns:
            raise no_column(self.name, column, self.columns)
        return column


def read_file(
    data: bytes,
    filename: str,
    *,
    encoding: str | None = None,
    max_bytes: int = MAX_BYTES,
    lenient: bool = False,
    on_wait: Callable[[], object] = lambda: None,
) -> ReadFile:
    """Read an uploaded file; the suffix of ``filename`` says what it is.

    ``encoding`` overrides the guess. ``lenient`` leaves broken rows of a table out and says so in
    the notes. ``on_wait`` is called while a PDF or a Word document is read; it may raise to stop
    it. Raises :class:`BPEError` for a file that is too large, empty, binary or not decodable, of
    another kind, or broken in some line.
    """
    suffix = suffix_of(filename)
    if len(data) > max_bytes:
        raise BPEError(
            "“{name}” has {size:.1f} MB; the limit is {limit:.1f} MB. Upload a part of it.",
            name=filename,
            size=len(data) / 2**20,
            limit=max_bytes / 2**20,
        )
    if suffix == ".parquet":
        return ReadFile(filename, Decoded("", "Parquet", guessed=False), Parquet.from_bytes(data))
    if suffix in (".pdf", ".docx"):
        kind = suffix.removeprefix(".")
        counted, (text,) = sandbox.unpack(
            sandbox.run("bpe.documents.office:read", data, kind=kind, on_wait=on_wait)
        )
        decoded = Decoded(text, {"pdf": "PDF", "docx": "Word"}[kind], guessed=False)
        return ReadFile(filename, decoded, None, tuple(_left_out(counted)))
    decoded = decode(data, encoding=encoding)
    if suffix not in _TABLES:
        return ReadFile(filename, decoded, None)
    broken: list[BPEError] = []
    table = _TABLES[suffix](decoded.text, broken=broken if lenient else None)
    if broken and not table.height:
        raise broken[0]
    notes = (_broken_rows(broken), broken[0]) if broken else ()
    return ReadFile(filename, decoded, table, notes)


def _broken_rows(broken: Sequence[BPEError]) -> BPEError:
    return BPEError("Broken rows, left out: {count}. The first:", count=f"{len(broken):,}")


def _left_out(counted: Mapping[str, int]) -> Iterator[BPEError]:
    if pages := counted.get("pages without text"):
        yield BPEError(
            "Pages without text, left out: {count} of {pages}. They may be pictures.",
            count=f"{pages:,}",
            pages=f"{counted['pages']:,}",
        )
    if unknown := counted.get("unknown characters"):
        yield BPEError(
            "Characters that the fonts of this PDF leave unknown: {count}.", count=f"{unknown:,}"
        )
    if pictures := counted.get("pictures"):
        yield BPEError("Pictures, left out: {count}.", count=f"{pictures:,}")


def lines(text: str) -> list[str]:
    r"""Return the lines of a text as an editor counts them.

    >>> lines("one\ntwo\r\nthree\u2028still three\n")
    ['one', 'two', 'three\u2028still three', '']
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def suffix_of(filename: str) -> str:
    """Return the suffix of a file that can be read here, in small letters; of others, say so."""
    suffix = PurePath(filename).suffix.lower()
    if suffix not in SUFFIXES:
        raise BPEError(
            "“{name}” is not a kind of file that can be read here. Use one of: {suffixes}.",
            name=filename,
            suffixes=", ".join(SUFFIXES),
        )
    return suffix
