"""Rows of tables, a few at a time: which columns there are, which are read, and their cells.

Nothing is trimmed; what is not read is named in :class:`Notes`.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, TypeAlias

from bpe.errors import BPEError, Sentence
from bpe.reading import parse_json
from bpe.text.unicode import scalar_text

MAX_COLUMNS = 1_000
"""More than any real table has; prose with commas can look like many."""

MAX_LINE_VALUES = 200_000
"""Values of JSON in one line, lists of numbers included."""

ROWS_TO_LOOK_AT = 1000
"""Of a table, to tell whether it has a heading and which column has the text."""

GUESS = "guess"
"""The charset that asks for a guess."""

_TEXT_COLUMNS = (
    *("text", "content", "正文", "文本", "内容", "sentence", "句子", "body", "文章"),
    *("messages", "conversations", "conversation"),
)
_MESSAGE = ("content", "value", "text")
"""The field of a message that has its text: of OpenAI, of ShareGPT, and of a part of a message."""
_USUAL = """
    id idx index key name title label labels text texts content body sentence word words token count
    freq frequency pos tag tags category class type lang language source target src tgt url link
    date time year author user role message messages comment review question query prompt system
    instruction input output answer response completion chosen rejected context passage document
    summary translation original definition meaning pinyin zh en chinese english price note score
    序号 编号 标题 题目 名称 姓名 名字 文本 正文 内容 句子 文章 段落 词 词语 单词 字 词频 频次 次数
    标签 类别 分类 类型 语言 来源 链接 日期 时间 年份 作者 用户 角色 评论 评价 留言 消息 问题 提问
    指令 输入 输出 回答 答案 回复 上下文 摘要 译文 原文 翻译 释义 解释 拼音 中文 英文 汉语 英语 价格
    数量 备注 说明 描述
