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
"""Bytes of input from which on a bar is shown."""
_STEP = 1 << 18

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
as_jsonl = click.option(
    "--jsonl", "as_jsonl", is_flag=True, help="Print one JSON object a line for each document."
)


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)


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
    """Print values as one JSON object, or those that are known one a line."""
    if as_json:
        print_json(values, err=err)
        return
    for name, value in values.items():
        if isinstance(value, Mapping):
            value = [f"{key} {number:,}" for key, number in value.items()]
        if isinstance(value, list | tuple):
            value = ", ".join(map(str, value)) or "–"
        elif isinstance(value, int):
            value = f"{value:,}" if type(value) is int else "yes" if value else "no"
        if value is not None:
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
def progress_bar(label: str, files: Iterable[File]) -> Iterator[OnRead]:
    """Show how much is read in a terminal, of sizes that are known and large.

    Gives a callback that takes numbers of bytes.
    """
    sizes = [file.size or 0 for file in files]
    hidden = not all(sizes) or sum(sizes) < _LONG or not sys.stderr.isatty()
    with click.progressbar(
        length=sum(sizes), label=label, file=sys.stderr, hidden=hidden, update_min_steps=_STEP
    ) as bar:
        yield bar.update


@contextmanager
def progress_of(
    label: str = "", read: Callable[[], float | None] = lambda: None
) -> Iterator[OnProgress]:
    """Show how far some work is, under ``label`` or the name of its phase.

    While words are counted, ``read`` says which share of the corpus is read.
    """
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=100, file=sys.stderr, hidden=hidden, show_eta=False) as bar:

        def on_progress(progress: Progress) -> None:
            share = progress.share if progress.total else None
            if progress.phase == "counting":
                share = read() or share
            bar.label = label or progress.phase
            bar.update(min(int(100 * (share or 0)), 99) - bar.pos)  # the next phase begins at 0

        yield on_progress
