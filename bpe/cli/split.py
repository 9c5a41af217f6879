"""``bpe split``: texts in pieces of so many tokens."""

import json

import click

from bpe.cli.input import Inputs, input_options
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option


@click.command()
@input_options
@click.option("--max", "most", type=click.IntRange(min=1), required=True, help="Tokens of a piece.")
@click.option(
    "--overlap",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Begin each piece with the end of the one before: so many tokens at the most.",
)
@tokenizer_option
@pattern_option
def split(inputs: Inputs, most: int, overlap: int, chosen: str, pattern: str | None) -> None:
    """Cut texts into pieces of at most so many tokens, and print one JSON object for each.

    A piece ends at a sentence where that fits, else at a clause, a word or a character. "start" and
    "end" are its characters in the document.

    \b
    bpe split --max 500 --overlap 50 book.txt > pieces.jsonl
    bpe split --max 8000 -t gpt-5 articles.jsonl --column body
    """
    encoder = encoder_of(chosen, pattern)
    for name, number, text in inputs.texts():
        for chunk in encoder.chunks(text, most, overlap=overlap):
            piece = {"name": name, "document": number, "start": chunk.start, "end": chunk.end}
            piece |= {"tokens": chunk.tokens, "text": chunk.text}
            click.echo(json.dumps(piece, ensure_ascii=False))
    inputs.say()
