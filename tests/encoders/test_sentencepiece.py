"""SentencePiece models that ask for more than there is."""

import struct

import pytest

from bpe.errors import BPEError
from bpe.files.pieces import loads


def field(number: int, content: bytes) -> bytes:
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])
    return bytes([number << 3 | 2]) + length + content


def model(pieces: list[str]) -> bytes:
    """Return a BPE model; its first piece is the unknown one."""
    parts = []
    for place, piece in enumerate(pieces):
        kind = b"\x18\x02" if place == 0 else b""
        score = b"\x15" + struct.pack("<f", -place)
        parts.append(field(1, field(1, piece.encode()) + score + kind))
    return b"".join(parts) + field(2, b"\x18\x02")


def test_a_small_model_of_nested_pieces_is_read():
    encoder = loads(model(["<unk>", "a", "aa", "aaa"]), name="nested", file="m")
    assert [(merge.left, merge.right) for merge in encoder.merges] == [(1, 1), (1, 2), (2, 1)]


def test_a_file_of_a_megabyte_cannot_ask_for_gigabytes():
    # Each piece of n letters can be made in n - 1 ways: half a million merges of 512 letters.
    pieces = ["<unk>", *(letter * n for letter in "ab" for n in range(1, 1024))]
    with pytest.raises(BPEError, match="in too many ways"):
        loads(model(pieces), name="large", file="m")
