"""What the commands write: JSON or lines, bytes as they are, and a progress bar."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from bpe import files as formats
from bpe.cli.input import Refused
from bpe.documents.stream import File, OnRead
from bpe.encoders.base import Encoder
from bpe.progress import OnProgress, Progress

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


def save(tokenizer: Encoder, output: str, file_format: formats.Format, **options: Any) -> None:
    """Write a tokenizer; “-” is standard output, for formats of one file."""
    if output != "-":
        formats.save(tokenizer, output, file_format, **options)
        return
    files = list(formats.dumps(tokenizer, file_format).values())
    if len(files) > 1:
        raise Refused(f"The format {file_format} has several files. Name a folder for them.")
    if any(options.values()):
        raise Refused("Roles and a chat template are for a folder, or a file tokenizer.json.")
    write(files[0])


def print_values(values: dict[str, Any], as_json: bool, *, err: bool = False) -> None:
    """Print values as one JSON object, or one a line; with ``err`` on standard error."""
    if as_json:
        click.echo(json.dumps(values, ensure_ascii=False), err=err)
    else:
        for name, value in values.items():
            click.echo(f"{name.replace('_', ' ')}: {value}", err=err)


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
    known = None not in sizes
    size = sum(size or 0 for size in sizes) * times
    done = 0
    with progress_line() as show:

        def on_read(more: int) -> None:
            nonlocal done
            done += more
            if not known or size >= _LONG:
                show(label, min(done / size, 1.0) if known else None)

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
