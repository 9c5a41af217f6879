"""A reader's regular expression, searched for in many texts by a process of its own.

A pattern of a few characters can ask for gigabytes when it is compiled, and for hours when it is
searched for; neither can be stopped in a thread. See :mod:`bpe.sandbox`.
"""

import json
from collections.abc import Sequence

import regex

from bpe import sandbox
from bpe.errors import BPEError
from bpe.text.own_pattern import fault

SECONDS = 5.0
"""Processor time that a pattern may take."""
LONGEST = 200
"""How many characters a pattern may have."""

_MEMORY = 256 * 2**20


def search(query: str, texts: Sequence[str]) -> list[int]:
    """Return the indices of the texts in which ``query`` is found.

    A pattern that is none, is longer than :data:`LONGEST` characters, or needs more time or memory
    than it may have raises :class:`BPEError`.
    """
    if len(query) > LONGEST:
        raise BPEError("The regular expression is longer than {most} characters.", most=LONGEST)
    data = json.dumps(texts).encode()
    try:
        answer = sandbox.run(f"{__name__}:find", data, seconds=SECONDS, memory=_MEMORY, query=query)
    except (sandbox.TooLongError, sandbox.TooLargeError) as error:
        raise BPEError(
            "The regular expression needs more than {seconds:.0f} seconds or more memory than it "
            "may have for this vocabulary. Use a simpler one.",
            seconds=SECONDS,
        ) from error
    indices: list[int] = sandbox.unpack(answer)[0]
    return indices


def find(data: bytes, *, query: str) -> bytes:
    """Return the indices, packed; called by the process."""
    try:
        pattern = regex.compile(query, regex.VERSION1)
    except (regex.error, ValueError, OverflowError, RecursionError) as error:
        raise BPEError(
            "“{query}” is not a regular expression: {reason} (near character {place}).",
            query=query,
            **fault(query, error),
        ) from error
    texts = enumerate(json.loads(data))
    return sandbox.pack([index for index, text in texts if pattern.search(text)])
