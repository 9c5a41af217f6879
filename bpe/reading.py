"""The ground of all readers of files: limits on size, JSON, and calls into Rust that may panic."""

import gc
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bpe.errors import BPEError
from bpe.limits import require_memory

MAX_BYTES = 64 * 1024 * 1024
"""The largest file, and the most bytes that all tokens of a vocabulary may have together."""


MAX_VALUES = 4_000_000
"""Commas, colons and brackets of a file of JSON; the largest tokenizers have two million."""

MAX_TOKENS = 2**20
"""Of one tokenizer file; the largest vocabularies have some 260,000."""

_BYTES_A_VALUE = 100
_BYTES_A_TOKEN = 300
_LARGE, _LARGE_BYTES = 100_000, 10 << 20
_COPIES = 2
"""Of the file, while it is parsed: as text, and what stands in its strings."""
_BLOCK = 1 << 20
_one_at_a_time = threading.RLock()


def parse_json(content: bytes, most_values: int = MAX_VALUES) -> Any:
    """Return the values in JSON from anybody, if there are not too many for the memory.

    Each byte of ``[],[],…`` becomes thirty in memory, and nothing else runs meanwhile: so what
    could become a value is counted first. :class:`ValueError` or :class:`RecursionError` says that
    it is no JSON, :class:`BPEError` that it is too much.
    """
    encoding = json.detect_encoding(content)
    if not encoding.startswith("utf-8"):
        content = content.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")
    values = _values(content)
    if values > most_values and (values := _outside_strings(content)) > most_values:
        raise BPEError(
            "There are {values} values in this JSON; the limit is {limit}.",
            values=f"{values:,}",
            limit=f"{most_values:,}",
        )
    if values < _LARGE and len(content) < _LARGE_BYTES:
        return json.loads(content)
    with undisturbed():
        require_memory(_BYTES_A_VALUE * values + _COPIES * len(content))
        return json.loads(content)


def memory_for_json(content: bytes) -> int:
    """Return how many bytes the values in JSON take at the most, with what they are parsed from."""
    return _BYTES_A_VALUE * min(MAX_VALUES, _values(content)) + _COPIES * len(content)


def _values(content: bytes) -> int:
    return sum(map(content.count, (b",", b":", b"[", b"{")))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Make many objects: one thread at a time, and without looking for garbage among them."""
    with _one_at_a_time:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()


def _outside_strings(content: bytes) -> int:
    import numpy as np

    codes = np.frombuffer(content.replace(rb"\\", b"").replace(rb"\"", b""), np.uint8)
    starts = np.zeros(256, bool)
    starts[list(b",:[{")] = True
    values = quotes = 0
    for start in range(0, len(codes), _BLOCK):
        block = codes[start : start + _BLOCK]
        before = quotes + np.cumsum(block == ord('"'))
        values += int(np.count_nonzero(starts[block] & (before % 2 == 0)))
        quotes = int(before[-1])
    return values


def require_tokens(tokens: int, merges: int = 0, *, content: int = 0) -> None:
    """Raise :class:`BPEError` where so many tokens and merges are too much for the memory.

    What makes a tokenizer of ``content`` bytes may hold these twice beside.
    """
    if tokens > MAX_TOKENS:
        raise BPEError(
            "There are {tokens} tokens in this file; the limit is {limit}.",
            tokens=f"{tokens:,}",
            limit=f"{MAX_TOKENS:,}",
        )
    if tokens + merges >= _LARGE:
        require_memory(_BYTES_A_TOKEN * (tokens + merges) + 2 * content)


def json_object(content: bytes, name: str) -> dict[str, Any]:
    """Return the JSON object in ``content``; anything else raises :class:`BPEError`."""
    try:
        values = parse_json(content)
    except BPEError:
        raise
    except (ValueError, RecursionError) as error:  # ValueError: no JSON, or no Unicode
        raise BPEError("“{name}” is not valid JSON. Is it complete?", name=name) from error
    if not isinstance(values, dict):
        raise BPEError("“{name}” is JSON, but not an object with named fields.", name=name)
    return values


@contextmanager
def errors_as(template: str, /, **values: object) -> Iterator[None]:
    """Turn whatever another library raises into :class:`BPEError`, its text as ``{reason}``.

    Libraries written in Rust raise plain ``Exception``, and where they panic an exception that is
    only a ``BaseException``.
    """
    try:
        yield
    except BPEError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = (str(error) or type(error).__name__)[:300]
        raise BPEError(template, **values, reason=reason) from error
