"""Protocol Buffers' wire format, as much of it as a SentencePiece model needs.

The official library would need generated classes; some lines read and write the bytes without any
code from the file's side. Groups, unused since 2008, are refused.
"""

import struct
from collections.abc import Iterator

from bpe.errors import BPEError

Value = int | bytes


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """Yield the number and value of each field of ``message``.

    A value is a whole number or bytes: of nested messages and text, or four or eight raw ones
    of a number of fixed width. Truncated or other data raises :class:`BPEError`.

    >>> list(fields(bytes.fromhex("08960112026869")))
    [(1, 150), (2, b'hi')]
    """
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        match tag & 7:
            case 0:
                value, at = _varint(message, at)
                yield tag >> 3, value
                continue
            case 1:
                size = 8
            case 2:
                size, at = _varint(message, at)
            case 5:
                size = 4
            case _:
                raise _broken()
        if at + size > len(message):
            raise _broken()
        yield tag >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise _broken()


def message(*values: tuple[int, int | float | str | bytes]) -> bytes:
    """Return a message of numbered values; a float takes four bytes.

    >>> message((1, 150), (2, "hi")).hex()
    '08960112026869'
    """
    parts = []
    for number, value in values:
        match value:
            case int():
                parts += [_written(number << 3), _written(value)]
            case float():
                parts += [_written(number << 3 | 5), struct.pack("<f", value)]
            case _:
                data = value.encode() if isinstance(value, str) else value
                parts += [_written(number << 3 | 2), _written(len(data)), data]
    return b"".join(parts)


def _written(value: int) -> bytes:
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*data, value])


def as_bytes(value: Value) -> bytes:
    """Return ``value`` if it is bytes; :class:`BPEError` otherwise."""
    if isinstance(value, bytes):
        return value
    raise _broken()


def as_text(value: Value) -> str:
    try:
        return as_bytes(value).decode()
    except UnicodeDecodeError as error:
        raise _broken() from error


def as_number(value: Value) -> int:
    """Return ``value`` if it is a whole number, with its sign."""
    if isinstance(value, int):
        return value - (1 << 64) if value >= 1 << 63 else value
    raise _broken()


def as_float(value: Value) -> float:
    data = as_bytes(value)
    if len(data) != 4:
        raise _broken()
    number: float = struct.unpack("<f", data)[0]
    return number


def _broken() -> BPEError:
    return BPEError("This is not a SentencePiece model, or it is not complete.")
