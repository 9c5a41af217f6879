"""The input of commands: texts, files, folders, patterns of names, and standard input.

What looks like the name of a file but is none is refused: it would be counted as text.
"""

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import click

from bpe.documents import reader
from bpe.documents.charset import known_charset
from bpe.documents.reader import File, OnRead
from bpe.documents.tables import GUESS, Choice, Notes

STANDARD_INPUT = "standard input"
TEXT = "text"

_NAME = re.compile(r"\S*[\w*]\.[A-Za-z][A-Za-z0-9]{0,9}")
_PATH = re.compile(r"(?:~|\.{1,2})?/[^\s]+")
_NAMED_AT_MOST = 3

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
"""A file that an option or an argument names."""

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]


class Refused(click.ClickException):
    """Input that a command cannot use, said in one sentence."""

    exit_code = 2


@dataclass
class Inputs:
    """The input of a command, how it is read, and how much of it was read so far."""

    files: list[File]
    left_out: list[Path] = field(default_factory=list)
    """Files of folders that are no text."""
    choice: Choice = field(default_factory=Choice)
    limit: int | None = None
    """The most documents to read."""
    quiet: bool = False
    groups: dict[str, list[File]] = field(default_factory=dict)
    """The files of each name that was given."""
    notes: list[Notes] = field(default_factory=list)
    """How each file was read so far."""

    @cached_property
    def _for_texts(self) -> Choice:
        return reader.for_texts(self.choice, (file.name for file in self.files))

    def _documents_read(self) -> int:
        return sum(notes.documents for notes in self.notes)

    def documents(self, file: File, on_read: OnRead = lambda size: None) -> Iterator[Iterable[str]]:
        left = None if self.limit is None else max(0, self.limit - self._documents_read())
        notes = Notes(file.name)
        self.notes.append(notes)
        choice = self.choice if reader.kind_of(file.name) else self._for_texts
        return islice(reader.read(file, choice, notes, on_read=on_read), left)

    def text(self) -> str:
        documents = (document for file in self.files for document in self.documents(file))
        return "".join(block for document in documents for block in document)

    def facts(self) -> dict[str, Any]:
        read = self.notes
        guessed = [notes for notes in read if notes.columns_guessed and notes.columns]
        return {
            "files": len(self.files),
            "documents": self._documents_read(),
            "characters": sum(notes.characters for notes in read),
            "rows_without_text": sum(notes.rows_without_text for notes in read),
            "files_left_out": list(map(str, self.left_out)),
            "columns": {notes.name: notes.columns[0] for notes in guessed},
            "unread": {notes.name: notes.all_unread for notes in read if notes.all_unread},
            "headings": {notes.name: notes.header for notes in read if notes.header is not None},
            "charsets": {notes.name: notes.charset for notes in read if notes.charset_guessed},
            "left_out": {
                notes.name: list(map(str, notes.remarks)) for notes in read if notes.remarks
            },
        }

    def say(self, *, always: bool = False) -> None:
        """Say on standard error what was read and what was not; of one text only if ``always``."""
        one = len(self.files) == 1
        plain = one and not (
            reader.kind_of(self.files[0].name) or any(notes.charset_guessed for notes in self.notes)
        )
        if self.quiet or (plain and not always):
            return
        facts = self.facts()
        name = self.files[0].name if one else _number_of(len(self.files), "file")
        parts = [
            f"read {name}: {_number_of(facts['documents'], 'document')}, "
            f"{_number_of(facts['characters'], 'character')}"
        ]
        how: dict[str, list[str]] = {}  # with the files that are read so
        for notes in self.notes:
            how.setdefault("; ".join(self._how(notes)), []).append(notes.name)
        how.pop("", None)
        if one:
            parts += how
        if rows := facts["rows_without_text"]:
            parts.append(f"{_number_of(rows, 'row')} without text left out")
        if self.left_out:
            parts.append(f"no text, left out: {_names(facts['files_left_out'])}")
        sys.stdout.flush()  # raises if its reader has ended: then there is nothing to say
        click.echo("; ".join(parts), err=True)
        for said, names in () if one else how.items():
            click.echo(f"{_names(names)}: {said}", err=True)

    def _how(self, notes: Notes) -> Iterator[str]:
        """Yield what is to be known of how a file was read."""
        if notes.columns_guessed and notes.columns:
            yield f"column “{notes.columns[0]}” guessed"
        if notes.all_unread:
            yield "not read: " + ", ".join(f"“{column}”" for column in notes.all_unread)
        if notes.header is not None and self.choice.header is None:
            yield _HEADINGS[notes.header]
        if notes.charset_guessed:
            yield f"charset “{notes.charset}” guessed"
        yield from map(str, notes.remarks)


_HEADINGS = {
    True: "the first row names columns (if it is text: --no-header)",
    False: "the first row is text (if it names columns: --header)",
}


def _number_of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _names(names: Sequence[str]) -> str:
    more = len(names) - _NAMED_AT_MOST
    return ", ".join(names[:_NAMED_AT_MOST]) + (f" and {more:,} more" if more > 0 else "")


