"""``bpe encode``: text to ids, in a stream."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from bpe.cli.input import OnRead, Source, expect, input_options, sources
from bpe.cli.output import as_json, progress_bar, write
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
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
def encode(
    arguments: Sequence[str],
    files: Sequence[str],
    texts: Sequence[str],
    charset: str,
    chosen: str,
    pattern: str | None,
    allow_special: bool,
    truncate: int | None,
    per_line: bool,
    pieces: bool,
    as_json: bool,
) -> None:
    """Print the token ids of texts and files, or of standard input.

    \b
    bpe encode "你好，世界"
    bpe encode -t tokenizer.json notes.txt > ids.txt
    bpe encode --per-line -i lines.txt
    cat notes.txt | bpe encode --truncate 1000 | bpe decode
    """
    if per_line and (as_json or truncate is not None):
        raise click.UsageError("--per-line goes with neither --json nor --truncate.")
    encoder = encoder_of(chosen, pattern)
    allowed: Specials = "all" if allow_special else ()
    found = sources(arguments, files, texts)
    expect(found)
    with progress_bar("encoding", found) as on_read:
        if per_line:
            for source in found:
                _write_lines(encoder, source.blocks(charset, on_read), allowed, pieces)
            return
        blocks = chain.from_iterable(
            _ids(encoder, source, charset, on_read, allowed) for source in found
        )
        rows = (_words(encoder, ids, pieces) for ids in _truncated(blocks, truncate))
        if as_json:
            field = "pieces" if pieces else "ids"
            write(f'{{"tokenizer": {json.dumps(encoder.name)}, "{field}": ['.encode())
            _write_joined((map(json.dumps, row) if pieces else row for row in rows), ", ")
            write(b"]}\n")
        else:
            _write_joined(rows, " ")
            write(b"\n")


def _ids(
    encoder: Encoder, source: Source, charset: str, on_read: OnRead, allowed: Specials
) -> "Iterator[Ids]":
    return encoder.encode_iterable_to_numpy(
        source.blocks(charset, on_read),
        allowed_special=allowed,
        disallowed_special=(),
    )


def _truncated(blocks: "Iterable[Ids]", most: int | None) -> "Iterator[Ids]":
    for ids in blocks:
        if most is None:
            yield ids
            continue
        yield ids[:most]
        most -= len(ids)
        if most <= 0:
            return


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
