"""What the commands write: JSON or lines, bytes as they are, and a progress bar."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from bpe.cli.input import OnRead, Source

_LONG = 4 << 20
"""Bytes of input, or an unknown number of them, from which on a bar is shown."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def write(data: bytes) -> None:
    """Write bytes to standard output."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:  # a stand-in for standard output that takes text
        sys.stdout.write(data.decode())
    else:
        stream.write(data)


def print_values(values: dict[str, Any], as_json: bool) -> None:
    """Print values as one JSON object, or one a line."""
    if as_json:
        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        for name, value in values.items():
            click.echo(f"{name.replace('_', ' ')}: {value}")


@contextmanager
def progress_bar(label: str, sources: Iterable[Source], times: int = 1) -> Iterator[OnRead]:
    """Show on standard error how many bytes are read, if that is a terminal and there are many.

    ``times`` is how often each source is read. Gives a callback that takes numbers of bytes.
    """
    sizes = [source.size for source in sources]
    size = sum(size or 0 for size in sizes) * times
    if not sys.stderr.isatty() or (None not in sizes and size < _LONG):
        yield lambda size: None
        return
    length = None if None in sizes else size
    with click.progressbar(length=length or 1, label=label, file=sys.stderr) as bar:
        yield bar.update if length else (lambda size: None)
