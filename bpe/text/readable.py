"""Bytes as a reader sees them: 中 where they are a character, hexadecimal where they are not.

Trained vocabularies are often printed in GPT-2's byte alphabet, which shows 中 as ``ä¸Ń``. This
is the opposite: nothing is a stand-in, and bytes that are part of a character say so.
"""

import unicodedata

_SIGNS = {" ": "·", "\n": "⏎", "\t": "→", "\r": "␍"}


def readable(data: bytes) -> str:
    """Return ``data`` as text; partial characters as ⟨hex⟩, white space and controls as signs.

    >>> readable(" 中".encode()), readable(b"a\\xe4\\xb8"), readable(b"\\n\\x00")
    ('·中', 'a⟨E4 B8⟩', '⏎⟨00⟩')
    """
    shown: list[str] = []
    unreadable = bytearray()

    def flush() -> None:
        if unreadable:
            shown.append("⟨" + unreadable.hex(" ").upper() + "⟩")
            unreadable.clear()

    for character in data.decode("utf-8", "surrogateescape"):
        if "\udc80" <= character <= "\udcff":
            unreadable.append(ord(character) - 0xDC00)
        elif character not in _SIGNS and unicodedata.category(character) in _INVISIBLE:
            unreadable.extend(character.encode())
        else:
            flush()
            shown.append(_SIGNS.get(character, character))
    flush()
    return "".join(shown)


# Controls, formats, surrogates, private use, unassigned; separators of lines, paragraphs, spaces.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
