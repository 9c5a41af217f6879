"""Uploaded files to documents: plain text, tables (csv, tsv) and JSON lines.

A document's texts are exactly what the file says: no cell is trimmed, and line ends inside a
text stay as they are, since every byte of them is counted later on. How bytes become characters
is in :mod:`bpe.text.charset`; training and counting are elsewhere.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any

from bpe.encoders.base import scalar_text
from bpe.errors import BPEError
from bpe.text.charset import ENCODINGS, Decoded, decode
from bpe.training.identity import digest

__all__ = [
    "ENCODINGS",
    "MAX_BYTES",
    "SUFFIXES",
    "Decoded",
    "Document",
    "cells",
    "columns",
    "decode",
    "digest",
    "read",
    "suffix_of",
]

SUFFIXES: tuple[str, ...] = (".txt", ".md", ".csv", ".tsv", ".jsonl")
MAX_BYTES = 50 * 1024 * 1024

_TEXT_COLUMNS = ("text", "content", "正文", "文本", "内容", "sentence", "句子", "body", "文章")
_LONGEST_HEADING = 40
_ROWS_TO_LOOK_AT = 1000

# The csv module refuses longer cells than this, by default a mere 128 KB, in the whole process.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True)
class Document:
    """What was read from one file: its texts, in order, and how its bytes were understood.

    A page asks for the sizes and the digest on every click, so each is worked out once.
    """

    name: str
    texts: tuple[str, ...]
    encoding: str
    guessed: bool
    column: str | None = None

    @property
    def text(self) -> str:
        """The texts on one page, a line break between each two."""
        return "\n".join(self.texts)

    @cached_property
    def characters(self) -> int:
        """How many characters the texts have together."""
        return sum(map(len, self.texts))

    @cached_property
    def size(self) -> int:
        """How many bytes the texts have together in UTF-8, whatever the file was in."""
        return sum(len(text.encode()) for text in self.texts)

    @cached_property
    def digest(self) -> str:
        """The digest of the texts; the file's name and encoding do not matter."""
        return digest(self.texts)


def columns(data: bytes, filename: str, *, encoding: str | None = None) -> tuple[str, ...]:
    """Return the names of a table's columns or of the text fields of JSON lines.

    Plain text has none, and neither have JSON lines that are bare strings. A table without a
    heading has columns ``#1``, ``#2`` and so on.
    """
    suffix = suffix_of(filename)
    if suffix == ".jsonl":
        return _fields(_json_lines(decode(data, encoding=encoding).text))
    if suffix in (".csv", ".tsv"):
        return _heading(_rows(decode(data, encoding=encoding).text, suffix))[0]
    return ()


def read(
    data: bytes,
    filename: str,
    *,
    encoding: str | None = None,
    column: str | None = None,
    max_bytes: int = MAX_BYTES,
) -> Document:
    """Read an uploaded file; the suffix of ``filename`` says what it is.

    ``encoding`` overrides the guess. A text file is one text; of a table or of JSON lines each
    cell of ``column`` that is not empty is a text. Without ``column`` the one named like text
    (``text``, ``content``, ``正文``, …) is taken, or else the one with the most letters.

    Raises :class:`BPEError` for a file that is too large, empty, binary or not decodable, of
    another kind, broken in some line, or without that column.
    """
    suffix = suffix_of(filename)
    if len(data) > max_bytes:
        raise BPEError(
            "“{name}” has {size:.1f} MB; the limit is {limit:.1f} MB. Upload a part of it.",
            name=filename,
            size=len(data) / 2**20,
            limit=max_bytes / 2**20,
        )
    decoded = decode(data, encoding=encoding)
    if suffix in (".txt", ".md"):
        texts: list[str] = [decoded.text]
        if column is not None:
            raise BPEError("“{name}” is plain text and has no columns.", name=filename)
    elif suffix == ".jsonl":
        values = _json_lines(decoded.text)
        column = _choose(column, _fields(values), filename, (v for _, v in values))
        texts = _json_texts(values, column)
    else:
        names, rows = _heading(_rows(decoded.text, suffix))
        column = _choose(column, names, filename, (dict(zip(names, r, strict=False)) for r in rows))
        at = names.index(column) if column in names else 0
        texts = [row[at] for row in rows if len(row) > at]
    texts = [scalar_text(text) for text in texts if text]
    if not texts:
        raise BPEError("There is no text in “{name}”.", name=filename)
    return Document(filename, tuple(texts), decoded.encoding, decoded.guessed, column)


