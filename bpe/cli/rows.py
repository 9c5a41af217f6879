"""The texts of large tables, JSON lines and Parquet files, row by row: never in memory whole.

The column is the one that :mod:`bpe.documents.corpus` would choose, by the first rows, and the
texts are those that it would give.
"""

import csv
import io
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bpe.cli.input import OnRead, Refused
from bpe.documents import tables
from bpe.documents.corpus import ROWS_TO_LOOK_AT, Decoded, Source
from bpe.documents.parquet import Parquet, columns_of
from bpe.documents.tables import JsonLines, Sheet, Table
from bpe.errors import BPEError, from_extra
from bpe.text.unicode import scalar_text

_CELLS = 1_000

Lines = Callable[..., Iterator[str]]
"""Opens a file anew and gives its lines; takes what hears of the bytes that are read."""


def texts(path: Path, charset: str, column: str | None, on_read: OnRead) -> Iterator[str]:
    """Yield the texts of a column; without its name, of the one that looks like text.

    ``on_read`` hears of the bytes that are read. What is broken raises :class:`BPEError` when it is
    reached.
    """
    kind = path.suffix.lower()
    if kind == ".parquet":
        found = _of_parquet(path, column, on_read)
    elif kind == ".jsonl":
        found = _of_json(path, partial(_lines, path, charset, "\n"), column, on_read)
    else:
        found = _of_sheet(path, partial(_lines, path, charset, ""), column, on_read)
    number = 0
    for number, text in enumerate(filter(None, found), start=1):  # noqa: B007
        yield scalar_text(text)
    if not number:
        raise BPEError("There is no text in “{name}”.", name=path.name)


def _of_sheet(path: Path, lines: Lines, column: str | None, on_read: OnRead) -> Iterator[str]:
    delimiter, quoting = "\t", csv.QUOTE_MINIMAL
    if path.suffix.lower() == ".tsv":
        try:
            for _ in tables.parsed(lines(), delimiter, quoting):
                pass
        except BPEError:
            quoting = csv.QUOTE_NONE
    else:
        delimiter = tables.delimiter_of(next(lines(), ""))
    first = list(islice(tables.parsed(lines(), delimiter, quoting), ROWS_TO_LOOK_AT + 1))
    names, below = tables.heading(first)
    column = _column(path, Sheet(names, below, 1), column)
    at = names.index(column) if names else 0
    rows = tables.parsed(lines(on_read), delimiter, quoting)
    for row in islice(rows, len(first) - len(below), None):
        if len(row) > at:
            yield row[at]


def _of_json(path: Path, lines: Lines, column: str | None, on_read: OnRead) -> Iterator[str]:
    first = list(islice(tables.json_values(lines()), ROWS_TO_LOOK_AT))
    if column is None:
        column = _column(path, JsonLines(tables.json_fields(first), first), None)
    for line, value in tables.json_values(lines(on_read)):
        text = value if isinstance(value, str) else tables.json_field(line, value, column)
        if text is not None:
            yield text


def _of_parquet(path: Path, column: str | None, on_read: OnRead) -> Iterator[str]:
    with from_extra("documents"):
        import pyarrow as arrow
        from pyarrow import parquet
    try:
        with parquet.ParquetFile(path) as file:
            said = columns_of(file)
            table = Parquet(b"", tuple(said["columns"]), said["likely"], said["rows"])
            chosen = _column(path, table, column)
            size, rows, heard, read = path.stat().st_size, max(table.height, 1), 0, 0
            for batch in file.iter_batches(batch_size=_CELLS, columns=[chosen]):
                yield from (cell for cell in batch.column(0).to_pylist() if cell)
                read += len(batch)
                on_read(size * read // rows - heard)
                heard = size * read // rows
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BPEError("The Parquet file is broken: {reason}", reason=str(error)[:200]) from error


def _column(path: Path, table: Table, column: str | None) -> str:
    likely = Source(path.name, Decoded("", "", guessed=False), table).likely_column
    wanted = likely if column is None else column
    if wanted is not None and wanted not in table.columns:
        raise BPEError(
            "“{name}” has no column “{column}”. Choose one of: {columns}.",
            name=path.name,
            column=wanted,
            columns=", ".join(table.columns) or "–",
        )
    return wanted or ""


def _lines(
    path: Path, charset: str, newline: str, on_read: OnRead = lambda size: None
) -> Iterator[str]:
    heard = 0
    with path.open("rb") as file:
        text: Any = io.TextIOWrapper(file, charset, newline=newline)
        try:
            for number, line in enumerate(text):
                yield line.removeprefix("\ufeff") if number == 0 else line
                if (at := file.tell()) > heard:
                    on_read(at - heard)
                    heard = at
        except UnicodeDecodeError as error:
            raise Refused(
                f"“{path}” is not {charset.upper()}. Say which charset it is in, such as "
                "--charset gb18030."
            ) from error