"""
_HEADINGS = frozenset(_USUAL.split())
_LONGEST_HEADING = 40
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NOT_TEXT = frozenset(("", "true", "false", "null", "none", "nan", "n/a"))

# The csv module refuses longer cells than this, by default a mere 128 KB, in the whole process.
csv.field_size_limit(2**31 - 1)

Cell: TypeAlias = str | list[str] | None
"""A text, the texts of several messages, or nothing."""
Row: TypeAlias = tuple[int, tuple[Cell, ...]]
"""The number of a row, from 1, and its cells in the columns that are read."""


@dataclass(frozen=True)
class Choice:
    """How to read files, and what of them."""

    columns: tuple[str, ...] = ()
    """The columns of a table; without any, the one that looks most like text."""
    every_column: bool = False
    charset: str = "utf-8"
    """A charset, or :data:`GUESS`. A byte order mark overrules ``"utf-8"``."""
    header: bool | None = None
    """Whether the first row of a table names its columns; ``None`` looks at the rows."""
    sheet: str | None = None
    """The sheet of a workbook; ``None`` is the first visible one that is not empty."""
    lenient: bool = False
    """Whether broken rows are left out and counted; otherwise they raise :class:`BPEError`."""
    keep_mark: bool = False
    """Whether a byte order mark of UTF-8 is a part of a plain text."""


@dataclass
class Notes:
    """How a file is read and how much of it, filled in while it is read."""

    name: str = ""
    documents: int = 0
    characters: int = 0
    rows_without_text: int = 0
    charset: str = "utf-8"
    """Or the kind of a file that has none, such as ``"PDF"``."""
    charset_guessed: bool = False
    columns: tuple[str, ...] = ()
    """The columns that are read."""
    columns_guessed: bool = False
    choices: tuple[str, ...] = ()
    """All columns that can be read as text."""
    unread: tuple[str, ...] = ()
    """Columns, and fields of messages, that are not read."""
    header: bool | None = None
    """Whether the first row was read as the names of columns; ``None`` where it cannot be."""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    """All sheets of a workbook."""
    broken: list[BPEError] = field(default_factory=list)
    """Of each row that is left out, what is wrong with it."""
    remarks: list[BPEError | Sentence] = field(default_factory=list)

    @property
    def all_unread(self) -> list[str]:
        """Columns, fields of messages and sheets that are not read."""
        return [*self.unread, *(f"sheet {name}" for name in self.sheets if name != self.sheet)]

    @property
    def left_out(self) -> tuple[BPEError | Sentence, ...]:
        """A sentence for each thing in the file that is not in its texts."""
        sentences = list(self.remarks)
        if self.broken:
            count = f"{len(self.broken):,}"
            head = BPEError("Broken rows, left out: {count}. The first:", count=count)
            sentences += [head, self.broken[0]]
        if self.rows_without_text:
            count = f"{self.rows_without_text:,}"
            sentences.append(BPEError("Rows without text, left out: {count}.", count=count))
        return tuple(sentences)


# Columns.


def no_column(name: str, column: str, columns: Sequence[str]) -> BPEError:
    return BPEError(
        "“{name}” has no column “{column}”. Choose one of: {columns}.",
        name=name,
        column=column,
        columns=", ".join(columns) or "–",
    )


def choose_columns(
    columns: Sequence[str],
    choices: Sequence[str],
    rows: Sequence[Sequence[Any]],
    choice: Choice,
    notes: Notes,
) -> tuple[str, ...]:
    """Return which of ``columns`` are read, and write it and what is unread into the notes.

    ``choices`` are those that can be read as text, ``rows`` the cells of some rows in them. Numbers
    alone are no text, and a table without any text raises :class:`BPEError`.
    """
    if choice.every_column:
        wanted: tuple[str, ...] = tuple(choices)
    elif choice.columns:
        wanted = choice.columns
        for column in wanted:
            if column not in choices:
                raise no_column(notes.name, column, choices)
    else:
        wanted = _most_like_text(choices, rows)
        if not wanted and rows:
            raise BPEError(
                "There is no text in “{name}”. It has no column of text, only: {columns}.",
                name=notes.name,
                columns=", ".join(columns),
            )
    notes.columns, notes.choices = wanted, tuple(choices)
    notes.columns_guessed = not (choice.columns or choice.every_column)
    notes.unread = tuple(column for column in columns if column not in wanted)
    return wanted


def _most_like_text(choices: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, ...]:
    """Return the column named like text (``text``, ``正文``, …), or else that of most letters.

    Of columns that are all empty it is any; where numbers alone are in others, none.
    """
    letters = dict.fromkeys(choices, 0)
    filled = dict.fromkeys(choices, False)
    for row in rows:
        for column, cell in zip(choices, row, strict=False):
            texts = texts_of(cell) or ()
            letters[column] += sum(map(_letters, texts))
            filled[column] = filled[column] or any(texts)
    by_name = {column.strip().lower(): column for column in reversed(choices)}
    named = [by_name[name] for name in _TEXT_COLUMNS if name in by_name]
    most = max(choices, key=letters.__getitem__, default="")
    if letters.get(most) or not any(filled.values()):
        named.append(most)
    by_letters = sorted(named, key=lambda column: not letters.get(column))
    return tuple(by_letters[:1]) if choices else ()


def _letters(cell: str) -> int:
    if cell.strip().lower() in _NOT_TEXT or _is_number(cell):
        return 0
    return sum(map(str.isalpha, cell))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _check_width(columns: int) -> None:
    if columns > MAX_COLUMNS:
        raise BPEError(
            "The table has {columns} columns; the limit is {limit}. Is it a table at all? Plain "
            "text is best uploaded as .txt.",
            columns=f"{columns:,}",
            limit=f"{MAX_COLUMNS:,}",
        )


# Cells: csv, tsv and spreadsheets.


def of_cells(rows: Iterable[Sequence[str]], choice: Choice, notes: Notes) -> Iterator[Row]:
    """Yield the rows of a table of texts; empty ones are skipped, and a heading names columns."""
    numbered = ((number, row) for number, row in enumerate(rows, start=1) if any(row))
    head = list(islice(numbered, ROWS_TO_LOOK_AT + 1))
    cells = [row for _number, row in head]
    if not cells:
        return
    notes.header = _has_heading(cells, choice)
    columns = _names(cells[0], notes.header)
    below = head[1:] if notes.header else head
    wanted = choose_columns(columns, columns, [row for _number, row in below], choice, notes)
    places = [columns.index(column) for column in wanted]
    for number, row in chain(below, numbered):
        yield number, tuple(row[place] if place < len(row) else None for place in places)


def _names(first: Sequence[str], header: bool) -> tuple[str, ...]:
    """Return the names of columns; one without a name of its own is called by its number."""
    names: dict[str, None] = {}
    for number, cell in enumerate(map(scalar_text, first), start=1):
        names[cell if header and cell and cell not in names else f"#{number}"] = None
    return tuple(names)


def _has_heading(rows: Sequence[Sequence[str]], choice: Choice) -> bool:
    """Return whether the first row names columns, or is a row like the others.

    It does where its cells are short words and a column is asked for by a name, a cell is a usual
    name, numbers stand below a word, or all are names in ASCII and most below are not.
    """
    if choice.header is not None:
        return choice.header
    first, below = rows[0], rows[1:]
    if any(not column.startswith("#") for column in choice.columns):
        return True
    if not all(_is_heading(cell) for cell in first if cell):
        return False
    words = (word for cell in first for word in re.split("[_-]", cell.strip().lower()))
    if not _HEADINGS.isdisjoint(words):
        return True
    columns = [
        (name, [row[place] for row in below if place < len(row) and row[place].strip()])
        for place, name in enumerate(first)
        if name
    ]
    if any(cells and not any(map(_letters, cells)) for _name, cells in columns):
        return True
    return all(_NAME.fullmatch(name) for name, _cells in columns) and any(
        2 * sum(_NAME.fullmatch(cell) is None for cell in cells) > len(cells)
        for _name, cells in columns
    )


def _is_heading(cell: str) -> bool:
    return (
        len(cell) <= _LONGEST_HEADING
        and any(map(str.isalpha, cell))
        and not any(sign in cell for sign in "。！？，；.!?,;\n")
    )


def parsed(
    lines: Iterable[str], delimiter: str, quoting: Any, choice: Choice, notes: Notes
) -> Iterator[list[str]]:
    """Yield the rows of csv or tsv, empty ones included."""
    width = None
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    try:
        for row in reader:
            if width is None and any(row):
                width = len(row)
                _check_width(width)
            if width is not None and len(row) > width and any(row[width:]):
                error = BPEError(
                    "Line {line} has {fields} cells where the first line has {width}. "
                    "Put quotation marks around cells that hold the separator.",
                    line=reader.line_num,
                    fields=len(row),
                    width=width,
                )
                _report(error, choice, notes)
                continue
            yield row
    except csv.Error as error:
        raise BPEError(
            "Line {line} of the table is broken: a quotation mark is missing or out of place.",
            line=reader.line_num,
        ) from error


def _report(error: BPEError, choice: Choice, notes: Notes) -> None:
    if not choice.lenient:
        raise error
    notes.broken.append(error)


# JSON.


def texts_of(value: Any, unread: dict[str, None] | None = None) -> list[str] | None:
    """Return the texts of a field: itself, or those of a list of texts or of messages.

    A message is an object with ``content``, ``value`` or ``text``, which may be a list of parts;
    the names of its other fields go to ``unread``. What is not text is ``None``.

    >>> texts_of([{"role": "user", "content": "Hello"}])
    ['Hello']
    """
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return None
    others: dict[str, None] = {}
    texts = [text for item in value for text in _texts_of_message(item, others)]
    if unread is not None and len(unread) < MAX_COLUMNS:
        unread.update(others)
    return texts if texts or not value else None


def _texts_of_message(item: Any, others: dict[str, None]) -> list[str]:
    if isinstance(item, str):
        return [item]
    if not isinstance(item, dict):
        return []
    name = next((name for name in _MESSAGE if isinstance(item.get(name), str | list)), "")
    content = item.get(name)
    others.update((scalar_text(field), None) for field in item if field != name)
    if not isinstance(content, list):
        return [content] if isinstance(content, str) else []
    texts = []
    for part in content:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            texts.append(text)
        elif isinstance(part, dict):
            others.update((f"{name}.{scalar_text(field)}", None) for field in part)
    return texts


def of_json(
    numbered: Iterable[tuple[int, Any]], choice: Choice, notes: Notes, others: Sequence[str] = ()
) -> Iterator[Row]:
    """Yield the rows of numbered values: objects by their fields; texts and lists of messages.

    ``others`` stand beside the rows, unread.
    """
    values = _rows(numbered, choice, notes)
    head = list(values if choice.every_column else islice(values, ROWS_TO_LOOK_AT))
    objects = [value for _number, value in head if isinstance(value, dict)]
    fields = {name: False for value in objects for name in value}
    for value in objects:
        for name, cell in value.items():
            fields[name] = fields[name] or texts_of(cell) is not None
    _check_width(len(fields))
    choices = [name for name in fields if fields[name]]
    cells = [[value.get(name) for name in choices] for value in objects]
    later = dict.fromkeys(choice.columns)  # of which the first rows may have none
    wanted = choose_columns(list(fields), [*choices, *later], cells, choice, notes)
    notes.choices = tuple(choices)
    nested: dict[str, dict[str, None]] = {name: {} for name in wanted}
    for number, value in chain(head, values):
        if not isinstance(value, dict):
            yield number, (value,)
            continue
        if len(fields) < MAX_COLUMNS:
            fields.update((name, False) for name in value if name not in fields)
        row = []
        for name in wanted:
            if name in value:
                later.pop(name, None)
            cell = value.get(name)
            texts = texts_of(cell, nested[name])
            if texts is None and cell is not None and not choice.lenient:
                raise BPEError(
                    "In row {row} the field “{column}” is not text.", row=number, column=name
                )
            row.append(texts)
        yield number, tuple(row)
    if later and head:  # an empty file has no column, and no text without it
        raise no_column(notes.name, next(iter(later)), list(fields))
    inner = [f"{name}.{each}" for name, names in nested.items() for each in names]
    notes.unread = (*(name for name in fields if name not in wanted), *inner, *others)


def json_lines(lines: Iterable[str], choice: Choice, notes: Notes) -> Iterator[tuple[int, Any]]:
    """Yield the numbers of lines and their values; blank ones are skipped."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            if len(line) <= MAX_LINE_VALUES:
                value = json.loads(line)
            else:
                value = parse_json(line.encode("utf-8", "surrogatepass"), MAX_LINE_VALUES)
        except BPEError as error:  # too many values, or too little memory
            _report(error, choice, notes)
        except (ValueError, RecursionError):
            broken = BPEError(
                "Line {line} is not JSON. Each line must hold one object or string.", line=number
            )
            _report(broken, choice, notes)
        else:
            yield number, value


