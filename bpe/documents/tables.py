"""Tables (csv, tsv) and JSON lines: from a text to columns, and from these to cells.

Nothing is trimmed or guessed about what a cell means; which column has the text is found by
:mod:`bpe.documents.corpus`. A broken row is an error; a caller who gives a list for them gets the
others, and the errors in the list.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bpe.errors import BPEError
from bpe.limits import require_memory
from bpe.reading import parse_json
from bpe.text.unicode import scalar_text

MAX_COLUMNS = 1_000
"""More than any real table has; prose with commas can look like many."""

MAX_LINE_VALUES = 200_000
"""Values of JSON in one line, lists of numbers included."""

ROWS_TO_LOOK_AT = 1000
"""Of a table, to tell which column has the text."""

_TEXT_COLUMNS = ("text", "content", "正文", "文本", "内容", "sentence", "句子", "body", "文章")
_LONGEST_HEADING = 40
_NO_TEXT = False
_ROW_BYTES, _CELL_BYTES = 400, 60
"""About what a row and a cell take beside their letters."""

# The csv module refuses longer cells than this, by default a mere 128 KB, in the whole process.
csv.field_size_limit(2**31 - 1)


class Table(Protocol):
    """The rows, by column; a column that a caller names must be one of ``columns``."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, all different."""

    def texts(self, column: str | None, /) -> list[str]:
        """Return the cells of ``column``; ``None`` where there are no columns."""

    def cells(self, wanted: Sequence[str], /) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the number of each row, from 1, and its cells, empty where there is none."""

    def most_letters(self, rows: int, /) -> str | None:
        """Return the column that has the most letters in the first ``rows`` rows."""

    @property
    def height(self) -> int:
        """How many rows there are, the heading and broken ones not included."""


@dataclass(frozen=True)
class Sheet:
    """Rows of cells below a heading, or without one."""

    columns: tuple[str, ...]
    rows: list[list[str]]
    first_row: int
    """The number of the first row below the heading."""

    @classmethod
    def from_text(
        cls, text: str, delimiter: str | None = None, *, broken: list[BPEError] | None = None
    ) -> "Sheet":
        """Read a table; without ``delimiter`` the first line shows it."""
        _require_memory(text, text.count("," if delimiter is None else delimiter))
        everything = _rows(text, delimiter, broken)
        names, rows = heading(everything)
        return cls(names, rows, len(everything) - len(rows) + 1)

    def texts(self, column: str | None, /) -> list[str]:
        if column is None:
            return []
        at = self.columns.index(column)
        return [row[at] for row in self.rows if len(row) > at]

    def cells(self, wanted: Sequence[str], /) -> Iterator[tuple[int, tuple[str, ...]]]:
        at = [self.columns.index(column) for column in wanted]
        for number, row in enumerate(self.rows, start=self.first_row):
            yield number, tuple(scalar_text(row[i]) if i < len(row) else "" for i in at)

    def most_letters(self, rows: int, /) -> str | None:
        return _most_letters(
            self.columns, (zip(self.columns, row, strict=False) for row in self.rows[:rows])
        )

    @property
    def height(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class JsonLines:
    """Line numbers with the objects or strings that the lines hold."""

    columns: tuple[str, ...]
    values: list[tuple[int, Any]]
    strict: bool = True
    """Whether a field that should be text, and is not, is an error."""

    @classmethod
    def from_text(cls, text: str, *, broken: list[BPEError] | None = None) -> "JsonLines":
        """Read JSON lines; blank ones are skipped."""
        _require_memory(text, text.count('":'))
        values = list(json_values(text.split("\n"), broken))
        return cls(json_fields(values), values, strict=broken is None)

    def texts(self, column: str | None, /) -> list[str]:
        fields = (
            value
            if isinstance(value, str)
            else json_field(line, value, column)
            if self.strict
            else value.get(column)
            for line, value in self.values
        )
        return [field for field in fields if isinstance(field, str)]

    def cells(self, wanted: Sequence[str], /) -> Iterator[tuple[int, tuple[str, ...]]]:
        for line, value in self.values:
            if isinstance(value, dict):
                fields = (json_field(line, value, name) or "" for name in wanted)
                yield line, tuple(map(scalar_text, fields))

    def most_letters(self, rows: int, /) -> str | None:
        objects = (value for _, value in self.values[:rows] if isinstance(value, dict))
        return _most_letters(self.columns, (value.items() for value in objects))

    @property
    def height(self) -> int:
        return len(self.values)


def _require_memory(text: str, cells: int) -> None:
    require_memory(_ROW_BYTES * text.count("\n") + _CELL_BYTES * cells + 2 * len(text))


def no_column(name: str, column: str, columns: Sequence[str]) -> BPEError:
    """Return the error for a table without a column of that name, or without any of text."""
    if not columns:
        return BPEError("“{name}” has no column of text.", name=name)
    return BPEError(
        "“{name}” has no column “{column}”. Choose one of: {columns}.",
        name=name,
        column=column,
        columns=", ".join(columns),
    )


def likely_column(columns: Sequence[str], most_letters: Callable[[], str | None]) -> str | None:
    """Return the column named like text (``text``, ``正文``, …), or else that of most letters."""
    for wanted in _TEXT_COLUMNS:
        for name in columns:
            if name.strip().lower() == wanted:
                return name
    return most_letters()


def _most_letters(
    columns: tuple[str, ...], rows: Iterable[Iterable[tuple[str, object]]]
) -> str | None:
    letters = dict.fromkeys(columns, 0)
    for row in rows:
        for name, cell in row:
            if name in letters and isinstance(cell, str):
                letters[name] += sum(map(str.isalpha, cell))
    return max(columns, key=letters.__getitem__, default=None)


def _check_width(columns: int) -> None:
    if columns > MAX_COLUMNS:
        raise BPEError(
            "The table has {columns} columns; the limit is {limit}. Is it a table at all? Plain "
            "text is best uploaded as .txt.",
            columns=f"{columns:,}",
            limit=f"{MAX_COLUMNS:,}",
        )


def _rows(text: str, delimiter: str | None, broken: list[BPEError] | None) -> list[list[str]]:
    """Return the rows of a table that have anything in them, all read by the same rules.

    Tab-separated files often use no quoting at all, so where the quotes do not add up in one,
    they are taken for text.
    """

    def lines() -> Iterable[str]:
        return io.StringIO(text, newline="")

    if delimiter is None:
        delimiter = delimiter_of(next(iter(lines()), ""))
        return list(parsed(lines(), delimiter, csv.QUOTE_MINIMAL, broken))
    try:
        return list(parsed(lines(), delimiter, csv.QUOTE_MINIMAL, broken))
    except BPEError:
        if broken:
            broken.clear()
        return list(parsed(lines(), delimiter, csv.QUOTE_NONE, broken))


def parsed(
    lines: Iterable[str], delimiter: str, quoting: Any, broken: list[BPEError] | None = None
) -> Iterator[list[str]]:
    """Yield the rows of a table that have anything in them.

    What is broken raises :class:`BPEError` or, where it can be left out, goes to ``broken``.
    """
    width = None
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    try:
        for row in reader:
            if not any(row):
                continue
            if width is None:
                width = len(row)
                _check_width(width)
            if len(row) > width and any(row[width:]):
                _report(
                    BPEError(
                        "Line {line} has {fields} cells where the first line has {width}. "
                        "Put quotation marks around cells that hold the separator.",
                        line=reader.line_num,
                        fields=len(row),
                        width=width,
                    ),
                    broken,
                )
                continue
            yield row
    except csv.Error as error:
        raise BPEError(
            "Line {line} of the table is broken: a quotation mark is missing or out of place.",
            line=reader.line_num,
        ) from error


def _report(error: BPEError, broken: list[BPEError] | None) -> None:
    if broken is None:
        raise error
    broken.append(error)


def delimiter_of(first: str) -> str:
    """Return the separator that the first line has most of: comma, semicolon, tab or bar."""
    outside_quotes = "".join(first.split('"')[::2])
    return max(",;\t|", key=outside_quotes.count)


def heading(rows: list[list[str]]) -> tuple[tuple[str, ...], list[list[str]]]:
    """Return the column names and the rows below them.

    The first row is a heading when its cells are short and not numbers or sentences. A cell
    without a name of its own is called by its number, as all are where there is no heading.
    """
    first = [scalar_text(cell) for cell in rows[0]] if rows else []
    numbers = [f"#{number}" for number in range(1, len(first) + 1)]
    if not all(_looks_like_a_heading(cell) for cell in first if cell):
        return tuple(numbers), rows
    taken = {""}
    names = []
    for name, number in zip(first, numbers, strict=True):
        names.append(number if name in taken else name)
        taken.add(name)
    return tuple(names), rows[1:]


def _looks_like_a_heading(cell: str) -> bool:
    return (
        len(cell) <= _LONGEST_HEADING
        and any(map(str.isalpha, cell))
        and not any(sign in cell for sign in "。！？，；.!?,;\n")
    )


def json_values(
    lines: Iterable[str], broken: list[BPEError] | None = None
) -> Iterator[tuple[int, Any]]:
    """Yield line numbers and values, the names of fields as text that UTF-8 can hold."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            if len(line) <= MAX_LINE_VALUES:
                value = json.loads(line)
            else:
                value = parse_json(line.encode("utf-8", "surrogatepass"), MAX_LINE_VALUES)
        except (ValueError, RecursionError) as error:
            if isinstance(error, BPEError):  # too many values, or too little memory
                _report(error, broken)
                continue
            _report(
                BPEError(
                    "Line {line} is not JSON. Each line must hold one object or string.",
                    line=number,
                ),
                broken,
            )
            continue
        if not isinstance(value, dict | str):
            _report(
                BPEError(
                    "Line {line} holds neither a JSON object nor a string, but a {kind}.",
                    line=number,
                    kind=type(value).__name__,
                ),
                broken,
            )
            continue
        if isinstance(value, dict):
            # Of what is neither text nor missing, only that it is there: it could be anything.
            value = {
                scalar_text(name): field if isinstance(field, str | None) else _NO_TEXT
                for name, field in value.items()
            }
        yield number, value


def json_fields(values: list[tuple[int, Any]]) -> tuple[str, ...]:
    """Return the fields that hold text in some object, in the order of first occurrence."""
    fields: dict[str, None] = {}
    for _, value in values:
        if isinstance(value, dict):
            fields.update((name, None) for name, field in value.items() if isinstance(field, str))
            _check_width(len(fields))
    return tuple(fields)


def json_field(line: int, value: dict[str | None, Any], column: str | None) -> str | None:
    """Return a field of an object that is text or not there; any other raises an error."""
    field = value.get(column)
    if field is not None and not isinstance(field, str):
        raise BPEError("In line {line} the field “{column}” is not text.", line=line, column=column)
    return field
