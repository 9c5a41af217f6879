"""The documents of any file as a stream: text, csv, tsv, JSON lines, Parquet, PDF and Word.

One reader for the command line and for corpora of many files; memory holds a block of a text or
some rows of a table. Text, csv, tsv and JSON lines may be compressed (``.gz``, ``.zst``). Text is
UTF-8 unless a byte order mark says otherwise, or a charset is named or asked to be guessed. The
mark is no part of the text, and line ends stay as they are. A file of an unknown kind is text.
"""

import codecs
import csv
import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, cast

from bpe.documents import tables
from bpe.documents.charset import SUFFIXES, decode, known_charset, marked, signature_of
from bpe.documents.tables import ROWS_TO_LOOK_AT, JsonLines, Sheet, likely_column, no_column
from bpe.errors import BPEError, from_extra
from bpe.text.unicode import scalar_text

COMPRESSIONS = (".gz", ".zst")
GUESS = "guess"
"""The charset that asks for a guess."""

BLOCK = 1 << 20
"""Bytes read at once."""
_HEAD = 1 << 20  # bytes that a charset is guessed from
_LONGEST_LINE = 1 << 28  # characters
_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
_OFFICE = (".pdf", ".docx")

OnRead = Callable[[int], object]
"""Called with how many bytes of a file were read since the last call."""


@dataclass(frozen=True)
class File:
    """Something that can be read: its name, its size in bytes if known, and how it is opened."""

    name: str
    size: int | None
    open: Callable[[], BinaryIO]
    may_be_binary: bool = True
    """Whether it is refused if it begins like a file that is no text."""

    @classmethod
    def at(cls, path: Path) -> "File":
        return cls(
            str(path), path.stat().st_size if path.is_file() else None, lambda: path.open("rb")
        )


