"""``python -m bpe encode`` and ``decode``: text to ids and back."""

from collections.abc import Sequence

import click

from bpe.cli.input import (
    as_json,
    encoder_of,
    print_values,
    text_argument,
    text_of,
    tokenizer_option,
)
from bpe.errors import BPEError


@click.command()
@text_argument
@tokenizer_option
@as_json
def encode(text: str | None, chosen: str, as_json: bool) -> None:
    """Print the token ids of TEXT, or of standard input."""
    encoder = encoder_of(chosen)
    ids = encoder.encode(text_of(text), disallowed_special=())
    if as_json:
        print_values({"tokenizer": encoder.name, "ids": ids}, as_json)
    else:
        click.echo(" ".join(map(str, ids)))


@click.command()
@click.argument("ids", nargs=-1, type=int)
@tokenizer_option
@as_json
def decode(ids: Sequence[int], chosen: str, as_json: bool) -> None:
    """Print the text of IDS, or of the ids on standard input."""
    encoder = encoder_of(chosen)
    if not ids:
        try:
            ids = [int(word) for word in text_of(None).replace(",", " ").split()]
        except ValueError:
            raise BPEError(
                "Token ids are whole numbers with spaces between them. Found something else on "
                "standard input."
            ) from None
    text = encoder.decode(ids)
    if as_json:
        print_values({"tokenizer": encoder.name, "text": text}, as_json)
    else:
        click.echo(text)
