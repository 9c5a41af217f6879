"""The reader of documents: of any file, for the app, the command line and corpora of many files.

:func:`read` yields documents, in the memory of a block of text or some rows. A text is a document;
of a table each cell that is read is one, and of a list of messages each message. Nothing is added
and nothing trimmed. Files of an unknown kind are text.
"""

import codecs
import csv
import glob
import gzip
import io
import os
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from bpe.documents import tables
from bpe.documents.charset import SUFFIXES, decode, known_charset, marked, signature_of
from bpe.documents.tables import GUESS, Choice, Notes, Row
from bpe.errors import BPEError, Sentence, from_extra
from bpe.limits import require_memory
from bpe.reading import parse_json
from bpe.text.digests import digest
from bpe.text.unicode import scalar_text

_GLOB = re.compile(r"[*?[]")
_BINARY = b"\0"
_LOOKED_AT = 8000

COMPRESSIONS = (".gz", ".zst")
MAX_BYTES = 50 * 2**20
"""Of an uploaded file."""
MAX_UNPACKED = 100 * 2**20
"""The most bytes that a compressed upload may have."""
MAX_JSON = 256 * 2**20
"""The most bytes of a JSON array, which is read whole."""

BLOCK = 1 << 20
"""Bytes read at once."""
_HEAD = 1 << 20  # bytes that a charset is guessed from
_LONGEST_LINE = 1 << 28  # characters
_ROW_BYTES, _CELL_BYTES = 400, 60
"""About what a row and a cell take beside their letters."""
_WORKBOOKS = (".xlsx", ".xls", ".ods")
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", *_WORKBOOKS)
_OFFICE = (".pdf", ".docx")
_PACKED = {".pdf": "PDF", ".docx": "Word", ".parquet": "Parquet", ".xls": "Excel", ".xlsx": "Excel",
           ".ods": "OpenDocument"}  # fmt: skip

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
    uploaded: bool = False
    """Whether it is from anybody and in memory: it is decoded whole, and Parquet in a process."""

    @classmethod
    def at(cls, path: Path) -> "File":
        return cls(
            str(path), path.stat().st_size if path.is_file() else None, lambda: path.open("rb")
        )

    @classmethod
    def of(cls, data: bytes, name: str) -> "File":
        return cls(name, len(data), lambda: io.BytesIO(data), uploaded=True)


@dataclass(frozen=True)
class Document:
    """The content of one file: its texts, in order, and how they were read.

    A page asks for the sizes and the digest on every click, so each is worked out once.
    """

    name: str
    texts: tuple[str, ...]
    notes: Notes = field(default_factory=Notes)

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