def listed_as(file: File) -> str:
    return "-" if file.name == STANDARD_INPUT else file.name


def _of_text(text: str) -> File:
    data = os.fsencode(text) if any("\udc80" <= c <= "\udcff" for c in text) else text.encode()
    return File(TEXT, len(data), lambda: io.BytesIO(data), may_be_binary=False)


def _of_standard_input() -> File:
    """Return standard input; it can be read once."""
    return File(STANDARD_INPUT, None, lambda: sys.stdin.buffer, may_be_binary=False)


def inputs_of(
    arguments: Sequence[str] = (),
    files: Sequence[str] = (),
    texts: Sequence[str] = (),
    choice: Choice = Choice(),  # noqa: B008 - frozen
    **how: Any,
) -> Inputs:
    """Return what is to be read, in the order given; standard input where nothing is named.

    ``arguments`` may be texts, ``files`` may not.
    """
    groups: dict[str, list[File]] = {}
    left_out: list[Path] = []
    for names, may_be_text in ((arguments, True), (files, False)):
        for name in names:
            if name == "-":
                groups[name] = [_of_standard_input()]
            elif may_be_text and _is_text(name):
                groups.setdefault(name, []).append(_of_text(name))
            else:
                paths, others = reader.find([name])
                groups[name] = list(map(File.at, paths))
                left_out.extend(others)
    if texts:
        groups["--text"] = list(map(_of_text, texts))
    every = list(chain.from_iterable(groups.values())) or [_of_standard_input()]
    return Inputs(every, left_out, choice, groups=groups, **how)


def _is_text(argument: str) -> bool:
    if reader.exists(argument) or reader.matching(argument):
        return False
    if _NAME.fullmatch(argument) or _PATH.fullmatch(argument):
        raise Refused(
            f"There is no file “{argument}”. If it is the text itself, write --text “{argument}”."
        )
    return True


def stacked(*options: Option) -> Option:
    """Give a command all of these options and arguments, as if each stood above the next."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def gathered(into: str, make: Callable[..., Any], options: Mapping[str, Option]) -> Option:
    """Give a command one argument, which ``make`` makes of the values of these options."""

    def decorate(command: Command) -> Any:
        @wraps(command)
        def with_one(**values: Any) -> Any:
            made = make(**{name: values.pop(name) for name in options})
            return command(**{into: made}, **values)

        return stacked(*options.values())(with_one)

    return decorate


def _choice(columns: Sequence[str], charset: str, **how: Any) -> Choice:
    known = charset if charset == GUESS else known_charset(charset)
    return Choice(tuple(columns), charset=known, **how)


_CHOICE = {
    "columns": click.option(
        "--column",
        "columns",
        multiple=True,
        help="A column to read of tables and JSON, may be repeated; unless given, one is guessed.",
    ),
    "header": click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row of csv, tsv and workbooks names columns; unless given, it is "
        "seen and said.",
    ),
    "sheet": click.option("--sheet", help="The sheet to read of workbooks (.xlsx, .xls, .ods)."),
    "charset": click.option(
        "--charset",
        default="utf-8",
        show_default=True,
        help="What files and standard input are in, such as gb18030; “guess” guesses and says it.",
    ),
}
_READING = {
    "files": click.option(
        "--input",
        "-i",
        "files",
        multiple=True,
        metavar="FILE",
        help="Read this file, folder or pattern of names; may be repeated.",
    ),
    "limit": click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", help="Read the first N documents only."
    ),
    "quiet": click.option("--quiet", "-q", is_flag=True, help="Do not say what was read."),
}


def _inputs(
    corpus: Sequence[str] = (), *, files: Sequence[str], limit: int | None, quiet: bool, **more: Any
) -> Inputs:
    texts = {name: more.pop(name) for name in ("arguments", "texts") if name in more}
    # A mark of byte order is kept of what is encoded: it is decoded byte for byte.
    choice = _choice(**more, keep_mark=bool(texts))
    return inputs_of(**texts, files=[*corpus, *files], choice=choice, limit=limit, quiet=quiet)


choice_options = gathered("choice", _choice, _CHOICE)
"""Gives a command ``choice``: how files are read, and which columns and sheet of them."""
input_options = gathered(
    "inputs",
    _inputs,
    {
        "arguments": click.argument("arguments", nargs=-1, metavar="[TEXT|FILE|-]..."),
        "texts": click.option(
            "--text", "texts", multiple=True, help="This text, whatever it looks like."
        ),
        **_READING,
        **_CHOICE,
    },
)
"""Gives a command ``inputs``: texts, files and standard input, and options that say how."""
corpus_options = gathered(
    "inputs",
    _inputs,
    {
        "corpus": click.argument("corpus", nargs=-1, metavar="[FILE|FOLDER|-]..."),
        **_READING,
        **_CHOICE,
    },
)
"""Gives a command ``inputs``: files and standard input, and options that say how."""
