"""A reader's own parallel texts: two texts line by line, two files, or a table of languages.

Line *n* of one is line *n* of the other; where that cannot be, the error says at which line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath

from bpe.documents import reader, untrusted
from bpe.documents.charset import decode
from bpe.documents.reader import File
from bpe.documents.tables import GUESS, Choice, Notes, no_column
from bpe.errors import BPEError
from bpe.text.unicode import scalar_text

MAX_BYTES = 8 * 2**20
"""The most that all the texts may have together."""

LANGUAGE_FILES: tuple[str, ...] = (".txt", ".dev", ".devtest", ".test")
"""Suffixes of text files of which each is one language, in a ZIP."""
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".xlsx", ".xls", ".ods")
TABLES: tuple[str, ...] = (*_TABLES, ".zip")
_MOST_CELLS = 2_000_000

_NAMES = {
    "zh": (
        *("zh", "zh-cn", "zh-hans", "zh-hans-cn", "zho-hans", "zho", "zh-tw", "zh-hant"),
        *("zho-hant", "cn", "chinese", "中文", "汉语"),
    ),
    "en": ("en", "en-us", "en-gb", "eng-latn", "eng", "english", "英文", "英语", "msgid"),
}

Pairs = tuple[tuple[str, str], ...]
"""``(zh, en)`` of the same meaning."""
_Rows = list[tuple[int, tuple[str, ...]]]


def from_texts(zh: str, en: str) -> Pairs:
    """Pair two texts line by line; lines that are blank in both are left out.

    A different number of lines, or a line that is blank on one side alone, raises
    :class:`BPEError`, as does a text of nothing but white space.

    >>> from_texts("你好\\n再见\\n", "Hello\\r\\nGoodbye")
    (('你好', 'Hello'), ('再见', 'Goodbye'))
    """
    lines = _lines(zh), _lines(en)
    for number, (one, other) in enumerate(zip(*lines, strict=False), start=1):
        if bool(one) != bool(other):
            raise BPEError(
                "Line {line} is empty in one text and not in the other. Line by line, both must "
                "say the same (lines in Chinese: {zh}, in English: {en}).",
                line=number,
                zh=len(lines[0]),
                en=len(lines[1]),
            )
    if len(lines[0]) != len(lines[1]):
        raise BPEError(
            "Lines in Chinese: {zh}, in English: {en}. Line by line, both must say the same; line "
            "{line} is the first without a counterpart.",
            zh=len(lines[0]),
            en=len(lines[1]),
            line=min(len(lines[0]), len(lines[1])) + 1,
        )
    return _checked([pair for pair in zip(*lines, strict=True) if pair[0]])


@dataclass(frozen=True)
class Table:
    """A table that has been read, and the columns that most likely hold Chinese and English."""

    name: str
    columns: tuple[str, ...]
    rows: _Rows
    """The number of each row, and its cells."""
    zh: str
    en: str

    def pairs(self, zh: str | None = None, en: str | None = None) -> Pairs:
        """Pair two columns, by default the likely ones.

        The cells are exactly what the file says. A row with one of the two cells blank raises
        :class:`BPEError`; rows with both blank are left out.
        """
        columns = (zh or self.zh, en or self.en)
        for column in columns:
            if column not in self.columns:
                raise no_column(self.name, column, self.columns)
        zh_place, en_place = map(self.columns.index, columns)
        pairs = []
        for number, cells in self.rows:
            zh_cell, en_cell = cells[zh_place], cells[en_place]
            if bool(zh_cell.strip()) != bool(en_cell.strip()):
                raise BPEError(
                    "Row {row} of “{name}” has one of the two texts and not the other. Every row "
                    "needs both.",
                    row=number,
                    name=self.name,
                )
            if zh_cell.strip():
                pairs.append((zh_cell, en_cell))
        return _checked(pairs)


def read_table(data: bytes, filename: str) -> Table:
    """Read a table, or a ZIP of a text file for each language, as in FLORES.

    Its languages are found by the names of the columns, or else they are the first two. Fewer than
    two columns raise :class:`BPEError`.
    """
    suffix = PurePath(filename).suffix.lower()
    if suffix not in TABLES:
        raise BPEError(
            "“{name}” is not a table. Use one of: {suffixes}.",
            name=filename,
            suffixes=", ".join(TABLES),
        )
    _check_size(len(data))
    columns, rows = _language_files(data) if suffix == ".zip" else _cells(data, filename)
    if len(columns) < 2:
        raise BPEError(
            "“{name}” needs two columns, one in Chinese and one in English.", name=filename
        )
    zh, en = (_named(columns, language) for language in ("zh", "en"))
    rest = [name for name in columns if name not in (zh, en)]
    zh = zh or rest.pop(0)
    return Table(filename, columns, rows, zh, en or rest[0])


def _cells(data: bytes, filename: str) -> tuple[tuple[str, ...], _Rows]:
    """Return the columns of a table that have text, and all rows; messages are a line each."""
    notes, choice = Notes(), Choice(every_column=True, charset=GUESS)
    rows = [
        (number, tuple(scalar_text(c if isinstance(c, str) else "\n".join(c or ())) for c in row))
        for number, row in reader.rows(File.of(data, filename), choice, notes)
        if len(row) == len(notes.columns)
    ]
    return notes.columns, rows


def _language_files(data: bytes) -> tuple[tuple[str, ...], _Rows]:
    """Read a file for each language; what has the same name in several folders follows in order."""
    unpacked = sorted(untrusted.unpack(data, LANGUAGE_FILES)[0])
    cells = sum(content.count(b"\n") + 1 for _path, content in unpacked)
    if cells > _MOST_CELLS:
        raise BPEError(
            "This file has {cells} texts; the limit is {limit}. Upload a part of it.",
            cells=f"{cells:,}",
            limit=f"{_MOST_CELLS:,}",
        )
    columns: dict[str, list[str]] = {}
    for path, content in unpacked:
        text = decode(content).text.replace("\r\n", "\n").removesuffix("\n")
        columns.setdefault(PurePosixPath(path).stem, []).extend(map(scalar_text, text.split("\n")))
    first = next(iter(columns), "")
    for name, lines in columns.items():
        if len(lines) != len(columns[first]):
            raise BPEError(
                "“{first}” has {lines} lines and “{name}” {others}. Line by line, all must say "
                "the same.",
                first=first,
                lines=len(columns[first]),
                name=name,
                others=len(lines),
            )
    return tuple(columns), list(enumerate(zip(*columns.values(), strict=True), start=1))


def _named(names: Sequence[str], language: str) -> str | None:
    by_code = {name.strip().lower().replace("_", "-"): name for name in reversed(names)}
    return next((by_code[code] for code in _NAMES[language] if code in by_code), None)


def _lines(text: str) -> list[str]:
    _check_size(len(text))
    ended = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [scalar_text(line).strip() for line in ended.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _checked(pairs: list[tuple[str, str]]) -> Pairs:
    if not pairs:
        raise BPEError("There are no sentence pairs to compare. Add at least one.")
    _check_size(sum(len(text.encode()) for pair in pairs for text in pair))
    return tuple(pairs)


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise BPEError(
            "The texts have {size:.1f} MB; the limit for comparing is {limit:.1f} MB. Take a part "
            "of them.",
            size=size / 2**20,
            limit=MAX_BYTES / 2**20,
        )
