"""SentencePiece's normalisation: the longest entry of a table at each place, then white space.

The table (``precompiled_charsmap``) is a trie in a Darts-clone double array, whose layout is
fixed by https://github.com/s-yata/darts-clone, and the normalised strings behind it.
"""

import struct
from collections.abc import Callable, Collection

from bpe.errors import BPEError
from bpe.specials import split_specials


class CharacterMap:
    """The table of a model; :class:`BPEError` if its size does not fit what it says."""

    def __init__(self, blob: bytes) -> None:
        if (
            len(blob) < 4
            or (size := int.from_bytes(blob[:4], "little")) > len(blob) - 4
            or size % 4
        ):
            raise BPEError("The normalisation table of this SentencePiece model is broken.")
        self._units = struct.unpack(f"<{size // 4}I", blob[4 : 4 + size])
        self._strings = blob[4 + size :]

    def longest(self, data: bytes, start: int) -> tuple[int, bytes] | None:
        """Return the length of the longest entry at ``start`` and what replaces it."""
        found = None
        place = 0
        units = self._units
        try:
            unit = units[0]
            place ^= _offset(unit)
            for at in range(start, len(data)):
                byte = data[at]
                place ^= byte
                unit = units[place]
                if unit & 0x800000FF != byte:  # the label, of a unit that is no leaf
                    break
                place ^= _offset(unit)
                if unit >> 8 & 1:
                    found = at + 1 - start, units[place] & 0x7FFFFFFF
        except IndexError as error:
            raise BPEError(
                "The normalisation table of this SentencePiece model is broken."
            ) from error
        if found is None:
            return None
        length, where = found
        end = self._strings.find(b"\0", where)
        return length, self._strings[where : end if end >= 0 else None]

    def apply(self, text: str) -> str:
        """Return ``text`` with every entry of the table replaced."""
        data = text.encode()
        parts = []
        at = 0
        while at < len(data):
            if (entry := self.longest(data, at)) is not None:
                length, replacement = entry
                parts.append(replacement)
            else:
                length = _character_length(data[at])
                parts.append(data[at : at + length])
            at += length
        return b"".join(parts).decode("utf-8", "replace")


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 1 << 9) >> 6)


def _character_length(first: int) -> int:
    return 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)


def normaliser(
    blob: bytes,
    *,
    dummy_prefix: bool,
    remove_extra_spaces: bool,
    escape: bool,
    protected: Collection[str] = (),
) -> Callable[[str], str]:
    """Return SentencePiece's function from text to what is cut into pieces.

    In its order: the table, but not in ``protected`` pieces; spaces removed at both ends and
    doubled ones within; a space put in front of what is left, if anything; spaces written ``▁``.
    """
    table = CharacterMap(blob) if blob else None

    def normalise(text: str) -> str:
        if table is not None:
            parts = split_specials(text, protected)
            text = "".join(part if kept else table.apply(part) for part, kept in parts)
        if remove_extra_spaces:
            text = " ".join(part for part in text.split(" ") if part)
        if dummy_prefix and text:
            text = " " + text
        if not escape:
            return text
        text = text.replace(" ", "▁")
        return text.rstrip("▁") if remove_extra_spaces else text

    return normalise