def cells(data: bytes, filename: str, wanted: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
    """Return the cells of some columns of a table or of JSON lines, and the number of each row.

    Rows are numbered from 1, the heading included; a cell that is not there is empty. A column
    that does not exist raises :class:`BPEError`.
    """
    text = decode(data).text
    if suffix_of(filename) == ".jsonl":
        values = _json_lines(text)
        _check_columns(wanted, _fields(values), filename)
        return [
            (line, tuple(scalar_text(_json_field(line, value, name) or "") for name in wanted))
            for line, value in values
            if isinstance(value, dict)
        ]
    everything = _rows(text, suffix_of(filename))
    names, rows = _heading(everything)
    _check_columns(wanted, names, filename)
    at = [names.index(name) for name in wanted]
    return [
        (number, tuple(scalar_text(row[index]) if index < len(row) else "" for index in at))
        for number, row in enumerate(rows, start=len(everything) - len(rows) + 1)
    ]


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


def _check_columns(wanted: Sequence[str], names: tuple[str, ...], filename: str) -> None:
    for column in wanted:
        if column not in names:
            raise BPEError(
                "“{name}” has no column “{column}”. Choose one of: {columns}.",
                name=filename,
                column=column,
                columns=", ".join(names) or "–",
            )


def _choose(
    column: str | None, names: tuple[str, ...], filename: str, records: Iterable[object]
) -> str | None:
    """Return the wanted column, or the one that most likely holds the text."""
    if column is not None:
        _check_columns([column], names, filename)
        return column
    for wanted in _TEXT_COLUMNS:
        for name in names:
            if name.strip().lower() == wanted:
                return name
    letters = dict.fromkeys(names, 0)
    for _, record in zip(range(_ROWS_TO_LOOK_AT), records, strict=False):
        if isinstance(record, dict):
            for name in names:
                if isinstance(value := record.get(name), str):
                    letters[name] += sum(map(str.isalpha, value))
    return max(names, key=letters.__getitem__, default=None)


def _rows(text: str, suffix: str) -> list[list[str]]:
    """Return the rows of a table that have anything in them, all read by the same rules.

    Tab-separated files often use no quoting at all, so where the quotes do not add up in one,
    they are taken for text.
    """
    delimiter = "\t" if suffix == ".tsv" else _delimiter(text)
    try:
        return list(_parsed(text, delimiter, csv.QUOTE_MINIMAL))
    except BPEError:
        if suffix != ".tsv":
            raise
        return list(_parsed(text, delimiter, csv.QUOTE_NONE))


def _parsed(text: str, delimiter: str, quoting: Any) -> Iterator[list[str]]:
    width = None
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True
    )
    try:
        for row in reader:
            if not any(row):
                continue
            width = width or len(row)
            if len(row) > width and any(row[width:]):
                raise BPEError(
                    "Line {line} has {fields} cells where the first line has {width}. "
                    "Put quotation marks around cells that hold the separator.",
                    line=reader.line_num,
                    fields=len(row),
                    width=width,
                )
            yield row
    except csv.Error as error:
        raise BPEError(
            "Line {line} of the table is broken: a quotation mark is missing or out of place.",
            line=reader.line_num,
        ) from error


def _delimiter(text: str) -> str:
    """Return the separator that the first line has most of: comma, semicolon, tab or bar."""
    first = next(iter(io.StringIO(text)), "")
    outside_quotes = "".join(first.split('"')[::2])
    return max(",;\t|", key=outside_quotes.count)


def _heading(rows: list[list[str]]) -> tuple[tuple[str, ...], list[list[str]]]:
    """Return the column names and the rows below them.

    The first row is a heading when its cells are short and not numbers or sentences. A cell
    without a name of its own is called by its number, as all are where there is no heading.
    """
    first = rows[0] if rows else []
    numbers = [f"#{number}" for number in range(1, len(first) + 1)]
    if not all(_looks_like_a_heading(cell) for cell in first if cell):
        return tuple(numbers), rows
    names = [
        number if not name or name in first[:at] else name
        for at, (name, number) in enumerate(zip(first, numbers, strict=True))
    ]
    return tuple(names), rows[1:]


def _looks_like_a_heading(cell: str) -> bool:
    return (
        len(cell) <= _LONGEST_HEADING
        and any(map(str.isalpha, cell))
        and not any(sign in cell for sign in "。！？，；.!?,;\n")
    )


def _json_lines(text: str) -> list[tuple[int, Any]]:
    """Return line numbers and values; blank lines are skipped."""
    values = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BPEError(
                "Line {line} is not JSON. Each line must hold one object or string.", line=number
            ) from error
        if not isinstance(value, dict | str):
            raise BPEError(
                "Line {line} holds neither a JSON object nor a string, but a {kind}.",
                line=number,
                kind=type(value).__name__,
            )
        values.append((number, value))
    return values


def _fields(values: list[tuple[int, Any]]) -> tuple[str, ...]:
    """Return the fields that hold text in some object, in the order of first occurrence."""
    objects = (value for _, value in values if isinstance(value, dict))
    return tuple(
        dict.fromkeys(
            name for value in objects for name, field in value.items() if isinstance(field, str)
        )
    )


def _json_texts(values: list[tuple[int, Any]], column: str | None) -> list[str]:
    texts = (
        value if isinstance(value, str) else _json_field(line, value, column)
        for line, value in values
    )
    return [text for text in texts if text is not None]


def _json_field(line: int, value: dict[str | None, Any], column: str | None) -> str | None:
    field = value.get(column)
    if field is not None and not isinstance(field, str):
        raise BPEError("In line {line} the field “{column}” is not text.", line=line, column=column)
    return field
