"""GPT-2's byte alphabet: a printable character for each byte, so that vocabularies are text.

Printable ASCII and most of Latin-1 stand for themselves; the other 68 bytes take the characters
from U+0100 on (Radford et al. 2019, ``bytes_to_unicode``). A space is ``Ġ``, a line feed ``Ċ``.
"""

from collections.abc import Mapping

from bpe.errors import BPEError

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
