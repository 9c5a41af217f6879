"""From what a reader types or uploads to documents: texts cut at a separator, words with counts."""

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bpe.errors import BPEError
from bpe.limits import require_memory

MAX_OCCURRENCES = 2_000_000
"""The most that the counts may add up to: each occurrence becomes a document of its own."""

MAX_CHARACTERS = 1_000_000
MAX_LITERAL = 100_000
"""Characters of Python's spelling, which takes 20 times as long to read as JSON."""

_TEXT_BYTES = 80
"""About what a text takes beside its letters."""

_LINE = r"(?:\r\n|\r(?!\n)|\n)"
_LINES = {"line": re.compile(_LINE), "paragraph": re.compile(rf"{_LINE}(?:[ \t]*{_LINE})+")}


@dataclass(frozen=True)
class CorpusSource:
    """How to have a corpus again: a sample by its code, or a text; and what divides documents."""

    sample: str = ""
    text: str = ""
    separator: str | None = None
    """Between documents, as in :func:`separated`."""


def separated(texts: Iterable[str], separator: str | None) -> list[str]:
    """Cut texts at a separator, which is no part of any document; blank ones are left out.

    ``separator`` is ``"line"``, ``"paragraph"`` (one empty line or more), any other text as it
    is, or ``None``: each text is one document.

    >>> separated(["one\\ntwo\\n", "three"], "line")
    ['one', 'two', 'three']
    """
    texts = list(texts)
    if not separator:
        return texts
    sign = "\n" if separator in _LINES else separator
    require_memory(_TEXT_BYTES * sum(text.count(sign) for text in texts))
    pattern = _LINES.get(separator)
    pieces = (
        piece
        for text in texts
        for piece in (pattern.split(text) if pattern else text.split(separator))
    )
    return [piece for piece in pieces if piece.strip()]


def counted_words(text: str) -> dict[str, int] | None:
    """Return the words of ``text`` with their counts, or ``None`` where it is ordinary text.

    JSON and Python's spelling of a dictionary are both understood. What begins as one but counts
    in anything other than whole numbers from 1 on raises :class:`BPEError`.

    >>> counted_words("{'hug': 10, 'pug': 5}")
    {'hug': 10, 'pug': 5}
    >>> counted_words("hug pug") is None
    True
    """
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}") and len(text) <= MAX_CHARACTERS):
        return None
    values = _parsed(text)
    if not isinstance(values, dict) or not values:
        return None
    for word, count in values.items():
        if not isinstance(word, str) or not word:
            raise BPEError("Each word before a count must be text of at least one character.")
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            raise BPEError("The count of “{word}” must be a whole number of at least 1.", word=word)
    if (total := sum(values.values())) > MAX_OCCURRENCES:
        raise BPEError(
            "The counts add up to {total}; the limit is {limit}. Divide them all by the same "
            "number: the merges stay nearly the same.",
            total=f"{total:,}",
            limit=f"{MAX_OCCURRENCES:,}",
        )
    return values


def _added_up(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs; the counts of a word that is listed twice are added up."""
    values: dict[str, Any] = {}
    for word, count in pairs:
        values[word] = values[word] + count if word in values else count
    return values


def _parsed(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_added_up)
    except (ValueError, TypeError, RecursionError):
        pass
    if len(text) > MAX_LITERAL:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
