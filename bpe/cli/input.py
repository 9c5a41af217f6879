"""What the commands read: texts, files, folders, patterns of names, and standard input.

An argument is the file or folder of that name, ``-`` is standard input, and anything else is the
text itself. What looks like the name of a file but is none is refused, as a misspelled name would
be counted as text. Text is read in blocks, so that memory stays bounded, and byte for byte: no line
end is changed, and what is not in the charset is an error that says where.
"""

import codecs
import glob
import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from bpe import compiled
from bpe.encoders.byte_pair import plain_work

BLOCK = 1 << 20
"""Bytes read at once."""

_SAMPLE = 1 << 12

_NAME = re.compile(r"\S*[\w*]\.[A-Za-z][A-Za-z0-9]{0,9}")
_PATH = re.compile(r"(?:~|\.{1,2})?/[^\s]+")
_GLOB = re.compile(r"[*?[]")
_BINARY = b"\0"

OnRead = Callable[[int], object]
"""Hears of how many bytes were read."""

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Source:
    """A text to read: its name, its size in bytes where that is known, and how it is opened."""

    name: str
    size: int | None
    open: Callable[[], BinaryIO]

    def blocks(self, charset: str = "utf-8", on_read: OnRead = lambda size: None) -> Iterator[str]:
        """Yield the text in blocks; ``on_read`` hears of the bytes of each.

        Bytes that are not in ``charset`` raise :class:`click.ClickException`.
        """
        decoder = codecs.getincrementaldecoder(charset)()
        done = 0
        with self.open() as file:
            while True:
                data = _read(file)
                held = len(decoder.getstate()[0])
                try:
                    text = decoder.decode(data, final=not data)
                except UnicodeDecodeError as error:
                    raise self._not_in(charset, done - held + error.start) from error
                if text:
                    yield text
                if not data:
                    return
                done += len(data)
                on_read(len(data))

    def text(self, charset: str = "utf-8") -> str:
        """Return the whole text."""
        return "".join(self.blocks(charset))

    def _not_in(self, charset: str, position: int) -> click.ClickException:
        name = "Standard input" if self.name == "-" else f"“{self.name}”"
        return Refused(
            f"{name} is not {charset.upper()}: byte {position + 1:,} does not fit. Say which "
            "charset it is in, such as --charset gb18030."
        )


class Refused(click.ClickException):
    """Input that a command cannot use, said in one sentence."""

    exit_code = 2


def _read(file: BinaryIO) -> bytes:
    """Return the next block; from a pipe what is there, once it is enough to be worth it."""
    read = getattr(file, "read1", file.read)
    data: bytes = read(BLOCK)
    while 0 < len(data) < BLOCK // 4:
        more = read(BLOCK - len(data))
        if not more:
            break
        data += more
    return data


def of_text(text: str) -> Source:
    """Return a text of the command line as a source."""
    data = os.fsencode(text) if any("\udc80" <= c <= "\udcff" for c in text) else text.encode()
    return Source("text", len(data), lambda: io.BytesIO(data))


def of_standard_input() -> Source:
    """Return standard input as a source; it can be read once."""
    return Source("-", None, lambda: sys.stdin.buffer)


def of_file(path: Path) -> Source:
    """Return a file as a source."""
    return Source(
        str(path), path.stat().st_size if path.is_file() else None, lambda: path.open("rb")
    )


def sources(
    arguments: Sequence[str], files: Sequence[str] = (), texts: Sequence[str] = ()
) -> list[Source]:
    """Return what is to be read, in the order given; standard input where nothing is named."""
    found: list[Source] = []
    for argument in arguments:
        found.extend(_of_argument(argument))
    for file in files:
        found.extend([of_standard_input()] if file == "-" else map(of_file, paths([file])))
    found.extend(map(of_text, texts))
    if not (arguments or files or texts):
        found = [of_standard_input()]
    return found


def expect(found: Iterable[Source], encoders: int = 1) -> None:
    """Have the kernels loaded before the first block, where there is much to encode."""
    work = 0
    for source in found:
        if source.size:
            work += encoders * _work(source, source.size)
            if work >= compiled.WORTH_LOADING:
                break
    compiled.ready_for(work)


def _work(source: Source, size: int) -> int:
    """Return how long plain Python would take for a source, judged by its beginning."""
    with source.open() as file:
        head = file.read(_SAMPLE)
    return size * plain_work(head.decode("utf-8", "replace")) // max(len(head), 1)


def _of_argument(argument: str) -> Iterable[Source]:
    if argument == "-":
        return [of_standard_input()]
    if _exists(argument) or (_GLOB.search(argument) and _matching(argument)):
        return map(of_file, paths([argument]))
    if _NAME.fullmatch(argument) or _PATH.fullmatch(argument):
        raise Refused(
            f"There is no file “{argument}”. If it is the text itself, write --text “{argument}”."
        )
    return [of_text(argument)]


def paths(names: Iterable[str]) -> list[Path]:
    """Return the files that are named: files as they are, folders and patterns with all in them.

    In folders hidden files and those that are no text are left out, as ripgrep does.
    """
    found: list[Path] = []
    for name in names:
        if not _exists(name) and _GLOB.search(name):
            matching = _matching(name)
            if not matching:
                raise Refused(f"No file fits “{name}”.")
            found.extend(file for path in matching for file in _files_of(path))
        elif not _exists(name):
            raise Refused(f"There is no file “{name}”.")
        else:
            found.extend(_files_of(Path(name)))
    return list(dict.fromkeys(found))


def _exists(name: str) -> bool:
    try:
        return name != "" and Path(name).exists()  # to Path it is the folder one is in
    except (OSError, ValueError):  # a long text is no name at all
        return False


def _matching(pattern: str) -> list[Path]:
    return [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for directory, folders, names in os.walk(path):
        folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
        files = (Path(directory, name) for name in sorted(names) if not name.startswith("."))
        found.extend(file for file in files if file.is_file() and not _is_binary(file))
    if not found:
        raise Refused(f"There is no text file in “{path}”.")
    return found


def _is_binary(path: Path) -> bool:
    """Return whether a file is no text, as git decides it; PDF and Word files say what they are."""
    if path.suffix.lower() in (".pdf", ".docx", ".parquet"):
        return False
    with path.open("rb") as file:
        return _BINARY in file.read(8000)


def known_charset(
    _context: click.Context, _parameter: click.Parameter, charset: str | None
) -> str | None:
    """Check an option that names a charset."""
    try:
        if charset is not None:
            codecs.getincrementaldecoder(charset)
    except LookupError:
        raise click.BadParameter(f"There is no charset “{charset}”.") from None
    return charset


def input_options(command: Command) -> Command:
    """Give a command the arguments and options that say what it reads."""
    for decorate in (
        click.option(
            "--charset",
            default="utf-8",
            show_default=True,
            callback=known_charset,
            help="What files and standard input are in, such as gb18030.",
        ),
        click.option("--text", "texts", multiple=True, help="This text, whatever it looks like."),
        click.option(
            "--input",
            "-i",
            "files",
            multiple=True,
            metavar="FILE",
            help="Read this file, folder or pattern of names; may be repeated.",
        ),
        click.argument("arguments", nargs=-1, metavar="[TEXT|FILE|-]..."),
    ):
        command = decorate(command)
    return command
