"""What the commands have in common: a tokenizer by name or file, a text, values printed."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from bpe import files
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.errors import BPEError

text_argument = click.argument("text", required=False)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
tokenizer_option = click.option(
    "--tokenizer",
    "-t",
    "chosen",
    default="o200k_base",
    show_default=True,
    help="A tokenizer file, or the name of an encoding.",
)


def encoder_of(chosen: str) -> Encoder:
    """Return the encoder of a catalogue name or a file; a name wins over a file so called."""
    names = [entry.name for entry in catalog.encodings()]
    if chosen in names:
        return catalog.encoding(chosen)
    if not Path(chosen).exists():
        raise BPEError(
            "“{chosen}” is neither a file nor an encoding. The encodings are: {names}.",
            chosen=chosen,
            names=", ".join(names),
        )
    return files.load(chosen)


def text_of(text: str | None) -> str:
    """Return the text given, or what standard input says; bytes that are no text as U+FFFD."""
    return sys.stdin.buffer.read().decode("utf-8", "replace") if text is None else text


def print_values(values: dict[str, Any], as_json: bool) -> None:
    """Print values as one JSON object, or one a line."""
    if as_json:
        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        for name, value in values.items():
            click.echo(f"{name.replace('_', ' ')}: {value}")