def compression_of(name: str) -> str:
    """Return the suffix of a compressed file, or nothing."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix if suffix in COMPRESSIONS else ""


def kind_of(name: str) -> str:
    """Return ``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``, ``.pdf``, ``.docx``, or ``""``: text."""
    suffix = _inner_suffix(name)
    suffix = ".jsonl" if suffix == ".ndjson" else suffix
    return suffix if suffix in (*_TABLES, *_OFFICE) else ""


def is_known(name: str) -> bool:
    """Return whether a name has the suffix of a kind that is read here."""
    return _inner_suffix(name) in SUFFIXES


def _inner_suffix(name: str) -> str:
    path = PurePosixPath(name)
    return (path.with_suffix("") if compression_of(name) else path).suffix.lower()


@dataclass
class Tally:
    """How much of files is read so far."""

    documents: int = 0
    characters: int = 0
    rows_without_text: int = 0
    columns: dict[str, str] = field(default_factory=dict)
    """The column of each table that was chosen without having been named."""
    charsets: dict[str, str] = field(default_factory=dict)
    """The charset of each file that was guessed."""


def documents(
    file: File,
    *,
    column: str | None = None,
    charset: str = "utf-8",
    keep_mark: bool = False,
    tally: Tally | None = None,
    on_read: OnRead = lambda size: None,
) -> Iterator[Iterable[str]]:
    """Yield each document as blocks of text, which must be read before the next document.

    A text is one document, and of a table each cell of ``column`` that has text is one; without a
    name it is the column that looks like text (:func:`bpe.documents.tables.likely_column`).
    ``keep_mark`` leaves a byte order mark of UTF-8 at the beginning of a plain text. What is
    broken, in another charset or without such a column raises :class:`BPEError` that names the file
    and the place.
    """
    tally = Tally() if tally is None else tally
    with _naming(file):
        if kind_of(file.name) in _TABLES:
            for cell in _cells(file, column, charset, tally, on_read):
                if not cell:
                    tally.rows_without_text += 1
                    continue
                text = scalar_text(cell)
                tally.documents += 1
                tally.characters += len(text)
                yield (text,)
            return
        tally.documents += 1
        if kind_of(file.name) in _OFFICE:
            yield _counted(file, [_of_office(file, on_read)], tally)
        else:
            yield _counted(file, _text(file, charset, tally, on_read, keep_mark), tally)


def _counted(file: File, blocks: Iterable[str], tally: Tally) -> Iterator[str]:
    with _naming(file):
        for block in blocks:
            tally.characters += len(block)
            yield block


@contextmanager
def _naming(file: File) -> Iterator[None]:
    try:
        yield
    except BPEError as error:
        if file.name in str(error):
            raise
        raise BPEError("{name}: {reason}", name=file.name, reason=error) from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BPEError(
            "“{name}” could not be read to its end: it is damaged or cut short.", name=file.name
        ) from error
    except OSError as error:
        if isinstance(error, BrokenPipeError | FileNotFoundError):
            raise
        raise BPEError(
            "“{name}” could not be read to its end: {reason}",
            name=file.name,
            reason=str(error)[:200],
        ) from error


def _of_office(file: File, on_read: OnRead) -> str:
    from bpe.documents.corpus import read_file  # with the sandbox it takes long

    with file.open() as opened:
        data = opened.read()
    on_read(len(data))
    return read_file(data, PurePosixPath(file.name).name, max_bytes=len(data)).document().text


# Rows.


Choose = Callable[[Sequence[str], Callable[[], str | None]], str | None]
"""Chooses one of the columns; what has the most letters is worked out if need be."""


def _cells(
    file: File, column: str | None, charset: str, tally: Tally, on_read: OnRead
) -> Iterator[str | None]:
    def choose(columns: Sequence[str], most_letters: Callable[[], str | None]) -> str | None:
        if column is not None:
            return column
        chosen = likely_column(columns, most_letters)
        if chosen is not None:
            tally.columns[file.name] = chosen
        return chosen

    if kind_of(file.name) == ".parquet":
        yield from _of_parquet(file, choose, on_read)
    elif kind_of(file.name) == ".jsonl":
        yield from _of_json(file, _text(file, charset, tally, on_read), choose)
    else:
        yield from _of_sheet(file, charset, tally, choose, on_read)


def _of_sheet(
    file: File, charset: str, tally: Tally, choose: Choose, on_read: OnRead
) -> Iterator[str | None]:
    lines = _lines(_text(file, charset, tally, on_read), file)
    delimiter, quoting = "\t", csv.QUOTE_MINIMAL
    if kind_of(file.name) == ".tsv":
        try:
            for _ in tables.parsed(_lines(_text(file, charset, Tally()), file), delimiter, quoting):
                pass
        except BPEError:
            quoting = csv.QUOTE_NONE
    else:
        first_line = next(lines, "")
        delimiter = tables.delimiter_of(first_line)
        lines = chain([first_line], lines)
    rows = tables.parsed(lines, delimiter, quoting)
    first = list(islice(rows, ROWS_TO_LOOK_AT + 1))
    names, below = tables.heading(first)
    column = choose(names, partial(Sheet(names, below, 1).most_letters, ROWS_TO_LOOK_AT))
    if column is not None and column not in names:
        raise no_column(file.name, column, names)
    at = names.index(column) if column is not None else 0
    for row in chain(below, rows):
        yield row[at] if len(row) > at else None


def _of_json(file: File, blocks: Iterable[str], choose: Choose) -> Iterator[str | None]:
    values = tables.json_values(_lines(blocks, file, newline="\n"))
    first = list(islice(values, ROWS_TO_LOOK_AT))
    columns = tables.json_fields(first)
    column = choose(columns, partial(JsonLines(columns, first).most_letters, ROWS_TO_LOOK_AT))
    found, objects = False, 0
    for line, value in chain(first, values):
        if isinstance(value, str):
            yield value
            continue
        objects += 1
        found = found or column in value
        yield tables.json_field(line, value, column)
    if objects and not found:
        raise no_column(file.name, column or "text", columns)


def _of_parquet(file: File, choose: Choose, on_read: OnRead) -> Iterator[str | None]:
    from bpe.documents.parquet import cells_of, columns_of  # with the sandbox it takes long

    with from_extra("documents"):
        import pyarrow as arrow
        from pyarrow import parquet
    try:
        with file.open() as opened, parquet.ParquetFile(opened) as table:
            said = columns_of(table)
            rows = said["rows"]
            columns = tuple(said["columns"])
            column = choose(columns, lambda: cast("str | None", said["likely"]))
            if column is None or column not in columns:
                raise no_column(file.name, column or "text", columns)
            size, told = file.size or 0, 0
            for row, (cell,) in enumerate(cells_of(table, [column]), start=1):
                yield cell
                if row % ROWS_TO_LOOK_AT == 0 or row == rows:
                    on_read(size * row // rows - told)
                    told = size * row // rows
    except (arrow.ArrowException, UnicodeDecodeError) as error:
        raise BPEError("The Parquet file is broken. Write it again.") from error


# Text.


def _text(
    file: File,
    charset: str,
    tally: Tally,
    on_read: OnRead = lambda size: None,
    keep_mark: bool = False,
) -> Iterator[str]:
    """Yield the text of a file block by block, as a rule without a byte order mark."""
    with _opened(file, on_read) as opened:
        blocks = _blocks(opened)
        if charset == "utf-8":
            start, blocks = _head(blocks, 4)
            charset = marked(start) or charset
        if charset == GUESS:
            head, blocks = _head(blocks, _HEAD)
            decoded = decode(head)
            charset = decoded.encoding
            if decoded.guessed:
                tally.charsets[file.name] = charset
        first = True
        for text in _decoded(blocks, charset, file):
            if first and not (keep_mark and charset == "utf-8"):
                text = text.removeprefix("\ufeff")
            if text:
                yield text
            first = False


def _head(blocks: Iterator[bytes], size: int) -> tuple[bytes, Iterator[bytes]]:
    """Return so much of the beginning of a file, cut behind a line, and all of its blocks."""
    read: list[bytes] = []
    for block in blocks:
        read.append(block)
        if sum(map(len, read)) >= size:
            break
    head = b"".join(read)
    if len(head) >= size and marked(head) is None:
        head = head[: head.rfind(b"\n") + 1] or head
    return head, chain(read, blocks)


def _decoded(blocks: Iterable[bytes], charset: str, file: File) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(known_charset(charset))()
    done = 0
    for block in chain(blocks, [b""]):
        if not done and file.may_be_binary and (kind := signature_of(block)):
            raise BPEError(
                "This is a {kind} file, not plain text. Save its text as UTF-8 first.", kind=kind
            )
        waiting = len(decoder.getstate()[0])
        try:
            yield decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            raise BPEError(
                "“{name}” is not {charset}: byte {place} does not fit. Name the charset that it "
                "is in, such as gb18030, or convert it to UTF-8.",
                name=file.name,
                charset=charset.upper(),
                place=f"{done - waiting + error.start + 1:,}",
            ) from error
        done += len(block)


def _lines(blocks: Iterable[str], file: File, newline: str = "") -> Iterator[str]:
    r"""Yield lines with their ends; with ``newline`` ``""`` these are ``\n``, ``\r`` and both."""
    begun: list[str] = []
    length = 0
    for block in blocks:
        begun.append(block)
        length += len(block)
        if "\n" in block or (not newline and "\r" in block):
            lines = list(io.StringIO("".join(begun), newline=newline))
            yield from lines[:-1]
            begun, length = lines[-1:], len(lines[-1])
        if length > _LONGEST_LINE:
            raise BPEError(
                "A line of “{name}” is longer than {limit} million characters. Is it one value per "
                "line?",
                name=file.name,
                limit=_LONGEST_LINE >> 20,
            )
    yield from io.StringIO("".join(begun), newline=newline)


# Bytes.


class _Counting:
    def __init__(self, file: BinaryIO, on_read: OnRead) -> None:
        self._file, self._on_read = file, on_read

    def read(self, size: int = -1) -> bytes:
        return self._told(self._file.read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._told(getattr(self._file, "read1", self._file.read)(size))

    def _told(self, data: bytes) -> bytes:
        self._on_read(len(data))
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextmanager
def _opened(file: File, on_read: OnRead) -> Iterator[IO[bytes]]:
    with file.open() as raw:
        counting = cast(BinaryIO, _Counting(raw, on_read))
        if compression_of(file.name) == ".gz":
            with gzip.open(counting, "rb") as plain:
                yield cast(IO[bytes], plain)
        elif compression_of(file.name) == ".zst":
            with from_extra("documents"):
                import pyarrow as arrow
            try:
                with arrow.CompressedInputStream(arrow.PythonFile(counting), "zstd") as plain:
                    yield plain
            except arrow.ArrowException as error:
                raise OSError(str(error)) from error
        else:
            yield counting


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield blocks; of a pipe what is there, as soon as it is enough to be worth it."""
    read = getattr(file, "read1", file.read)
    while data := read(BLOCK):
        while len(data) < BLOCK // 4 and (more := read(BLOCK - len(data))):
            data += more
        yield data
