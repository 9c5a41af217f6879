"""What all readers of files share: the limit on size, JSON, and calls into Rust that may panic."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bpe.errors import BPEError

MAX_BYTES = 64 * 1024 * 1024
"""The largest file, and the most bytes that all tokens of a vocabulary may have together."""


def json_object(content: bytes, name: str) -> dict[str, Any]:
    """Return the JSON object in ``content``; anything else raises :class:`BPEError`."""
    try:
        values = json.loads(content)
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
