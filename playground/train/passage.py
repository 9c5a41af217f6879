"""Chooses a passage of a corpus that is worth looking at: ordinary lines from its middle.

A corpus often begins with a title, a licence or empty lines, which show nothing of its text.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

import regex

SHORT, LONG = 60, 150
"""Characters of an ordinary line."""
LINES = 3

_SPAN = 50_000
"""Characters of a text, and number of documents, that are searched."""
_DOCUMENTS = 500
_LETTERS = 2 / 3
"""Share of an ordinary line that is letters or 汉字."""
_TOO_SHORT = 8
"""Characters of a line that is a number of a page or a heading at best."""

_LETTER = regex.compile(r"[\p{L}\p{M}]")
_END = regex.compile(r"[。！？!?…]|\.(?=\s|$)")


def passage(texts: Sequence[str]) -> str:
    """Return two or three ordinary lines from the middle of a corpus; empty if it has none.

    Of a few long texts, such as a file in each language, each has a line.
    """
    if len(texts) <= LINES:
        each = LINES if len(texts) == 1 else 1
        found = [line for text in texts for line in _best(_lines(_middle(text)), each)]
    else:
        middle = texts[max(0, len(texts) // 2 - _DOCUMENTS // 2) :][:_DOCUMENTS]
        half = len(middle) // 2
        found = _best((line for text in (*middle[half:], *middle[:half])
                       for line in _lines(text[:_SPAN])), LINES)  # fmt: skip
    return "\n".join(found)


def _middle(text: str) -> str:
    """Return the lines from the middle of a text on, then those before; half a line is left out."""
    if len(text) <= LONG:
        return text
    half = len(text) // 2
    start = text.rfind("\n", max(0, half - _SPAN), half) + 1
    if not start:
        end = _END.search(text, half, half + _SPAN)
        start = end.end() if end else half
    return text[start : start + _SPAN] + "\n" + text[max(0, start - _SPAN) : start]


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that are mostly letters; of a long one, its first sentences."""
    for raw in text.splitlines():
        rest = raw.strip()
        for _part in range(LINES):
            line = _sentences(rest) if len(rest) > LONG else rest
            rest = rest[len(line) :].lstrip()
            if len(line) >= _TOO_SHORT and len(_LETTER.findall(line)) >= _LETTERS * len(line):
                yield line


def _sentences(line: str) -> str:
    line = line[: LONG + 1]
    ends = [end.end() for end in _END.finditer(line) if SHORT <= end.end() <= LONG]
    if ends:
        return line[: ends[-1]]
    space = line.rfind(" ", SHORT, LONG)
    return line[: space if space > 0 else LONG]


def _best(lines: Iterator[str], most: int) -> list[str]:
    """Return the first ordinary lines; if there are none, the first ones that have any letters."""
    read = list(dict.fromkeys(islice(lines, 2_000)))
    ordinary = [line for line in read if SHORT <= len(line) <= LONG]
    return (ordinary or read)[:most]
