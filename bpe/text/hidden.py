"""Characters that a reader does not see, or takes for others, and the text without them.

What an emoji or a script needs is not among them: the joiners of 👩‍💻, the marks of a flag, the
joiners between letters of Persian and Hindi; nor is the full-width punctuation of Chinese.
"""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import regex

Kind = Literal[
    "zero width", "tag", "direction", "variation", "width", "space", "twin", "look-alike"
]
"""Nothing is drawn; nor of the tags of plane 14; controls of direction; selectors of a glyph;
full-width letters and digits; other blanks; 汉字 of compatibility, radicals, and the rarer of two
汉字 that look alike where a text has both; letters of another script in a word of Latin ones."""

_SCRIPTS = r"\p{Latin}\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Cyrillic}\p{Greek}\p{Inherited}"
_JOINED = rf"(?<=[[\p{{L}}\p{{M}}]--[{_SCRIPTS}]])"
_PICTURE = r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]"
_VISIBLE = r"\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
_FLAG = r"\U0001f3f4[\U000e0020-\U000e007e]++\U000e007f"
_COMPATIBLE = (*range(0x2E80, 0x2FD6), *range(0xF900, 0xFB00), *range(0x2F800, 0x2FA20))
_TWINS = "".join(chr(c) for c in _COMPATIBLE if unicodedata.normalize("NFKC", chr(c)) != chr(c))
_TAGS = r"\U000e0000-\U000e007f"
_CONTROLS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CLASSES: dict[Kind, str] = {
    "tag": f"[{_TAGS}]",
    "direction": f"[{_CONTROLS}]",
    "variation": r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]",
    "width": "[０-９Ａ-Ｚａ-ｚ]",
    "space": r"[\u00a0\u1680\u2000-\u200a\u202f\u205f]",
    "twin": f"[{_TWINS}]",
    "zero width": r"[[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]"
    rf"--[{_VISIBLE}{_TAGS}{_CONTROLS}]]",
}
_EXCEPT: dict[Kind, str] = {
    "variation": r"(?!(?<=\p{Emoji})[\ufe0e\ufe0f])",
    "zero width": rf"(?!{_JOINED}[\u200c\u200d]|(?<={_PICTURE})\u200d\p{{Extended_Pictographic}})",
}
_LATIN = dict(
    zip(
        "аеорсухіјѕԁһԛԝАВЕКМНОРСТУХІЈЅԌԜοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijsdhqwABEKMHOPCTYXIJSGWoABEZHIKMNOPTYX",
        strict=True,
    )
)
"""Letters of Cyrillic and Greek to those of Latin that look like them."""
_PAIRS = (
    "内內没沒别別户戶册冊吕呂吴吳黄黃换換决決况況净淨凉涼减減凑湊冲沖兑兌脱脫悦悅税稅强強温溫清淸青靑"
    "争爭真眞慎愼值値教敎告吿尚尙研硏卧臥吞呑污汚彦彥郎郞虚虛丢丟刹剎剥剝抛拋插揷"
)
_ALIKE = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
"""汉字 of simplified writing to the traditional or older form that differs by a stroke or two."""
_TWIN = {**_ALIKE, **{other: one for one, other in _ALIKE.items()}}


class Hidden(NamedTuple):
    """A character at a place of a text."""

    at: int
    character: str
    kind: Kind


@cache
def _pattern(expression: str) -> "regex.Pattern[str]":
    import regex  # not needed for ASCII

    return regex.compile(expression, regex.V1)


def hidden(text: str) -> list[Hidden]:
    """Return the characters of a text that look like nothing or like others, in its order.

    >>> hidden("pay\\u200bpаl")  # the first а is Cyrillic
    [Hidden(at=3, character='\\u200b', kind='zero width'), Hidden(at=5, character='а', \
kind='look-alike')]
    """
    if text.isascii():
        return []
    hits = []
    used = "".join(set(text))  # a thousand times shorter: most texts end here
    for kind, expression in _CLASSES.items():
        if _pattern(expression).search(used):
            skipped = f"{_FLAG}|" if kind == "tag" else ""
            pattern = _pattern(f"{skipped}{_EXCEPT.get(kind, '')}({expression})")
            hits += [Hidden(m.start(), m[1], kind) for m in pattern.finditer(text) if m[1]]
    for pair in _ALIKE.items():
        if pair[0] in used and pair[1] in used:
            rarer = min(reversed(pair), key=text.count)
            hits += [Hidden(at, rarer, "twin") for at, sign in enumerate(text) if sign == rarer]
    if not _LATIN.keys().isdisjoint(used):
        for word in _pattern(r"[\p{Latin}\p{Cyrillic}\p{Greek}]++").finditer(text):
            if not _LATIN.keys().isdisjoint(word[0]) and any(map(_is_latin, word[0])):
                hits += [
                    Hidden(word.start() + at, character, "look-alike")
                    for at, character in enumerate(word[0])
                    if character in _LATIN
                ]
    return sorted(hits)


def without_hidden(text: str) -> str:
    """Return a text without what is not seen, and with what is seen in place of what looks like it.

    >>> without_hidden("pay\\u200bpаl ２０２６")
    'paypal 2026'
    """
    while hits := hidden(text):
        pieces, end = [], 0
        for at, character, kind in hits:
            pieces += [text[end:at], _seen(character, kind)]
            end = at + 1
        text = "".join([*pieces, text[end:]])
    return text


def _seen(character: str, kind: Kind) -> str:
    if kind == "look-alike":
        return _LATIN[character]
    if kind == "twin" and character in _TWIN:
        return _TWIN[character]
    if kind in ("width", "space", "twin"):
        return unicodedata.normalize("NFKC", character) if kind != "space" else " "
    return ""


def _is_latin(character: str) -> bool:
    return character.isascii() or unicodedata.name(character, "").startswith("LATIN")