def _rows(
    values: Iterable[tuple[int, Any]], choice: Choice, notes: Notes
) -> Iterator[tuple[int, Any]]:
    """Yield values as rows: objects, texts, and the texts of messages."""
    for number, value in values:
        if (row := as_row(value)) is not None:
            yield number, row
            continue
        error = BPEError(
            "Row {row} is neither a JSON object nor a string, but a {kind}.",
            row=number,
            kind=type(value).__name__,
        )
        _report(error, choice, notes)


def json_items(value: Any, choice: Choice) -> tuple[list[Any] | None, list[str]]:
    """Return the items of a JSON array, or of the one array in an object, and its other fields.

    An object of messages is one item, as is any where a column is asked for. Of all else there are
    no items: ``None``.
    """
    if isinstance(value, list):
        return value if any(as_row(item) is not None for item in value) else None, []
    if not isinstance(value, dict):
        return None, []
    arrays = [
        name
        for name, items in value.items()
        if isinstance(items, list) and any(isinstance(item, dict) for item in items)
    ]
    if any(_is_conversation(value[name]) for name in arrays):
        return [value], []
    if len(arrays) == 1 and not set(choice.columns) & value.keys():
        return value[arrays[0]], [name for name in value if name not in arrays]
    return [value] if choice.columns else None, []


def _is_conversation(items: list[Any]) -> bool:
    speakers = ({"role", "from"} & item.keys() for item in items if isinstance(item, dict))
    return all(speakers) and texts_of(items) is not None


def as_row(value: Any) -> dict[str, Any] | str | list[str] | None:
    """Return a value of JSON as a row: the fields of an object, a text, or the texts of messages.

    Of anything else return ``None``.
    """
    if isinstance(value, dict):
        return {scalar_text(name): field for name, field in value.items()}
    return value if isinstance(value, str) else texts_of(value) or None
