"""``bpe encode`` and ``bpe split``: text to ids, in a stream, or in pieces of so many tokens."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from bpe.cli.input import Inputs, expect, input_options, listed_as
from bpe.cli.output import as_json, as_jsonl, progress_bar, write
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
from bpe.documents.stream import OnRead
from bpe.encoders.base import Encoder
from bpe.text.readable import readable
from bpe.text.special_tokens import Specials

if TYPE_CHECKING:
    from bpe.encoders.base import Ids

_LINES = 2_000  # encoded at once


@click.command()
@input_options
@tokenizer_option
@pattern_option
@click.option("--allow-special", is_flag=True, help="Special tokens in the text are these tokens.")
@click.option("--truncate", type=click.IntRange(min=0), metavar="N", help="Only the first N ids.")
@click.option("--per-line", is_flag=True, help="Each line is a text, and its ids are a line.")
@click.option("--pieces", is_flag=True, help="The tokens as text instead of their ids.")
@as_json
@as_jsonl
def encode(
    inputs: Inputs,
    chosen: str,
    pattern: str | None,
    allow_special: bool,
    truncate: int | None,
    per_line: bool,
    pieces: bool,
    as_json: bool,
    as_jsonl: bool,
) -> None:
    """Print the token ids of texts and files, or of standard input.

    \b
    bpe encode "你好，世界"
    bpe encode -t tokenizer.json notes.txt > ids.txt
    bpe encode --per-line -i lines.txt
    bpe encode --jsonl --column body rows.csv
    cat notes.txt | bpe encode --truncate 1000 | bpe decode
    """
    if per_line and (as_json or truncate is not None):
        raise click.UsageError("--per-line goes with neither --json nor --truncate.")
    if as_jsonl and (as_json or per_line):
        raise click.UsageError("--jsonl goes with neither --json nor --per-line.")
    encoder = encoder_of(chosen, pattern)
    allowed: Specials = "all" if allow_special else ()
    expect(inputs.files)
    with progress_bar("encoding", inputs.files) as on_read:
        if per_line:
            for file in inputs.files:
                for document in inputs.documents(file, on_read):
                    _write_lines(encoder, document, allowed, pieces)
        else:
            documents = _Encoded(inputs, encoder, allowed, truncate, on_read)
            writer = _write_json_lines if as_jsonl else _write_json if as_json else _write_ids
            writer(documents, pieces)
    if not as_json:
        inputs.say()


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


class _Encoded:
    """The ids of each document in blocks, all together ``most`` at the most; and their borders."""

    def __init__(
        self, inputs: Inputs, encoder: Encoder, allowed: Specials, most: int | None, on_read: OnRead
    ) -> None:
        self.inputs, self.encoder = inputs, encoder
        self._allowed, self._left, self._on_read = allowed, most, on_read
        self.borders: list[dict[str, Any]] = []
        """Of each document the name of its file, and where its ids begin and end."""

    def __iter__(self) -> "Iterator[tuple[str, Iterator[Ids]]]":
        for file in self.inputs.files:
            for document in self.inputs.documents(file, self._on_read):
                if self._left == 0 and self.borders:
                    return
                yield listed_as(file), self._ids(listed_as(file), document)

    def _ids(self, name: str, document: Iterable[str]) -> "Iterator[Ids]":
        start = self.borders[-1]["end"] if self.borders else 0
        border: dict[str, Any] = {"name": name, "start": start, "end": start}
        self.borders.append(border)
        for ids in self.encoder.encode_iterable_to_numpy(
            document, allowed_special=self._allowed, disallowed_special=()
        ):
            if self._left is not None:
                ids = ids[: self._left]
                self._left -= len(ids)
            border["end"] += len(ids)
            yield ids
            if self._left == 0:
                return


def _write_ids(documents: _Encoded, pieces: bool) -> None:
    _write_joined(_rows(documents, pieces), " ")
    write(b"\n")


def _write_json(documents: _Encoded, pieces: bool) -> None:
    field = "pieces" if pieces else "ids"
    write(f'{{"tokenizer": {json.dumps(documents.encoder.name)}, "{field}": ['.encode())
    rows = _rows(documents, pieces)
    _write_joined((map(json.dumps, row) if pieces else row for row in rows), ", ")
    rest = {"documents": documents.borders, "read": documents.inputs.facts()}
    write(f"], {json.dumps(rest, ensure_ascii=False)[1:]}\n".encode())


def _write_json_lines(documents: _Encoded, pieces: bool) -> None:
    numbers = Counter[str]()
    for name, blocks in documents:
        numbers[name] += 1
        ids = [token_id for block in blocks for token_id in block.tolist()]
        values: dict[str, Any] = {"name": name, "document": numbers[name], "ids": ids}
        if pieces:
            values["pieces"] = _words(documents.encoder, ids, pieces)
        write(json.dumps(values, ensure_ascii=False).encode() + b"\n")


def _rows(documents: _Encoded, pieces: bool) -> Iterator[Iterable[str]]:
    for _, blocks in documents:
        for ids in blocks:
            yield _words(documents.encoder, ids, pieces)


def _words(encoder: Encoder, ids: Iterable[int], pieces: bool) -> Iterable[str]:
    listed = ids.tolist() if hasattr(ids, "tolist") else ids
    if pieces:
        return [readable(encoder.token_bytes(token_id)) for token_id in listed]
    return map(str, listed)


def _write_joined(rows: Iterable[Iterable[str]], separator: str) -> None:
    first = True
    for row in rows:
        if joined := separator.join(row):
            write(("" if first else separator).encode() + joined.encode())
            first = False


def _write_lines(encoder: Encoder, blocks: Iterable[str], allowed: Specials, pieces: bool) -> None:
    waiting: list[str] = []
    for line in _lines(blocks):
        waiting.append(line)
        if len(waiting) == _LINES:
            _write_batch(encoder, waiting, allowed, pieces)
            waiting = []
    _write_batch(encoder, waiting, allowed, pieces)


def _write_batch(encoder: Encoder, lines: list[str], allowed: Specials, pieces: bool) -> None:
    batch = encoder.encode_batch(lines, allowed_special=allowed, disallowed_special=())
    write("".join(" ".join(_words(encoder, ids, pieces)) + "\n" for ids in batch).encode())


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    r"""Yield the lines of a text that comes in blocks, without their ``\n``."""
    rest = ""
    for block in blocks:
        *whole, rest = (rest + block).split("\n")
        yield from whole
    if rest:
        yield rest
