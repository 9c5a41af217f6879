"""How values, texts, blocks and errors travel between a program and its sandboxed processes."""

import json
import struct
from collections.abc import Iterable
from typing import IO, Any

from bpe.errors import BPEError, Translatable

_DECODED_AT_ONCE = 1 << 20
_SIZE = struct.Struct("<Q")

_raised_before = BPEError
"""An error that travelled: its sentence stands where it was first raised."""


def pack(values: object, texts: Iterable[str] = ()) -> bytes:
    """Return values of JSON and texts, which may be long, as bytes."""
    parts = [text.encode("utf-8", "surrogatepass") for text in texts]
    head = json.dumps([values, len(parts)]).encode() + b"\n"
    return b"".join([head, struct.pack(f"<{len(parts)}Q", *map(len, parts)), *parts])


def unpack(answer: bytes) -> tuple[Any, list[str]]:
    """Return the values and the texts that :func:`pack` has joined."""
    head = answer[: answer.index(b"\n")]
    values, count = json.loads(head)
    start = len(head) + 1 + 8 * count
    texts = []
    for (size,) in struct.iter_unpack("<Q", answer[len(head) + 1 : start]):
        blocks = []
        end = start + size
        while start < end:  # block by block, so that other threads have their turn
            stop = min(end, start + _DECODED_AT_ONCE)
            while stop < end and answer[stop] & 0xC0 == 0x80:
                stop += 1
            blocks.append(answer[start:stop].decode("utf-8", "surrogatepass"))
            start = stop
        texts.append("".join(blocks))
    return values, texts


def write_block(file: IO[bytes], data: bytes) -> None:
    file.write(_SIZE.pack(len(data)))
    file.write(data)


def read_block(file: IO[bytes], most: int | None = None) -> bytes | None:
    """Return the next block; ``None`` where the other end is gone, or it has more than ``most``."""
    head = file.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    (size,) = _SIZE.unpack(head)
    if most is not None and size > most:
        return None
    data = file.read(size)
    return data if len(data) == size else None


def error_to_bytes(error: BPEError) -> bytes:
    parts: tuple[dict[str, object], dict[str, object]] = {}, {}
    for name, value in error.values.items():
        parts[isinstance(value, Translatable)][name] = value
    return json.dumps([error.template, *parts], default=str).encode()


def error_from_bytes(data: bytes) -> BPEError:
    template, values, words = json.loads(data)
    return _raised_before(
        template, **values, **{name: Translatable(word) for name, word in words.items()}
    )
