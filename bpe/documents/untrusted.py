"""Files that a few bytes can blow up: archives, PDF, Word, workbooks and Parquet.

All but archives are read in a process with limits (:mod:`bpe.sandbox`). What a file holds beside
its text is counted or named.
"""

import io
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree

from bpe import sandbox
from bpe.documents.tables import (
    ROWS_TO_LOOK_AT,
    Choice,
    Notes,
    Row,
    choose_columns,
    of_cells,
    texts_of,
)
from bpe.errors import BPEError, from_extra
from bpe.limits import require_memory

MAX_BYTES = 100 * 2**20
"""The most bytes that an archive or a compressed file may unpack to."""
MAX_FILES = 1_000
"""Of an archive."""
MAX_PAGES = 5_000
MAX_XML = 200 * 2**20
"""The most bytes of XML that a docx may unpack to."""
MAX_TEXT = 100 * 2**20
"""The most bytes that the texts of a table may have together."""

ENTRY = b"PK\x01\x02"
"""How each entry begins in the list of an archive, which is read whole before it can be counted."""

_BLOCK = 1 << 20
MOST_ENTRIES = 50 * MAX_FILES
"""With folders, and those of Word documents that are stored in an archive."""
_LOCKED = 0x1
_UTF8 = 0x800
_NAMED = 3
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_TEXT, _PARAGRAPH = _WORD + "t", _WORD + "p"
_SIGNS = {_WORD + "tab": "\t", _WORD + "br": "\n", _WORD + "cr": "\n"}
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")


# Archives.


def unpack(
    data: bytes, suffixes: Collection[str]
) -> tuple[list[tuple[str, bytes]], list[BPEError]]:
    """Return the files of a ZIP archive that end in one of ``suffixes`` (".txt"), and notes.

    An archive inside an archive is not opened; a note names what is left out. A broken archive, too
    many files or more than :data:`MAX_BYTES` raise :class:`BPEError`.
    """
    files: list[tuple[str, bytes]] = []
    locked, others = [], []
    if (count := data.count(ENTRY)) > MOST_ENTRIES:
        raise _too_many(count)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [
                entry
                for entry in archive.infolist()  # macOS adds a file to each
                if not entry.is_dir() and not entry.filename.startswith("__MACOSX/")
            ]
            if len(entries) > MAX_FILES:
                raise _too_many(len(entries))
            wanted = []
            for entry in entries:
                name = _name(entry)
                if not name.lower().endswith(tuple(suffixes)):
                    others.append(name)
                elif entry.flag_bits & _LOCKED:
                    locked.append(name)
                else:
                    wanted.append((name, entry))
            sizes = [entry.file_size for _name, entry in wanted]
            if sum(sizes) > _BLOCK:  # of which one at a time is put together from blocks
                require_memory(min(MAX_BYTES, sum(sizes)) + min(MAX_BYTES, max(sizes)))
            room = MAX_BYTES
            for name, entry in wanted:
                content = _content(archive, entry, room)
                room -= len(content)
                files.append((name, content))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError) as error:
        raise BPEError(
            "The archive is broken or packed in a way that cannot be read here. Pack it again as "
            "an ordinary ZIP file."
        ) from error
    notes = []
    if others:
        notes.append(
            BPEError("Files of other kinds, left out: {count} ({names}).", **_some(others))
        )
    if locked:
        notes.append(
            BPEError("Files locked with a password, left out: {count} ({names}).", **_some(locked))
        )
    return files, notes


def _too_many(files: int) -> BPEError:
    return BPEError(
        "The archive has {files} files; the limit is {limit}. Upload a part of them.",
        files=f"{files:,}",
        limit=f"{MAX_FILES:,}",
    )


