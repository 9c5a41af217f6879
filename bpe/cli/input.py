"""The input of commands: texts, files, folders, patterns of names, and standard input.

An argument is the file or folder of that name, ``-`` is standard input, and anything else is the
text itself. What looks like the name of a file but is none is refused, as a misspelled name would
be counted as text. Files are read as :mod:`bpe.documents.reader` does.
"""

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import click

from bpe import compiled
from bpe.documents import reader
from bpe.documents.charset import known_charset
from bpe.documents.reader import File, OnRead
from bpe.documents.tables import GUESS, Choice, Notes
from bpe.encoders.byte_pair import plain_work
from bpe.errors import BPEError

STANDARD_INPUT = "standard input"
TEXT = "text"

_SAMPLE = 1 << 12

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
    notes: dict[int, Notes] = field(default_factory=dict)
    """How each file is read, by the identity of the file."""
    _starts: dict[int, int] = field(default_factory=dict)

    @cached_property
    def _for_texts(self) -> Choice:
        return reader.for_texts(self.choice, (file.name for file in self.files))

    def _documents_read(self) -> int:
        return sum(notes.documents for notes in self.notes.values())

    def documents(
        self, file: File, on_read: OnRead = lambda size: None, *, again: bool = False
    ) -> Iterator[Iterable[str]]:
        """Yield the documents of a file; what is read ``again`` is not counted again."""
        notes = Notes() if again else self.notes.setdefault(id(file), Notes(file.name))
        is_text = not reader.kind_of(file.name)
        choice = self._for_texts if is_text else self.choice
        documents = reader.read(file, choice, notes, on_read=on_read)
        if self.limit is None:
            return documents
        start = self._starts.setdefault(id(file), self._documents_read())
        return islice(documents, max(0, self.limit - start))

    def texts(self) -> Iterator[tuple[str, int, str]]:
        """Yield the name of each file, the number of each document in it from 1, and its text."""
        for file in self.files:
            for number, document in enumerate(self.documents(file), start=1):
                yield listed_as(file), number, "".join(document)

    def text(self) -> str:
        documents = (document for file in self.files for document in self.documents(file))
        return "".join(block for document in documents for block in document)

    def facts(self) -> dict[str, Any]:
        read = self.notes.values()
        guessed = {
            notes.name: notes.columns[0]
            for notes in read
            if notes.columns_guessed and notes.columns
        }
        return {
            "files": len(self.files),
            "documents": self._documents_read(),
            "characters": sum(notes.characters for notes in read),
            "rows_without_text": sum(notes.rows_without_text for notes in read),
            "files_left_out": list(map(str, self.left_out)),
            "columns": guessed,
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
        read = list(self.notes.values())
        plain = one and not (
            reader.kind_of(self.files[0].name) or any(notes.charset_guessed for notes in read)
        )
        if self.quiet or (plain and not always):
            return
        facts = self.facts()
        name = self.files[0].name if one else number_of(len(self.files), "file")
        parts = [
            f"read {name}: {number_of(facts['documents'], 'document')}, "
            f"{number_of(facts['characters'], 'character')}"
        ]
        unread = {name: _listed(columns) for name, columns in facts["unread"].items()}
        headings = facts["headings"] if self.choice.header is None else {}
        headings = {name: _HEADINGS[heading] for name, heading in headings.items()}
        remarks = {name: " ".join(each) for name, each in facts["left_out"].items()}
        for sentence, values in (
            ("column “{}” guessed in {}", facts["columns"]),
            ("not read: {}" if one else "not read: {} in {}", unread),
            ("{}" if one else "{} in {}", headings),
            ("charset “{}” guessed in {}", facts["charsets"]),
            ("{}", remarks),
        ):
            for value in dict.fromkeys(values.values()):
                files = [name for name, each in values.items() if each == value]
                parts.append(sentence.format(value, _names(files)))
        if rows := facts["rows_without_text"]:
            parts.append(f"{number_of(rows, 'row')} without text left out")
        if self.left_out:
            parts.append(f"no text, left out: {_names(list(map(str, self.left_out)))}")
        sys.stdout.flush()  # raises if its reader has ended: then there is nothing to say
        click.echo("; ".join(parts), err=True)


_HEADINGS = {
    True: "the first row names columns (if it is text: --no-header)",
    False: "the first row is text (if it names columns: --header)",
}


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(f"“{column}”" for column in columns)


def number_of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _names(names: Sequence[str]) -> str:
    more = len(names) - _NAMED_AT_MOST
    return ", ".join(names[:_NAMED_AT_MOST]) + (f" and {more:,} more" if more > 0 else "")


def listed_as(file: File) -> str:
    return "-" if file.name == STANDARD_INPUT else file.name


def of_text(text: str) -> File:
    data = os.fsencode(text) if any("\udc80" <= c <= "\udcff" for c in text) else text.encode()
    return File(TEXT, len(data), lambda: io.BytesIO(data), may_be_binary=False)


def of_standard_input() -> File:
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
                groups[name] = [of_standard_input()]
            elif may_be_text and _is_text(name):
                groups.setdefault(name, []).append(of_text(name))
            else:
                paths, others = reader.find([name])
                groups[name] = list(map(File.at, paths))
                left_out.extend(others)
    if texts:
        groups["--text"] = list(map(of_text, texts))
    every = list(chain.from_iterable(groups.values())) or [of_standard_input()]
    return Inputs(every, left_out, choice, groups=groups, **how)


def _is_text(argument: str) -> bool:
    if reader.exists(argument) or reader.matching(argument):
        return False
    if _NAME.fullmatch(argument) or _PATH.fullmatch(argument):
        raise Refused(
            f"There is no file “{argument}”. If it is the text itself, write --text “{argument}”."
        )
    return True


def expect(files: Iterable[File], encoders: int = 1) -> None:
    """Have the kernels loaded before the first block, where there is much to encode."""
    work = 0
    for file in files:
        if file.size:
            work += encoders * _work(file, file.size)
            if work >= compiled.WORTH_LOADING:
                break
    compiled.ready_for(work)


def _work(file: File, size: int) -> int:
    """Return how long plain Python would take for a file, judged by its beginning."""
    with file.open() as opened:
        head = opened.read(_SAMPLE)
    return size * plain_work(head.decode("utf-8", "replace")) // max(len(head), 1)


def _known_charset(
    _context: click.Context, _parameter: click.Parameter, charset: str | None
) -> str | None:
    try:
        return charset if charset in (None, GUESS) else known_charset(charset)
    except BPEError as error:
        raise click.BadParameter(str(error)) from None


def stacked(*options: Option) -> Option:
    """Give a command all of these options and arguments, as if each stood above the next."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_COLUMNS = (
    click.option(
        "--column",
        "columns",
        multiple=True,
        help="A column to read of tables and JSON, may be repeated; unless given, one is guessed.",
    ),
    click.option(
        "--header/--no-header",
        default=None,
        help="Whether the first row of csv, tsv and workbooks names columns; unless given, it is "
        "seen and said.",
    ),
    click.option("--sheet", help="The sheet to read of workbooks (.xlsx, .xls, .ods)."),
)
_charset_option = click.option(
    "--charset",
    default="utf-8",
    show_default=True,
    callback=_known_charset,
    help="What files and standard input are in, such as gb18030; “guess” guesses and says it.",
)
limit_option = click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Read the first N documents only."
)
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Do not say what was read.")
_READING = (
    click.option(
        "--input",
        "-i",
        "files",
        multiple=True,
        metavar="FILE",
        help="Read this file, folder or pattern of names; may be repeated.",
    ),
    limit_option,
    quiet_option,
)


def choice_options(command: Command) -> Command:
    """Give a command ``choice``: how files are read, and which columns and sheet of them."""

    @wraps(command)
    def with_choice(
        *,
        columns: Sequence[str],
        header: bool | None,
        sheet: str | None,
        charset: str,
        **others: Any,
    ) -> Any:
        choice = Choice(tuple(columns), charset=charset, header=header, sheet=sheet)
        return command(choice=choice, **others)

    return stacked(*_COLUMNS, _charset_option)(with_choice)  # type: ignore[no-any-return]


def input_options(command: Command) -> Command:
    """Give a command ``inputs``: texts, files and standard input, and options that say how."""
    return _with_inputs(
        command,
        click.argument("arguments", nargs=-1, metavar="[TEXT|FILE|-]..."),
        click.option("--text", "texts", multiple=True, help="This text, whatever it looks like."),
        keep_mark=True,  # what is encoded is decoded byte for byte
    )


def corpus_options(command: Command) -> Command:
    """Give a command ``inputs``: files and standard input, and options that say how."""
    return _with_inputs(command, click.argument("corpus", nargs=-1, metavar="[FILE|FOLDER|-]..."))


def _with_inputs(command: Command, *more: Option, keep_mark: bool = False) -> Command:
    @wraps(command)
    def with_inputs(
        *,
        files: Sequence[str],
        corpus: Sequence[str] = (),
        arguments: Sequence[str] = (),
        texts: Sequence[str] = (),
        choice: Choice,
        limit: int | None,
        quiet: bool,
        **others: Any,
    ) -> Any:
        choice = replace(choice, keep_mark=keep_mark)
        try:
            inputs = inputs_of(
                arguments, [*corpus, *files], texts, choice, limit=limit, quiet=quiet
            )
            return command(inputs=inputs, **others)
        except BPEError as error:
            raise Refused(str(error)) from error

    return stacked(*more, *_READING)(choice_options(with_inputs))  # type: ignore[no-any-return]
