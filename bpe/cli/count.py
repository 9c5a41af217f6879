"""``python -m bpe count``: the tokens of a text under one tokenizer or many."""

from collections.abc import Sequence

import click

import bpe
from bpe.cli.input import as_json, encoder_of, print_values, text_argument, text_of


@click.command()
@text_argument
@click.option(
    "--tokenizer",
    "-t",
    "chosen",
    multiple=True,
    help="A tokenizer file or the name of an encoding; may be repeated. Default: all encodings.",
)
@as_json
def count(text: str | None, chosen: Sequence[str], as_json: bool) -> None:
    """Count the tokens of TEXT, or of standard input."""
    content = text_of(text)
    names = chosen or [entry.name for entry in bpe.encodings()]
    counts = {}
    for name in names:
        encoder = encoder_of(name)
        counts[encoder.name] = encoder.count(content)
    if as_json:
        size = len(content.encode("utf-8", "replace"))
        print_values({"characters": len(content), "bytes": size, "tokens": counts}, as_json)
    else:
        width = max(map(len, counts))
        for name, tokens in counts.items():
            click.echo(f"{name:<{width}}  {tokens:>10,}")
