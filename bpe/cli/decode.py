"""``bpe decode``: ids to text, in a stream and byte for byte."""

import sys
from collections.abc import Iterator, Sequence

import click

from bpe.cli.input import inputs_of
from bpe.cli.json_ids import Read, ids_of_object
from bpe.cli.output import as_json, print_values, progress_bar, write
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
from bpe.documents.stream import BLOCK, File, OnRead
from bpe.errors import BPEError

_SEPARATORS = bytes.maketrans(b",[]", b"   ")


@click.command()
@click.argument("ids", nargs=-1, type=int)
@click.option(
    "--input", "-i", "files", multiple=True, metavar="FILE", help="Read the ids of this file."
)
@tokenizer_option
@pattern_option
@click.option("--per-line", is_flag=True, help="The ids of each line are a text of their own.")
@as_json
def decode(
    ids: Sequence[int],
    files: Sequence[str],
    chosen: str,
    pattern: str | None,
    per_line: bool,
    as_json: bool,
) -> None:
    """Print the text of IDS, or of the ids of files or standard input.

    Ids stand apart by spaces, commas or line breaks, or are what `bpe encode --json` prints. The
    bytes are those of the tokens, also where they are not UTF-8; a line break is added in a
    terminal only.

    \b
    bpe decode 177519 979 28428 32949 2375
    bpe encode "low lower" | bpe decode
    bpe decode -t tokenizer.json -i ids.txt > text.txt
    """
    encoder = encoder_of(chosen, pattern)
    found = inputs_of(files=files).files if files or not ids else []
    with progress_bar("decoding", found) as on_read:
        if per_line:
            for source in found:
                for line in _lines(source):
                    write(b"".join(encoder.decode_iterable([_numbers(line)])) + b"\n")
            return
        blocks: list[Iterator[list[int]]] = [iter([list(ids)] if ids else [])]
        blocks += [_blocks(source, on_read) for source in found]
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

        head = read()
        is_object = head.lstrip().startswith(b"{")
        yield from ids_of_object(head, read) if is_object else _listed(head, read)


def _listed(data: bytes, read: Read) -> Iterator[list[int]]:
    rest = b""
    while data:
        data = (rest + data).translate(_SEPARATORS)
        end = max(data.rfind(b" "), data.rfind(b"\n"), data.rfind(b"\t")) + 1
        data, rest = data[:end], data[end:]
        yield _numbers(data)
        data = read()
    yield _numbers(rest)


def _lines(source: File) -> Iterator[bytes]:
    with source.open() as file:
        yield from file


def _numbers(data: bytes) -> list[int]:
    try:
        return [int(word) for word in data.translate(_SEPARATORS).split()]
    except ValueError:
        raise BPEError(
            "Token ids are whole numbers with spaces between them. Found something else on "
            "standard input."
        ) from None
