"""``bpe decode``: ids to text, in a stream and byte for byte.

The ids may be those of a JSON object, as ``bpe encode --json`` prints it, read block by block.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import click

from bpe.cli.input import Refused, inputs_of
from bpe.cli.output import as_json, print_values, progress_bar, write
from bpe.cli.tokenizers import encoder_of, pattern_option, tokenizer_option
from bpe.documents.reader import BLOCK, File, OnRead
from bpe.errors import BPEError

Read = Callable[[], bytes]
"""Returns the next block of the object, and nothing at its end."""

_STRING = rb'"(?:[^"\\]|\\.)*+"'
_PLAIN = rb"(?:" + _STRING + rb"|-?[0-9.eE+-]++|true|false|null)"
_BEFORE_IDS = re.compile(
    rb"\s*\{(?:\s*" + _STRING + rb"\s*:\s*" + _PLAIN + rb'\s*,)*+\s*"ids"\s*:\s*\['
)
_SEPARATORS = bytes.maketrans(b",[]", b"   ")


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

    Ids stand apart by spaces, commas or line breaks, or are what `bpe encode --json` prints. The
    bytes are those of the tokens, also where they are not UTF-8; a line break is added in a
    terminal only.

    \b
    bpe decode 177519 979 28428 32949 2375
    bpe encode "low lower" | bpe decode
    bpe decode -t tokenizer.json -i ids.txt > text.txt
    """
    if per_line and (ids or as_json):
        raise click.UsageError("--per-line reads files or standard input, and prints no JSON.")
    encoder = encoder_of(chosen, pattern)
    found = inputs_of(files=files).files if files or not ids else []
    with progress_bar("decoding", found) as on_read:
        if per_line:
            for source in found:
                for line in _lines(source):
                    write(b"".join(encoder.decode_iterable([_numbers(line)])) + b"\n")
            return
        blocks = [iter([_numbers(" ".join(ids).encode())])]
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
            "Token ids are whole numbers with spaces between them. This is something else."
        ) from None


def ids_of_object(head: bytes, read: Read) -> Iterator[list[int]]:
    """Yield the ids of the object that begins with ``head`` and goes on with what ``read`` returns.

    They come block by block where only strings, numbers and the like stand before them in ``head``;
    any other object is read whole. Raises :class:`Refused` for what is no such object, which for
    one that is read in blocks may be known only after some ids.
    """
    begin = _BEFORE_IDS.match(head)
    if begin is None:
        yield _of_whole(head + b"".join(iter(read, b"")))
        return
    waiting, empty = head[begin.end() :], True
    while b"]" not in waiting:
        whole, comma, rest = waiting.rpartition(b",")
        if comma:
            yield _checked(_parsed(b"[%b]" % whole))
            empty = False
        data = read()
        if not data:
            raise Refused("The JSON object ends in the middle of its “ids”.")
        waiting = rest + data
    last, _, after = waiting.partition(b"]")
    if last.strip() or not empty:
        yield _checked(_parsed(b"[%b]" % last)) or _refuse()
    if "ids" in _parsed(b'{"": 0' + after + b"".join(iter(read, b""))):
        raise Refused("The JSON object has “ids” twice.")


def _of_whole(data: bytes) -> list[int]:
    parsed = _parsed(data)
    if "ids" not in parsed:
        raise Refused("The JSON object has no “ids”, as `bpe encode --json` prints them.")
    return _checked(parsed["ids"])


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        raise Refused("This is not a JSON object with “ids” in a list of whole numbers.") from None


def _checked(ids: object) -> list[int]:
    if not isinstance(ids, list) or not all(type(token_id) is int for token_id in ids):
        _refuse()
    return ids


def _refuse() -> NoReturn:
    raise Refused("The “ids” of the JSON object are not a list of whole numbers.")
