"""Bytes as text: as a reader sees them, and in GPT-2's byte alphabet, as files have them.

:func:`readable` shows 中 where bytes are that character, and hexadecimal where they are none. The
byte alphabet (Radford et al. 2019, ``bytes_to_unicode``) has a printable character for each byte
and shows 中 as ``ä¸Ń``: printable ASCII and most of Latin-1 stand for themselves, the other 68
bytes take the characters from U+0100 on. A space is ``Ġ``, a line feed ``Ċ``.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from bpe.errors import BPEError

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


_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_REST = [byte for byte in range(0x100) if byte not in _PRINTABLE]

TO_CHARACTER: dict[int, str] = {
    **{byte: chr(byte) for byte in _PRINTABLE},
    **{byte: chr(0x100 + number) for number, byte in enumerate(_REST)},
}
TO_BYTE: dict[str, int] = {character: byte for byte, character in TO_CHARACTER.items()}
IN_ORDER = tuple(TO_CHARACTER)
"""The bytes in the order of their characters, as Hugging Face ``tokenizers`` numbers them."""


def spell(data: bytes) -> str:
    """Return ``data`` in the byte alphabet.

    >>> spell(" 中".encode())
    'Ġä¸Ń'
    """
    return "".join(map(TO_CHARACTER.__getitem__, data))


def unspell(text: str) -> bytes:
    """Return the bytes of ``text``; a character outside the alphabet raises :class:`BPEError`.

    >>> unspell("Ġä¸Ń").decode()
    ' 中'
    """
    try:
        return bytes(map(TO_BYTE.__getitem__, text))
    except KeyError as error:
        raise BPEError(
            "“{token}” is not written in the byte alphabet of GPT-2.", token=text
        ) from error


def spelled(tokens: Mapping[int, bytes], specials: Mapping[str, int]) -> dict[str, int]:
    """Return the vocabulary of a byte-level tokenizer in the byte alphabet: token to id.

    Files in this alphabet name tokens by their bytes alone. Two merges that make the same bytes,
    or a special token that reads like other bytes, cannot be told apart there: :class:`BPEError`.
    """
    vocabulary = dict(specials)
    ids = set(specials.values())
    for token_id, data in tokens.items():
        if token_id in ids:
            continue
        token = spell(data)
        if (other := vocabulary.setdefault(token, token_id)) != token_id:
            raise BPEError(
                "Tokens {first} and {second} would both be written “{token}” in this format, which "
                "tells tokens apart by their spelling. Use the format “bpe”.",
                first=other,
                second=token_id,
                token=token,
            )
    return vocabulary


# Tokens to look at: HTML and CSS alone, so that a notebook draws them without trusting it.

MOST = 2_000
"""Tokens that are drawn; of the rest only the number."""

_HUES = (210, 35, 145, 320, 265)
_STYLE = """<style>
.bpe-tokens {color-scheme: light dark; line-height: 2; overflow-wrap: anywhere}
.bpe-tokens b {font: 1em monospace; border-radius: 3px; padding: 2px 1px}
</style>"""


@dataclass(frozen=True)
class Shown:
    """Tokens as ids with their bytes; ``str`` is text, and notebooks draw it."""

    name: str
    tokens: tuple[tuple[int, bytes], ...]

    def __str__(self) -> str:
        return "│".join(readable(data) for _, data in self.tokens)

    def _repr_html_(self) -> str:
        drawn = "".join(map(_token, range(MOST), self.tokens))
        more = len(self.tokens) - MOST
        rest = f"<p>… {more:,} more tokens</p>" if more > 0 else ""
        total = f"<p>{escape(self.name)} · {len(self.tokens):,} tokens</p>"
        return f"{_STYLE}<div class=bpe-tokens>{total}{drawn}{rest}</div>"


def _token(number: int, token: tuple[int, bytes]) -> str:
    token_id, data = token
    label = f"{token_id} · {data.hex(' ').upper()}"
    end = "<br>" if data.endswith(b"\n") else "<wbr>"
    color = f"hsl({_HUES[number % len(_HUES)]} 80% 50% / 0.28)"
    shown = escape(readable(data))
    return f'<b title="{label}" style="background: {color}">{shown}</b>{end}'
