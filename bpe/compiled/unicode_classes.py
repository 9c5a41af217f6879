"""The class of each Unicode character, as far as split patterns tell characters apart.

The table is made once, at first use, by asking the ``regex`` module what the patterns ask it, in
the Unicode version of :mod:`bpe.text.unicode`: so the scanners cannot disagree with it.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import regex

from bpe.compiled.loading import linked
from bpe.text.unicode import with_stand_ins

# Other are controls, formats, private use and what is unassigned; Han are 一 to 龥, and Han letters
# the others.
OTHER, SPACE, NEWLINE, SIGN, NUMBER, UPPER, LOWER, CASELESS, MARK = range(9)
HAN, HAN_LETTER, HAN_SIGN, HAN_NUMBER, HAN_MARK = range(9, 14)
KANA, KANA_SIGN, KANA_MARK, KANA_OTHER = range(14, 18)


def _set(*classes: int) -> np.int64:
    """Return a bit mask. Of plain integers, each would have kernels compiled once more for it."""
    return np.int64(sum(1 << each for each in classes))


_CASELESS_LETTERS = _set(CASELESS, HAN, HAN_LETTER, KANA)
LETTERS = _set(UPPER, LOWER) | _CASELESS_LETTERS  # \p{L}
MARKS = _set(MARK, HAN_MARK, KANA_MARK)  # \p{M}
NUMBERS = _set(NUMBER, HAN_NUMBER)  # \p{N}
BLANKS, NEWLINES = _set(SPACE), _set(NEWLINE)
SPACES = BLANKS | NEWLINES  # \s
OTHERS, KANA_OTHERS = _set(OTHER), _set(KANA_OTHER)
PUNCTUATION = _set(SIGN, HAN_SIGN, KANA_SIGN)  # [\p{P}\p{S}]
SIGNS = PUNCTUATION | OTHERS | KANA_OTHERS | MARKS  # [^\s\p{L}\p{N}]
PREFIXES = SIGNS | BLANKS  # what may stand before a word
CAPITALS = _set(UPPER) | _CASELESS_LETTERS | MARKS  # o200k: what a word may begin with
SMALLS = _set(LOWER) | _CASELESS_LETTERS | MARKS  # o200k: what a word may go on with
HANS = _set(HAN, HAN_LETTER, HAN_SIGN, HAN_NUMBER, HAN_MARK)  # \p{Han}
# deepseek_v3: runs of these are apart, and split once more by themselves
HAN_KANA = _set(HAN, KANA, KANA_SIGN, KANA_MARK, KANA_OTHER)

# Where a character is in two of these, the later one.
_PATTERNS = {
    SPACE: r"[^\S\r\n]+",
    NEWLINE: r"[\r\n]+",
    SIGN: r"[\p{P}\p{S}]+",
    NUMBER: r"\p{N}+",
    UPPER: r"[\p{Lu}\p{Lt}]+",
    LOWER: r"\p{Ll}+",
    CASELESS: r"[\p{Lm}\p{Lo}]+",
    MARK: r"\p{M}+",
    HAN_LETTER: r"[\p{Han}&&\p{L}]+",
    HAN_SIGN: r"[\p{Han}&&[\p{P}\p{S}]]+",
    HAN_NUMBER: r"[\p{Han}&&\p{N}]+",
    HAN_MARK: r"[\p{Han}&&\p{M}]+",
    HAN: "[一-龥]+",
    KANA: r"[\u3040-\u30ff&&\p{L}]+",
    KANA_SIGN: r"[\u3040-\u30ff&&[\p{P}\p{S}]]+",
    KANA_MARK: r"[\u3040-\u30ff&&\p{M}]+",
    KANA_OTHER: r"[\u3040\u3097\u3098]+",
}
_CODE_POINTS = 0x110000
# All that is assigned, but for surrogates and private use: both are OTHER.
_ASSIGNED = (0, 0xD800), (0xE000, 0x323B0), (0xE0000, 0xE0200)


@cache
def class_table() -> npt.NDArray[np.uint8]:
    """Return the class of every code point, uint8[0x110000]."""
    if (cached := linked.table("classes")) is not None:
        return np.frombuffer(cached, np.uint8)
    table = np.full(_CODE_POINTS, OTHER, np.uint8)
    for first, after in _ASSIGNED:
        text = with_stand_ins("".join(map(chr, range(first, after))))
        for name, pattern in _PATTERNS.items():
            for match in regex.finditer(pattern, text, regex.V1):
                table[first + match.start() : first + match.end()] = name
    return table
