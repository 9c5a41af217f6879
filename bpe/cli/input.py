"""What the commands read: texts, files, folders, patterns of names, and standard input.

An argument is the file or folder of that name, ``-`` is standard input, and anything else is the
text itself. What looks like the name of a file but is none is refused, as a misspelled name would
be counted as text. Files are read as :mod:`bpe.documents.stream` does.
"""

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import click

from bpe import compiled
from bpe.documents import finding, stream
from bpe.documents.charset import known_charset
from bpe.documents.stream import GUESS, File, OnRead, Tally
from bpe.encoders.byte_pair import plain_work
from bpe.errors import BPEError

STANDARD_INPUT = "standard input"
TEXT = "text"

_SAMPLE = 1 << 12

_NAME = re.compile(r"\S*[\w*]\.[A-Za-z][A-Za-z0-9]{0,9}")
_PATH = re.compile(r"(?:~|\.{1,2})?/[^\s]+")
_NAMED_AT_MOST = 3

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]


class Refused(click.ClickException):
    """Input that a command cannot use, said in one sentence."""

    exit_code = 2


@dataclass
class Inputs:
    """What a command is told to read and how, and what it has read of it so far."""

    files: list[File]
    left_out: list[Path] = field(default_factory=list)
    """Files of folders that are no text."""
    charset: str = "utf-8"
    column: str | None = None
    limit: int | None = None
    """The most documents to read."""
    quiet: bool = False
    keep_mark: bool = False
    """Whether a byte order mark of UTF-8 is a part of the text."""
    groups: dict[str, list[File]] = field(default_factory=dict)
    """The files of each name that was given."""
    tally: Tally = field(default_factory=Tally)
    _starts: dict[int, int] = field(default_factory=dict)

    def documents(
        self, file: File, on_read: OnRead = lambda size: None, *, again: bool = False
    ) -> Iterator[Iterable[str]]:
        """Yield the documents of a file; what is read ``again`` is not added to the tally."""
        tally = Tally() if again else self.tally
        start = self._starts.setdefault(id(file), tally.documents)
        left = None if self.limit is None else max(0, self.limit - start)
        found = stream.documents(
            file,
            column=self.column,
            charset=self.charset,
            keep_mark=self.keep_mark,
            tally=tally,
            on_read=on_read,
        )
        return islice(found, left)

    def texts(self) -> Iterator[tuple[str, int, str]]:
        """Yield the name of each file, the number of each document in it from 1, and its text."""
        for file in self.files:
            for number, document in enumerate(self.documents(file), start=1):
                yield listed_as(file), number, "".join(document)

    def text(self) -> str:
        documents = (document for file in self.files for document in self.documents(file))
        return "".join(block for document in documents for block in document)

    def facts(self) -> dict[str, Any]:
        return {
            "files": len(self.files),
            "documents": self.tally.documents,
            "characters": self.tally.characters,
            "rows_without_text": self.tally.rows_without_text,
            "files_left_out": list(map(str, self.left_out)),
            "columns": self.tally.columns,
            "charsets": self.tally.charsets,
        }

    def say(self, *, always: bool = False) -> None:
        """Say on standard error what was read; of one text only if ``always``."""
        one = len(self.files) == 1
        plain = one and not (stream.kind_of(self.files[0].name) or self.tally.charsets)
        if self.quiet or (plain and not always):
            return
        tally = self.tally
        name = self.files[0].name if one else number_of(len(self.files), "file")
        said = [
            f"read {name}: {number_of(tally.documents, 'document')}, "
            f"{number_of(tally.characters, 'character')}"
        ]
        for what, chosen in (("column", tally.columns), ("charset", tally.charsets)):
            for value in dict.fromkeys(chosen.values()):
                files = [name for name, chose in chosen.items() if chose == value]
                said.append(f"{what} “{value}” guessed in {_names(files)}")
        if tally.rows_without_text:
            said.append(f"{number_of(tally.rows_without_text, 'row')} without text left out")
        if self.left_out:
            said.append(f"no text, left out: {_names(list(map(str, self.left_out)))}")
        sys.stdout.flush()  # raises if its reader has ended: then there is nothing to say
        click.echo("; ".join(said), err=True)


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
    **how: Any,
) -> Inputs:
    """Return what is to be read, in the order given; standard input where nothing is named.

    ``arguments`` may be texts, ``files`` may not.
    """
    groups: dict[str, list[File]] = {}
    left_out: list[Path] = []
    for given, may_be_text in ((arguments, True), (files, False)):
        for name in given:
            if name == "-":
                groups[name] = [of_standard_input()]
            elif may_be_text and _is_text(name):
                groups.setdefault(name, []).append(of_text(name))
            else:
                paths, others = finding.find([name])
                groups[name] = list(map(File.at, paths))
                left_out.extend(others)
    if texts:
        groups["--text"] = list(map(of_text, texts))
    found = list(chain.from_iterable(groups.values())) or [of_standard_input()]
    return Inputs(found, left_out, groups=groups, **how)


def _is_text(argument: str) -> bool:
    if finding.exists(argument) or finding.matching(argument):
        return False
    if _NAME.fullmatch(argument) or _PATH.fullmatch(argument):
        raise Refused(
            f"There is no file “{argument}”. If it is the text itself, write --text “{argument}”."
        )
    return True


def expect(found: Iterable[File], encoders: int = 1) -> None:
    """Have the kernels loaded before the first block, where there is much to encode."""
    work = 0
    for file in found:
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


column_option = click.option(
    "--column", help="The column of csv, tsv, jsonl and parquet files; unless given, it is guessed."
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
    column_option,
    click.option(
        "--charset",
        default="utf-8",
        show_default=True,
        callback=_known_charset,
        help="What files and standard input are in, such as gb18030; “guess” guesses and says it.",
    ),
    limit_option,
    quiet_option,
)


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
    return _with_inputs(
        command,
        click.argument("corpus", nargs=-1, metavar="[FILE|FOLDER|-]..."),
        click.option(
            "--encoding", "old_name", hidden=True, callback=_known_charset, help="Old name."
        ),
    )


def _with_inputs(command: Command, *more: Option, keep_mark: bool = False) -> Command:
    @wraps(command)
    def with_inputs(
        *,
        files: Sequence[str],
        corpus: Sequence[str] = (),
        arguments: Sequence[str] = (),
        texts: Sequence[str] = (),
        charset: str,
        old_name: str | None = None,
        column: str | None,
        limit: int | None,
        quiet: bool,
        **others: Any,
    ) -> Any:
        how: dict[str, Any] = {"column": column, "limit": limit, "quiet": quiet}
        try:
            inputs = inputs_of(
                arguments,
                [*corpus, *files],
                texts,
                charset=old_name or charset,
                keep_mark=keep_mark,
                **how,
            )
            return command(inputs=inputs, **others)
        except BPEError as error:
            raise Refused(str(error)) from error

    return stacked(*more, *_READING)(with_inputs)  # type: ignore[no-any-return]