def _some(names: Sequence[str]) -> dict[str, object]:
    some = ", ".join(names[:_NAMED]) + ("…" if len(names) > _NAMED else "")
    return {"count": len(names), "names": some}


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, room: int) -> bytes:
    """Return what the entry unpacks to, block by block, so that other threads have their turn."""
    blocks = []
    with archive.open(entry) as file:
        while block := file.read(_BLOCK):
            room -= len(block)
            if room < 0:
                raise BPEError(
                    "The archive unpacks to more than {limit} MB. Upload a part of its files.",
                    limit=MAX_BYTES >> 20,
                )
            blocks.append(block)
    return b"".join(blocks)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the name of an entry; Windows writes Chinese ones in GBK and does not say so."""
    if entry.flag_bits & _UTF8:
        return entry.filename
    raw = entry.filename.encode("cp437", "replace")
    for charset in ("utf-8", "gb18030"):
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            continue
    return entry.filename


# Documents.


def text_of(data: bytes, *, kind: str) -> bytes:
    """Return the text of a ``".pdf"`` or ``".docx"`` and notes of what is not in it, packed."""
    remarks, text = _pdf(data) if kind == ".pdf" else _docx(data)
    return sandbox.pack([[note.template, note.values] for note in remarks], [text])


def _pdf(data: bytes) -> tuple[list[BPEError], str]:
    with from_extra("documents"):
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, PyPdfError

    locked = BPEError("The PDF is locked with a password. Save it again without one.")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise locked
        if len(reader.pages) > MAX_PAGES:
            raise BPEError(
                "The PDF has {pages} pages; the limit is {limit}. Upload a part of it.",
                pages=len(reader.pages),
                limit=MAX_PAGES,
            )
        pages = [page.extract_text() for page in reader.pages]
    except DependencyError as error:  # a cipher that is not installed here
        raise locked from error
    except PyPdfError as error:
        raise BPEError("The PDF is broken. Save it again, or upload its text.") from error
    written = [page for page in pages if page.strip()]
    if not written:
        raise BPEError(
            "No page of this PDF holds text: its {pages} pages are pictures, as of a scanner. "
            "Have the text recognised (OCR) first.",
            pages=len(pages),
        )
    text = "\n".join(page.strip("\n") for page in written)
    remarks = []
    if len(written) < len(pages):
        remarks.append(
            BPEError(
                "Pages without text, left out: {count} of {pages}. They may be pictures.",
                count=f"{len(pages) - len(written):,}",
                pages=f"{len(pages):,}",
            )
        )
    if unknown := sum(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" for c in text):
        remarks.append(
            BPEError(
                "Characters that the fonts of this PDF leave unknown: {count}.",
                count=f"{unknown:,}",
            )
        )
    return remarks, text


def _docx(data: bytes) -> tuple[list[BPEError], str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            names = set(parts.namelist())
            if _BODY not in names:
                raise BPEError("This is not a Word document: it has no text part.")
            texts = [_word_text(_part(parts, _BODY))]
            notes = [_word_text(_part(parts, name)) for name in _NOTES if name in names]
            pictures = sum(name.startswith("word/media/") for name in names)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError) as error:
        # A document with a password is no ZIP file but an older container.
        raise BPEError(
            "The Word document is broken or locked with a password. Save it again without one."
        ) from error
    text = "\n".join(text for text in [*texts, *notes] if text.strip())
    left_out = BPEError("Pictures, left out: {count}.", count=f"{pictures:,}")
    return [left_out] if pictures else [], text


def _part(parts: zipfile.ZipFile, name: str) -> bytes:
    with parts.open(name) as part:
        data = part.read(MAX_XML + 1)
    if len(data) > MAX_XML:
        raise BPEError(
            "The file unpacks to more than {limit} MB. Upload a part of it.", limit=MAX_XML >> 20
        )
    return data


class _NoDocumentType(ElementTree.TreeBuilder):
    """Refuses entities, which are what bombs are made of; Word writes none."""

    def doctype(self, *_names: str | None) -> None:
        raise BPEError("The Word document is broken: Word writes no document type.")


def _word_text(xml: bytes) -> str:
    """Return the text of a part, a line for each paragraph."""
    pieces: list[str] = []

    def read(element: ElementTree.Element) -> None:
        if element.tag == _FALLBACK:  # the same again for older programs
            return
        pieces.append(_SIGNS.get(element.tag) or (element.text or "") * (element.tag == _TEXT))
        for child in element:
            read(child)
        if element.tag == _PARAGRAPH:
            pieces.append("\n")

    try:
        read(ElementTree.XML(xml, ElementTree.XMLParser(target=_NoDocumentType())))
    except (ElementTree.ParseError, RecursionError) as error:
        raise BPEError("The Word document is broken. Save it again, or as plain text.") from error
    return "".join(pieces).strip("\n")


# Tables.


def table_of(data: bytes, *, kind: str, name: str, choice: dict[str, Any]) -> bytes:
    """Return the notes of a table, the number of each row, how many texts each cell has, and these.

    All is packed; the cells of a row follow each other.
    """
    notes, chosen = Notes(name), Choice(**{**choice, "columns": tuple(choice["columns"])})
    if kind == ".parquet":
        rows = parquet_rows(io.BytesIO(data), chosen, notes)
    else:
        rows = _workbook_rows(data, chosen, notes)
    numbers: list[int] = []
    sizes: list[int] = []
    texts: list[str] = []
    size = 0
    for number, row in rows:
        numbers.append(number)
        for cell in row:
            cell = [cell] if isinstance(cell, str) else cell or []
            sizes.append(len(cell))
            texts += cell
            size += sum(len(text.encode("utf-8", "surrogatepass")) for text in cell)
        if size > MAX_TEXT:
            raise BPEError(
                "The texts of the file have more than {limit} MB together. Upload a part of it.",
                limit=MAX_TEXT >> 20,
            )
    return sandbox.pack([asdict(notes), numbers, sizes], texts)


def parquet_rows(
    file: Any,
    choice: Choice,
    notes: Notes,
    on_read: Callable[[int], object] = lambda size: None,
    size: int = 0,
) -> Iterator[Row]:
    """Yield the rows of an open Parquet file, of so many bytes, and say how many more are read."""
    with from_extra("documents"):
        import pyarrow as arrow
        from pyarrow import parquet

    try:
        table = parquet.ParquetFile(file)
        columns = [column.name for column in table.schema_arrow]
        choices = [column.name for column in table.schema_arrow if _may_be_text(column.type)]
        head: list[tuple[Any, ...]] = []
        for batch in table.iter_batches(batch_size=ROWS_TO_LOOK_AT, columns=choices):
            head = list(zip(*(batch.column(name).to_pylist() for name in choices), strict=True))
            break
        wanted = choose_columns(columns, choices, head, choice, notes)
        number = done = 0
        nested: dict[str, dict[str, None]] = {name: {} for name in wanted}
        for batch in table.iter_batches(batch_size=ROWS_TO_LOOK_AT, columns=list(wanted)):
            cells = [
                [texts_of(cell, nested[name]) for cell in batch.column(name).to_pylist()]
                for name in wanted
            ]
            for row in zip(*cells, strict=True):
                number += 1
                yield number, row
            on_read(size * number // table.metadata.num_rows - done)
            done = size * number // table.metadata.num_rows
        notes.unread += tuple(f"{name}.{each}" for name in nested for each in nested[name])
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BPEError("The Parquet file is broken. Write it again.") from error


def _may_be_text(kind: Any) -> bool:
    """Return whether a type of Arrow is text, or a list of texts or of messages."""
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_list(kind) or types.is_large_list(kind):
        return types.is_struct(kind.value_type) or _may_be_text(kind.value_type)
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _workbook_rows(data: bytes, choice: Choice, notes: Notes) -> Iterator[Row]:
    """Yield the rows of a sheet of .xlsx, .xls or .ods, cells as they are shown without a format.

    Of formulas the value is read that the file remembers.
    """
    with from_extra("documents"):
        import python_calamine as calamine

    try:
        book = calamine.load_workbook(io.BytesIO(data))
        sheets = [
            sheet for sheet in book.sheets_metadata if sheet.typ == calamine.SheetTypeEnum.WorkSheet
        ]
        notes.sheets = tuple(sheet.name for sheet in sheets)
        if choice.sheet is not None and choice.sheet not in notes.sheets:
            raise BPEError(
                "“{name}” has no sheet “{sheet}”. Choose one of: {sheets}.",
                name=notes.name,
                sheet=choice.sheet,
                sheets=", ".join(notes.sheets),
            )
        visible = [
            sheet.name for sheet in sheets if sheet.visible == calamine.SheetVisibleEnum.Visible
        ]
        for name in [choice.sheet] if choice.sheet is not None else visible or notes.sheets:
            sheet = book.get_sheet_by_name(name)
            notes.sheet = name
            if sheet.height:
                break
        else:
            raise BPEError("There is no text in “{name}”: its sheets are empty.", name=notes.name)
        rows = ([_as_shown(cell) for cell in row] for row in sheet.iter_rows())
        above = (sheet.start or (0, 0))[0]
        for number, row in of_cells(rows, choice, notes):
            yield above + number, row
    except calamine.PasswordError as error:
        raise BPEError("The workbook is locked with a password. Save it without one.") from error
    except calamine.CalamineError as error:
        raise BPEError(
            "The workbook is broken, locked with a password or no workbook. Save it again, or as "
            "CSV."
        ) from error


def _as_shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return "" if cell is None else str(cell)
