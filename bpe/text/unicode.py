r"""Unicode as tokenizers meet it: text that has UTF-8, the characters of tokens, one version.

Text is split by Unicode 16.0. tiktoken and Hugging Face ``tokenizers`` know the characters of that
version, the installed ``regex`` module those of 18.0. A character that was assigned in between is
in a class such as ``\p{L}`` here and not there, and the same text would get other ids. So it is
treated everywhere as in 16.0: by a stand-in before ``regex`` sees the text, and in the class table
of the compiled scanners. Tests ask tiktoken and ``regex`` about every code point.
"""

import codecs
import re
from collections.abc import Sequence
from functools import cache


def text_only(text: str) -> str:
    """Return ``text``; what is no text raises ``TypeError``."""
    if not isinstance(text, str):
        raise TypeError(
            f"Give text as str, not {type(text).__name__}. Bytes become text by "
            "data.decode(), with the charset they are in."
        )
    return text


def scalar_text(text: str) -> str:
    """Return ``text`` with each lone surrogate replaced by U+FFFD, surrogate pairs joined.

    A Python string may hold half of a UTF-16 pair, which has no UTF-8. tiktoken mends it the same
    way, so ids stay comparable.

    >>> scalar_text("a\\ud83d\\ude00b\\ud83d")
    'a😀b�'
    """
    try:
        text_only(text).encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def utf8(text: str) -> bytes:
    """Return the UTF-8 of ``text``, lone surrogates replaced as :func:`scalar_text` does.

    >>> utf8("中\\ud83d")
    b'\\xe4\\xb8\\xad\\xef\\xbf\\xbd'
    """
    try:
        return text_only(text).encode()
    except UnicodeEncodeError:
        return scalar_text(text).encode()


def utf8_of_all(texts: Sequence[str]) -> list[bytes]:
    """Return :func:`utf8` of each text, at once where none has a lone surrogate."""
    try:
        return list(map(str.encode, texts))
    except (UnicodeEncodeError, TypeError):
        return list(map(utf8, texts))


def character_spans(pieces: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return for each piece the span ``(start, end)`` of characters that its bytes touch.

    The pieces are the byte strings of consecutive tokens. A token that holds only part of a
    character has the span of that whole character, so spans may overlap. Bytes that are not
    valid UTF-8 count as the U+FFFD characters that ``bytes.decode("utf-8", "replace")`` makes.

    >>> character_spans([b"a\\xe4\\xb8", b"\\xad", b"bc"])
    [(0, 2), (1, 2), (2, 4)]
    """
    starts: list[int] = []  # the character index of each byte
    decoded = b"".join(pieces).decode("utf-8", KEEP_LENGTH)
    for index, character in enumerate(decoded):
        starts.extend([index] * byte_length(character))
    spans = []
    start = 0
    for piece in pieces:
        end = start + len(piece)
        if piece:
            spans.append((starts[start], starts[end - 1] + 1))
        else:
            here = starts[start] if start < len(starts) else len(decoded)
            spans.append((here, here))
        start = end
    return spans


KEEP_LENGTH = "bpe-keep-length"
"""An error handler of ``bytes.decode`` that puts U+DC00 + n for n invalid bytes, where "replace"
puts one U+FFFD. Valid UTF-8 never yields a surrogate, so no length is lost and a pass is linear."""


def _invalid_length(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return chr(0xDC00 + error.end - error.start), error.end


codecs.register_error(KEEP_LENGTH, _invalid_length)


def byte_length(character: str) -> int:
    """Return how many bytes a character of text decoded with :data:`KEEP_LENGTH` stands for."""
    code_point = ord(character)
    if 0xDC00 <= code_point < 0xDC10:
        return code_point - 0xDC00
    return 1 + (code_point >= 0x80) + (code_point >= 0x800) + (code_point >= 0x10000)


UNICODE_VERSION = "16.0"

# Not assigned in Unicode 16.0, and assigned in 17.0 or 18.0 (UnicodeData.txt of each).
_ASSIGNED_LATER = """
0558 058B-058C 05C8-05C9 088F 0B53-0B54 0C5C 0CDC 1ACF-1AF0 208F 209D-209F 20C1-20C4 2B96 2E60-2E63
A7CE-A7CF A7D2 A7D4 A7DD A7E2 A7F1 AB6C-AB6D FBC3-FBD2 FD90-FD91 FDC8-FDCE
107BB-107BF 10940-10959 10EC5-10EC7 10EC9-10EEE 10EF0-10EFB 11B0A 11B60-11B67 11DB0-11DDB
11DE0-11DE9 11DF0-11DF1 1246F 12475-1247F 12550-12686 16EA0-16EB8 16EBB-16ED3 16FF2-16FF6
187F8-187FF 18CD6-18CDA 18D09-18D20 18D80-18DF2 18E00-19191 191A0-191D2 1B123-1B128 1B168
1CCFA-1CCFC 1CEBA-1CED0 1CED2-1CED4 1CEDD-1CEFD 1D127-1D128 1D1EB-1D1FF 1D250-1D281 1D6A6
1DB00-1DB1C 1DF1F-1DF24 1DF2B-1DF81 1DF90-1DF96 1DFCD-1DFFF 1E6C0-1E6DE 1E6E0-1E6F5 1E6FE-1E6FF
1F1AE 1F6D8-1F6D9 1F777-1F77A 1F7DA-1F7DB 1F7F1-1F7FF 1F8D0-1F8D8 1FA54-1FA57 1FA8A-1FA8E 1FAC8
1FACC-1FACD 1FADD 1FAEA-1FAEB 1FAEF 1FAF9-1FAFA 1FBFA 2B73A-2B73F 2B81E 2CEA2-2CEAD 323B0-33479
3D000-3FC3F
"""
_UNASSIGNED = "\U0010ffff"  # a noncharacter, which no version will ever assign

# Put in another category by a later version, and a character of the category that it had.
_CHANGED_LATER = {"\u0295": "\u0255"}  # ʕ became Lo in 17.0; ɕ is Ll


def _ranges(spans: str) -> list[tuple[int, int]]:
    ends = [span.split("-") for span in spans.split()]
    return [(int(span[0], 16), int(span[-1], 16)) for span in ends]


NEWER_RANGES = (*_ranges(_ASSIGNED_LATER), *((ord(each), ord(each)) for each in _CHANGED_LATER))
"""First and last code points of what later versions assigned or put in another category."""

NEWER = "".join(f"{chr(first)}-{chr(last)}" for first, last in NEWER_RANGES)
"""The same as the inside of a character class of a regular expression."""

# ``re``, as it looks up a character of the first plane at once, where ``regex`` tries range after
# range. It would do so beyond the first plane: there it first finds any character, then a newer.
_FIRST_PLANE = "".join(f"{chr(a)}-{chr(b)}" for a, b in NEWER_RANGES if b <= 0xFFFF)


@cache
def _newer() -> re.Pattern[str]:
    return re.compile(f"[{_FIRST_PLANE}\U00010000-\U0010ffff](?<=[{NEWER}])")


def with_stand_ins(text: str) -> str:
    """Return ``text``, of the same length, with a character of 16.0 in place of each newer one.

    The stand-in is of the category that the character had in 16.0. Most texts have none, and are
    returned as they are.

    >>> [hex(ord(character)) for character in with_stand_ins("a\\u0295\\U0003d000")]
    ['0x61', '0x255', '0x10ffff']
    """
    if text.isascii() or _newer().search(text) is None:
        return text
    return _newer().sub(lambda match: _CHANGED_LATER.get(match[0], _UNASSIGNED), text)
