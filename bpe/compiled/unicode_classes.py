"""The class of each Unicode character, as far as split patterns tell characters apart.

The table is made once, at first use, by asking the installed ``regex`` module: its Unicode data
are the definition, so that the scanner cannot disagree with it.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex

OTHER, SPACE, NEWLINE, NUMBER, UPPER, LOWER, CASELESS, MARK = range(8)

_PATTERNS = {
    SPACE: r"[^\S\r\n]+",
    NEWLINE: r"[\r\n]+",
    NUMBER: r"\p{N}+",
    UPPER: r"[\p{Lu}\p{Lt}]+",
    LOWER: r"\p{Ll}+",
    CASELESS: r"[\p{Lm}\p{Lo}]+",
    MARK: r"\p{M}+",
}
_CODE_POINTS = 0x110000
_SURROGATES = 0xD800, 0xE000


@cache
def class_table() -> npt.NDArray[np.uint8]:
    """Return the class of every code point, uint8[0x110000]; surrogates are ``OTHER``."""
    table = np.full(_CODE_POINTS, OTHER, np.uint8)
    first, after = _SURROGATES
    for offset, text in (
        (0, "".join(map(chr, range(first)))),
        (after, "".join(map(chr, range(after, _CODE_POINTS)))),
    ):
        for name, pattern in _PATTERNS.items():
            for match in regex.finditer(pattern, text):
                table[offset + match.start() : offset + match.end()] = name
    return table
