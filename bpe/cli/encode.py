"""``bpe encode``, ``decode`` and ``split``: text to ids and back, in a stream and byte for byte."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import click

from bpe import compiled
from bpe.cli.input import Inputs, input_options, inputs_of, listed_as
from bpe.cli.output import as_json, as_jsonl, print_json, print_values, progress_bar, write
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
from bpe.documents.reader import BLOCK, File, OnRead
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.readable import readable

Encoded = Iterator[tuple[str, Iterator[list[int]]]]
"""Of each document the name of its file, and its ids in blocks."""
Words = Callable[[Iterable[int]], Iterable[int | str]]
"""Gives what is printed for ids."""

_CHUNK = ("start", "end", "tokens", "text")
_LINES = 2_000  # encoded at once
_SEPARATORS = bytes.maketrans(b",[]", b"   ")


@click.command()
@input_options
@tokenizer_option()
@pattern_option
@click.option("--allow-special", is_flag=True, help="Special tokens in the text are these tokens.")
@click.option("--truncate", type=click.IntRange(min=0), metavar="N", help="Only the first N ids.")
@click.option("--per-line", is_flag=True, help="Each line is a document of its own.")
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
    if as_jsonl and as_json:
        raise click.UsageError("--jsonl does not go with --json.")
    if per_line and truncate is not None:
        raise click.UsageError("--per-line does not go with --truncate.")
    encoder = encoder_of(chosen, pattern)
    specials = {"allowed_special": "all" if allow_special else (), "disallowed_special": ()}
    field = "pieces" if pieces else "ids"

    def words(ids: Iterable[int]) -> Iterable[int | str]:
        return (readable(encoder.token_bytes(token_id)) for token_id in ids) if pieces else ids

    compiled.ready_for(sum(file.size or 0 for file in inputs.files))
    with progress_bar("encoding", inputs.files) as on_read:
        documents = _encoded(inputs, encoder, specials, per_line, truncate, on_read)
        if as_jsonl:
            _write_json_lines(documents, words, field)
        elif as_json:
            _write_json(documents, words, encoder.name, field, inputs)
        else:
            _write_ids(documents, words, per_line)
    if not as_json:
        inputs.say()


@click.command()
@input_options
@click.option("--max", "most", type=click.IntRange(min=1), required=True, help="Tokens of a piece.")
@click.option(
    "--overlap", type=click.IntRange(0), default=0, help="Tokens of the one before, at the most."
)
@tokenizer_option()
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
    for file in inputs.files:
        for number, document in enumerate(inputs.documents(file), start=1):
            for chunk in encoder.chunks("".join(document), most, overlap=overlap):
                place = {"name": listed_as(file), "document": number}
                print_json({**place, **{name: getattr(chunk, name) for name in _CHUNK}})
    inputs.say()


def _encoded(
    inputs: Inputs,
    encoder: Encoder,
    specials: Mapping[str, Any],
    per_line: bool,
    most: int | None,
    on_read: OnRead,
) -> Encoded:
    """Yield the file and the ids of each document, or line; ``most`` ids of them all."""

    def ids_of(document: Iterable[str]) -> Iterator[list[int]]:
        nonlocal most
        for ids in encoder.encode_iterable_to_numpy(document, **specials):
            yield ids[:most].tolist()
            if most is not None and (most := max(0, most - len(ids))) == 0:
                return

    for file in inputs.files:
        for document in inputs.documents(file, on_read):
            if per_line:
                lines = _lines(document)
                while some := list(islice(lines, _LINES)):
                    for ids in encoder.encode_batch(some, **specials):
                        yield listed_as(file), iter([ids])
            else:
                yield listed_as(file), ids_of(document)
                if most == 0:
                    return


def _write_ids(documents: Encoded, words: Words, per_line: bool) -> None:
    rows = (" ".join(map(str, words(ids))) for _, blocks in documents for ids in blocks)
    if per_line:
        for row in rows:
            write(row.encode() + b"\n")
        return
    separator = b""
    for row in filter(None, rows):
        write(separator + row.encode())
        separator = b" "
    write(b"\n")


def _write_json(
    documents: Encoded, words: Words, tokenizer: str, field: str, inputs: Inputs
) -> None:
    listed: list[int | str] = []
    borders = []
    for name, blocks in documents:
        start = len(listed)
        listed += chain.from_iterable(map(words, blocks))
        borders.append({"name": name, "start": start, "end": len(listed)})
    rest = {"documents": borders, "read": inputs.facts()}
    print_json({"tokenizer": tokenizer, field: listed, **rest})


def _write_json_lines(documents: Encoded, words: Words, field: str) -> None:
    numbers = Counter[str]()
    for name, blocks in documents:
        numbers[name] += 1
        ids = list(chain.from_iterable(blocks))
        values = {"name": name, "document": numbers[name], "ids": ids, field: list(words(ids))}
        write(json.dumps(values, ensure_ascii=False).encode() + b"\n")


def _lines(blocks: Iterable[str]) -> Iterator[str]:
    r"""Yield the lines of a text that comes in blocks, without their ``\n``."""
    rest = ""
    for block in blocks:
        *whole, rest = (rest + block).split("\n")
        yield from whole
    if rest:
        yield rest


@click.command()
@click.argument("ids", nargs=-1)
@click.option(
    "--input", "-i", "files", multiple=True, metavar="FILE", help="Read the ids of this file."
)
@tokenizer_option()
@pattern_option
@click.option("--per-line", is_flag=True, help="The ids of each line are a text of their own.")
@as_json
def decode(
    ids: Sequence[str],
    files: Sequence[str],
    chosen: str,
    pattern: str | None,
    per_line: bool,
    as_json: bool,
) -> None:
    """Print the text of IDS, or of the ids of files or standard input.

    Ids stand apart by spaces, commas or line breaks. The bytes are those of the tokens, also where
    they are not UTF-8; a line break is added in a terminal only.

    \b
    bpe decode 177519 979 28428 32949 2375
    bpe encode "low lower" | bpe decode
    bpe decode -t tokenizer.json -i ids.txt > text.txt
    """
    if per_line and (ids or as_json):
        raise click.UsageError("--per-line reads files or standard input, and prints no JSON.")
    encoder = encoder_of(chosen, pattern)
    sources = inputs_of(files=files).files if files or not ids else []
    with progress_bar("decoding", sources) as on_read:
        if per_line:
            for source in sources:
                with source.open() as file:
                    for line in file:
                        write(b"".join(encoder.decode_iterable([_numbers(line)])) + b"\n")
            return
        blocks = [iter([_numbers(" ".join(ids).encode())])]
        blocks += [_blocks(source, on_read) for source in sources]
        decoded = encoder.decode_iterable(block for each in blocks for block in each)
        if as_json:
            text = b"".join(decoded).decode("utf-8", "replace")
            print_values({"tokenizer": encoder.name, "text": text}, as_json)
            return
        for data in decoded:
            write(data)
        if sys.stdout.isatty():
            write(b"\n")


def _blocks(source: File, on_read: OnRead) -> Iterator[list[int]]:
    """Yield the ids of a source block by block."""
    with source.open() as file:

        def read() -> bytes:
            data = file.read(BLOCK)
            on_read(len(data))
            return data

        data, rest = read(), b""
        while data:
            data = (rest + data).translate(_SEPARATORS)
            end = max(data.rfind(b" "), data.rfind(b"\n"), data.rfind(b"\t")) + 1
            yield _numbers(data[:end])
            data, rest = read(), data[end:]
        yield _numbers(rest)


def _numbers(data: bytes) -> list[int]:
    try:
        return [int(word) for word in data.translate(_SEPARATORS).split()]
    except ValueError:
        raise BPEError(
            "Token ids are whole numbers with spaces between them. This is something else."
        ) from None