def compression_of(name: str) -> str:
    """Return the suffix of a compressed file, or nothing."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix if suffix in COMPRESSIONS else ""


def kind_of(name: str) -> str:
    """Return the kind of a table or document by its suffix (``".csv"``, …), or ``""``: text."""
    suffix = suffix_of(name)
    suffix = ".jsonl" if suffix == ".ndjson" else suffix
    return suffix if suffix in (*_TABLES, *_OFFICE) else ""


def for_texts(choice: Choice, names: Iterable[str]) -> Choice:
    """Return how plain texts are read among files of these names: beside tables, without columns.

    Where there is no table, a column is refused.
    """
    beside_tables = any(kind_of(name) in _TABLES for name in names)
    return replace(choice, columns=(), sheet=None) if beside_tables else choice


def is_known(name: str) -> bool:
    return suffix_of(name) in SUFFIXES


def suffix_of(name: str) -> str:
    """Return the suffix in small letters, without that of a compression."""
    path = PurePosixPath(name)
    return (path.with_suffix("") if compression_of(name) else path).suffix.lower()


def read(
    file: File,
    choice: Choice = Choice(),  # noqa: B008 - frozen
    notes: Notes | None = None,
    *,
    on_read: OnRead = lambda size: None,
    on_wait: Callable[[], object] = lambda: None,
) -> Iterator[Iterable[str]]:
    """Yield each document as blocks of text, which must be read before the next document.

    ``notes`` are filled in meanwhile. ``on_wait`` is called while a process with limits reads the
    file; it may raise to stop it. What is broken, in another charset, or has no such column or no
    column of text raises :class:`BPEError` that names the file and the place.
    """
    notes = Notes() if notes is None else notes
    notes.name, notes.charset = file.name, choice.charset
    with _naming(file):
        table = _table(file, choice, notes, on_read, on_wait)
        if table is None:
            if choice.columns:
                raise tables.no_column(file.name, choice.columns[0], ())
            notes.documents += 1
            yield _plain(file, choice, notes, on_read, on_wait)
            return
        for _number, row in table:
            texts = [
                scalar_text(text)
                for cell in row
                for text in (cell if isinstance(cell, list) else [cell or ""])
                if text
            ]
            notes.rows_without_text += not texts
            for text in texts:
                notes.documents += 1
                notes.characters += len(text)
                yield (text,)
        if notes.broken and not notes.documents:
            raise notes.broken[0]


def gathered(documents: Iterable[Iterable[str]], most: int) -> Iterator[list[str] | Iterator[str]]:
    """Yield lists of short documents of about ``most`` characters, and the blocks of a longer one.

    >>> [list(some) for some in gathered([["a"], ["b"], ["long", " one"], ["c"]], 3)]
    [['a', 'b'], ['long', ' one'], ['c']]
    """
    short: list[str] = []
    size = 0
    for document in documents:
        blocks = iter(document)
        head = list(islice(blocks, 2))
        is_short = len(head) < 2 and sum(map(len, head)) <= most
        if is_short:
            short.append("".join(head))
            size += len(short[-1])
        if short and (size >= most or not is_short):
            yield short
            short, size = [], 0
        if not is_short:
            yield chain(head, blocks)
    if short:
        yield short


def rows(
    file: File, choice: Choice, notes: Notes, on_wait: Callable[[], object] = lambda: None
) -> Iterator[Row]:
    """Yield the rows of a table; of what is no table, nothing."""
    notes.name = file.name
    with _naming(file):
        yield from _table(file, choice, notes, lambda size: None, on_wait) or ()


def whole(
    data: bytes,
    name: str,
    choice: Choice = Choice(charset=GUESS),  # noqa: B008 - frozen
    *,
    notes: Notes | None = None,
    max_bytes: int = MAX_BYTES,
    on_wait: Callable[[], object] = lambda: None,
) -> Document:
    """Return an uploaded file as :func:`read` reads it; its suffix says what it is.

    Raises :class:`BPEError` for a file that is too large or of another kind as well, and where
    there is no text in it.
    """
    if not is_known(name):
        raise BPEError(
            "“{name}” is not a kind of file that can be read here. Use one of: {suffixes}.",
            name=name,
            suffixes=", ".join(SUFFIXES),
        )
    if len(data) > max_bytes:
        raise BPEError(
            "“{name}” has {size:.1f} MB; the limit is {limit:.1f} MB. Upload a part of it.",
            name=name,
            size=len(data) / 2**20,
            limit=max_bytes / 2**20,
        )
    notes = Notes() if notes is None else notes
    file = File.of(data, name)
    texts = tuple("".join(blocks) for blocks in read(file, choice, notes, on_wait=on_wait))
    if not any(texts):
        raise BPEError("There is no text in “{name}”.", name=name)
    return Document(name, texts, notes)


@contextmanager
def _naming(file: File) -> Iterator[None]:
    try:
        yield
    except BPEError as error:
        if file.uploaded or file.name in str(error):
            raise  # beside an upload, its name stands
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


# Tables.


def _table(
    file: File, choice: Choice, notes: Notes, on_read: OnRead, on_wait: Callable[[], object]
) -> Iterator[Row] | None:
    """Return the rows of a file, or ``None`` where it is no table."""
    kind = kind_of(file.name)
    if choice.sheet is not None and kind not in _WORKBOOKS:
        raise BPEError(
            "“{name}” is no workbook and has no sheet “{sheet}”. Leave the sheet out.",
            name=file.name,
            sheet=choice.sheet,
        )
    if kind in _WORKBOOKS or (kind == ".parquet" and file.uploaded):
        return _isolated(file, choice, notes, on_read, on_wait)
    if kind == ".parquet":
        return _of_parquet(file, choice, notes, on_read)
    if kind == ".jsonl":
        return _of_json_lines(file, choice, notes, on_read)
    if kind == ".json":
        return _of_json(file, choice, notes, on_read)
    return _of_sheet(file, choice, notes, on_read) if kind in (".csv", ".tsv") else None


def _of_sheet(file: File, choice: Choice, notes: Notes, on_read: OnRead) -> Iterator[Row]:
    """Read csv or tsv; the latter often has no quoting, so that quotes may be text."""
    lines = _lines(_text(file, choice, notes, on_read), file)
    delimiter, quoting = "\t", csv.QUOTE_MINIMAL
    if kind_of(file.name) == ".tsv":
        try:
            once = _lines(_text(file, choice, Notes()), file)
            deque(tables.parsed(once, "\t", quoting, choice, Notes()), maxlen=0)
        except BPEError:
            quoting = csv.QUOTE_NONE
    else:
        first_line = next(lines, "")
        outside_quotes = "".join(first_line.split('"')[::2])
        delimiter = max(",;\t|", key=outside_quotes.count)
        if named := re.fullmatch(r'"?sep=(.)"?\s*', first_line):  # a word to Excel, no row
            delimiter, first_line = named[1], "\n"
        lines = chain([first_line], lines)
    cells = tables.parsed(lines, delimiter, quoting, choice, notes)
    yield from tables.of_cells(cells, choice, notes)


def _of_json_lines(file: File, choice: Choice, notes: Notes, on_read: OnRead) -> Iterator[Row]:
    lines = _lines(_text(file, choice, notes, on_read), file, newline="\n")
    yield from tables.of_json(tables.json_lines(lines, choice, notes), choice, notes)


def _of_json(file: File, choice: Choice, notes: Notes, on_read: OnRead) -> Iterator[Row] | None:
    """Return the rows of a JSON file that is a table; other JSON is a text, which is noted."""
    lines = _lines(_text(file, choice, Notes()), file, newline="\n")
    filled = (line for line in lines if line.strip())
    head, another = next(filled, ""), next(filled, "")
    if another and _parsed(head) is not None:
        return _of_json_lines(file, choice, notes, on_read)
    if head.lstrip()[:1] not in ("{", "["):
        return None
    value = _parsed("".join(_bounded(file, _text(file, choice, notes))))
    items, others = tables.json_items(value, choice)
    if items is None:
        if choice.columns:
            fields = list(value) if isinstance(value, dict) else []
            raise tables.no_column(file.name, choice.columns[0], fields)
        if not (isinstance(value, dict) and all(isinstance(n, int) for n in value.values())):
            notes.remarks.append(
                BPEError(
                    "“{name}” holds no table that is known here: it is read as plain text, "
                    "brackets and all.",
                    name=file.name,
                )
            )
        return None
    on_read(file.size or 0)
    rows = enumerate(items, start=1)
    return tables.of_json(rows, choice, notes, others)


def _parsed(text: str) -> Any:
    """Return a value of JSON, ``None`` where it is none."""
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        if isinstance(error, BPEError):
            raise
        return None


def _bounded(file: File, blocks: Iterable[str]) -> Iterator[str]:
    size = 0
    for block in blocks:
        size += len(block)
        if size > MAX_JSON:
            raise BPEError(
                "“{name}” is JSON of more than {limit} MB, which is read whole. Write one object "
                "a line (.jsonl), or name it .txt to read it as text.",
                name=file.name,
                limit=MAX_JSON >> 20,
            )
        yield block


def _of_parquet(file: File, choice: Choice, notes: Notes, on_read: OnRead) -> Iterator[Row]:
    from bpe.documents.untrusted import parquet_rows  # with the sandbox it takes long

    notes.charset = _PACKED[".parquet"]
    with file.open() as opened:
        yield from parquet_rows(opened, choice, notes, on_read, file.size or 0)


def _isolated(
    file: File, choice: Choice, notes: Notes, on_read: OnRead, on_wait: Callable[[], object]
) -> Iterator[Row]:
    """Read a table in a process with limits."""
    (values, numbers, sizes), all_cells = _in_process(
        "table_of", file, on_read, on_wait, name=file.name, choice=asdict(choice)
    )
    for name, value in values.items():
        setattr(notes, name, tuple(value) if isinstance(value, list) else value)
    notes.charset = _PACKED[kind_of(file.name)]
    texts = iter(all_cells)
    width = len(notes.columns)
    cells = iter(sizes)
    for number in numbers:
        yield number, tuple([list(islice(texts, size)) for size in islice(cells, width)])


def _in_process(
    function: str, file: File, on_read: OnRead, on_wait: Callable[[], object], **options: Any
) -> Any:
    from bpe import sandbox  # it takes long

    with file.open() as opened:
        data = opened.read()
    on_read(len(data))
    name, kind = f"bpe.documents.untrusted:{function}", kind_of(file.name)
    return sandbox.unpack(sandbox.run(name, data, on_wait=on_wait, kind=kind, **options))


# Text.


def _plain(
    file: File, choice: Choice, notes: Notes, on_read: OnRead, on_wait: Callable[[], object]
) -> Iterator[str]:
    """Yield a plain text, or that of a PDF or a Word document."""
    with _naming(file):
        blocks: Iterable[str] = _text(file, choice, notes, on_read, keep_mark=choice.keep_mark)
        if kind_of(file.name) in _OFFICE:
            notes.charset = _PACKED[kind_of(file.name)]
            remarks, blocks = _in_process("text_of", file, on_read, on_wait)
            notes.remarks += [Sentence.of(template, **values) for template, values in remarks]
        for block in blocks:
            notes.characters += len(block)
            yield block


def _text(
    file: File,
    choice: Choice,
    notes: Notes,
    on_read: OnRead = lambda size: None,
    *,
    keep_mark: bool = False,
) -> Iterator[str]:
    """Yield the text of a file block by block, as a rule without a byte order mark."""
    charset = choice.charset
    with _opened(file, on_read) as blocks:
        if file.uploaded:
            yield from _of_upload(file, blocks, charset, notes)
            return
        if charset == "utf-8":
            start, blocks = _head(blocks, 4)
            charset = marked(start) or charset
        if charset == GUESS:
            head, blocks = _head(blocks, _HEAD)
            decoded = decode(head)
            charset, notes.charset_guessed = decoded.encoding, decoded.guessed
        notes.charset = charset
        first = True
        for text in _decoded(blocks, charset, file):
            if first and not (keep_mark and charset == "utf-8"):
                text = text.removeprefix("\ufeff")
            if text:
                yield text
            first = False


def _of_upload(file: File, blocks: Iterable[bytes], charset: str, notes: Notes) -> Iterator[str]:
    read: list[bytes] = []
    for block in blocks:
        read.append(block)
        if sum(map(len, read)) > MAX_UNPACKED:
            raise BPEError(
                "“{name}” unpacks to more than {limit} MB. Upload a part of it.",
                name=file.name,
                limit=MAX_UNPACKED >> 20,
            )
    data = b"".join(read)
    if kind_of(file.name):
        cells = max(map(data.count, (b",", b"\t", b'":')))
        require_memory(_ROW_BYTES * data.count(b"\n") + _CELL_BYTES * cells + 2 * len(data))
    decoded = decode(data, encoding=None if charset == GUESS else charset)
    notes.charset, notes.charset_guessed = decoded.encoding, decoded.guessed
    text = decoded.text
    for start in range(0, len(text), BLOCK):
        yield text[start : start + BLOCK]


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


# Files on this machine.


def find(names: Iterable[str]) -> tuple[list[Path], list[Path]]:
    """Return the files that are named, each once, and those that were left out of folders.

    A name that leads to no file raises :class:`BPEError`.
    """
    files: list[Path] = []
    left_out: list[Path] = []
    for name in names:
        if exists(name):
            paths = [Path(name)]
        elif not _GLOB.search(name):
            raise BPEError("There is no file “{name}”.", name=name)
        elif not (paths := matching(name)):
            raise BPEError("No file fits “{name}”.", name=name)
        for path in paths:
            files.extend(_files_of(path, left_out))
    return list(dict.fromkeys(files)), left_out


def exists(name: str) -> bool:
    """Return whether a file, folder or link has that name; a long text is no name at all."""
    try:
        return os.path.lexists(name)
    except (OSError, ValueError):
        return False


def matching(pattern: str) -> list[Path]:
    """Return what fits a pattern of names, sorted; nothing where it is none."""
    if not _GLOB.search(pattern):
        return []
    return [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]


def _files_of(path: Path, left_out: list[Path]) -> list[Path]:
    if not path.is_dir():
        return [path]
    files: list[Path] = []
    for directory, folders, names in os.walk(path):
        folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
        for name in sorted(names):
            file = Path(directory, name)
            if not name.startswith(".") and file.is_file():
                (left_out if _is_binary(file) else files).append(file)
    if not files:
        raise BPEError("There is no text file in “{name}”.", name=str(path))
    return files


def _is_binary(path: Path) -> bool:
    """Return whether a file is no text, as git decides it, and of no kind that is read here."""
    name = path.name.lower()
    if kind_of(name) in _PACKED or (compression_of(name) and is_known(name)):
        return False
    with path.open("rb") as file:
        return _BINARY in file.read(_LOOKED_AT)


# Bytes.


@contextmanager
def _opened(file: File, on_read: OnRead) -> Iterator[Iterator[bytes]]:
    """Give the blocks of a file, unpacked."""
    with file.open() as raw:
        if compression_of(file.name) == ".gz":
            with gzip.open(raw, "rb") as plain:
                yield _blocks(file, raw, plain, on_read)
        elif compression_of(file.name) == ".zst":
            with from_extra("documents"):
                import pyarrow as arrow
            try:
                with arrow.CompressedInputStream(arrow.PythonFile(raw, "r"), "zstd") as plain:
                    yield _blocks(file, raw, plain, on_read)
            except arrow.ArrowException as error:
                raise OSError(str(error)) from error
        else:
            yield _blocks(file, raw, raw, on_read)


def _blocks(file: File, raw: BinaryIO, plain: Any, on_read: OnRead) -> Iterator[bytes]:
    """Yield blocks; of a pipe what is there, as soon as it is enough to be worth it."""
    read = getattr(plain, "read1", plain.read)
    done = 0
    while data := read(BLOCK):
        while len(data) < BLOCK // 4 and (more := read(BLOCK - len(data))):
            data += more
        if file.size is not None:
            place = raw.tell()
            on_read(place - done)
            done = place
        yield data
