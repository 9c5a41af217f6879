"""The output of commands: JSON or lines, bytes as they are, and a progress bar."""

import json
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bpe.cli.input import STANDARD_INPUT, Refused
from bpe.documents.reader import File, OnRead
from bpe.encoders.base import Encoder
from bpe.progress import OnProgress, Progress
from bpe.writing import require_apart

if TYPE_CHECKING:
    from bpe.files import Format

_LONG = 4 << 20
"""Bytes of input, or an unknown number of them, from which on a bar is shown."""
_BAR = 30

Show = Callable[[str, float | None], None]
"""Shows the name of some work, and which share of it is done, if that is known."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
as_jsonl = click.option(
    "--jsonl", "as_jsonl", is_flag=True, help="Print one JSON object a line for each document."
)


def write(data: bytes) -> None:
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a stand-in for standard output that takes text
        sys.stdout.write(data.decode())
    else:
        stream.write(data)


def refuse_inputs(output: str, inputs: Iterable[str | None]) -> None:
    """Refuse to write over what is read, standard input included, or into a folder with it."""
    if output == "-":
        return
    read = ["/dev/stdin" if name == STANDARD_INPUT else name for name in inputs if name]
    inside = [str(path) for name in read if Path(name).is_dir() for path in Path(name).iterdir()]
    require_apart(output, [*read, *inside])


def save(tokenizer: Encoder, output: str, file_format: "Format", **options: Any) -> None:
    """Write a tokenizer; “-” is standard output, for formats of one file."""
    from bpe import files as formats  # only here: who counts writes none

    if output != "-":
        formats.save(tokenizer, output, file_format, **options)
        return
    files = list(formats.dumps(tokenizer, file_format).values())
    if len(files) > 1:
        raise Refused(f"The format {file_format} has several files. Name a folder for them.")
    if any(options.values()):
        raise Refused("Roles are for a folder, or a file tokenizer.json.")
    write(files[0])


def print_values(values: dict[str, Any], as_json: bool, *, err: bool = False) -> None:
    """Print values as one JSON object, or one a line; with ``err`` on standard error."""
    if as_json:
        print_json(values, err=err)
    else:
        for name, value in values.items():
            click.echo(f"{name.replace('_', ' ')}: {value}", err=err)


def print_json(values: Mapping[str, Any], *, err: bool = False) -> None:
    """Print one JSON object in a line; with ``err`` on standard error."""
    click.echo(json.dumps(values, ensure_ascii=False), err=err)


def print_columns(
    rows: Sequence[Sequence[str]], right: Collection[int] = (), widest: int | None = None
) -> None:
    """Print rows of cells under each other; the columns ``right`` end at the same place."""
    columns = [
        padded(column, right=place in right, widest=widest)
        for place, column in enumerate(zip(*rows, strict=True))
    ]
    for row in zip(*columns, strict=True):
        click.echo("  ".join(row).rstrip())


def padded(cells: Sequence[str], *, right: bool = False, widest: int | None = None) -> list[str]:
    """Return the cells of a column, filled up to one width; none waits for those over ``widest``.

    >>> padded(["汉字", "a"]), padded(["10", "9"], right=True)
    (['汉字', 'a   '], ['10', ' 9'])
    """
    widths = list(map(_width, cells))
    full = max((width for width in widths if widest is None or width <= widest), default=0)
    blanks = [" " * (full - width) for width in widths]
    pairs = zip(blanks, cells, strict=True) if right else zip(cells, blanks, strict=True)
    return ["".join(pair) for pair in pairs]


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes; 汉字 take two, combining marks none."""
    return sum(
        0
        if unicodedata.combining(character)
        else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


@contextmanager
def progress_line() -> Iterator[Show]:
    """Draw a bar on standard error, if that is a terminal; at the end it is gone."""
    if not sys.stderr.isatty():
        yield lambda label, share: None
        return
    drawn = ""

    def show(label: str, share: float | None) -> None:
        nonlocal drawn
        line = label if share is None else f"{label:<9} {_bar(share)}"
        if line != drawn:
            click.echo(f"\r\033[K{line}", err=True, nl=False)
            drawn = line

    try:
        yield show
    finally:
        if drawn:
            click.echo("\r\033[K", err=True, nl=False)


@contextmanager
def progress_bar(label: str, files: Iterable[File], times: int = 1) -> Iterator[OnRead]:
    """Show how many bytes are read, if there are many. ``times`` is how often each file is read.

    Gives a callback that takes numbers of bytes.
    """
    sizes = [file.size for file in files]
    has_sizes = None not in sizes
    size = sum(size or 0 for size in sizes) * times
    done = 0
    with progress_line() as show:

        def on_read(more: int) -> None:
            nonlocal done
            done += more
            if not has_sizes or size >= _LONG:
                show(label, min(done / size, 1.0) if has_sizes else None)

        yield on_read


@contextmanager
def progress_of(
    label: str = "", read: Callable[[], float | None] | None = None
) -> Iterator[OnProgress]:
    """Show how far some work is, under ``label`` or the name of its phase.

    While words are counted, ``read`` says which share of the corpus is read.
    """
    with progress_line() as show:

        def on_progress(progress: Progress) -> None:
            share = progress.share if progress.total else None
            if read is not None and progress.phase == "counting":
                share = read()
            show(label or progress.phase, share)

        yield on_progress


def _bar(share: float) -> str:
    """Return a share as a bar.

    >>> _bar(0.5)
    '[###############---------------]  50%'
    """
    full = int(share * _BAR)
    return f"[{'#' * full}{'-' * (_BAR - full)}] {share:>4.0%}"
