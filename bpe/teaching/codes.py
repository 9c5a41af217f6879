"""What came before BPE: a number for each character, for each word, or for each byte.

Characters and words need a list of all that there is, and what is not in it is lost. Bytes lose
nothing, and need three numbers for most Chinese characters.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import regex

from bpe.algorithm.recipe import BYTES
from bpe.errors import BPEError, unknown_id
from bpe.text.unicode import scalar_text

UNKNOWN = "<unk>"

# Letters and digits in a row, with what an apostrophe joins to them; or one sign, or one space.
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|\s|[^\s\p{L}\p{M}\p{N}]")


class Piece(NamedTuple):
    """A part of a text, and the number that it gets; ``None`` where it is left out."""

    text: str
    id: int | None
    known: bool
    """Whether the number stands for this text, so that it can be had back."""


def split_characters(text: str) -> list[str]:
    """Return the characters of ``text``.

    >>> split_characters("hello world!")
    ['h', 'e', 'l', 'l', 'o', ' ', 'w', 'o', 'r', 'l', 'd', '!']
    """
    return list(text)


def split_words(text: str) -> list[str]:
    """Return the words, signs and spaces of ``text``; joined they are the text.

    Chinese has no spaces between words: all of a clause is one "word".

    >>> split_words("hello world!"), split_words("我一把把把把住了。")
    (['hello', ' ', 'world', '!'], ['我一把把把把住了', '。'])
    """
    parts: list[str] = _WORD.findall(text)
    return parts


@dataclass(frozen=True)
class Coder:
    """A list of characters or words; the number of each is its place in the list.

    ``unknown`` is what stands for everything else; ``None``: it is an error. Without ``spaces``
    white space is left out, and decoding puts one space between any two words.
    """

    unit: Literal["characters", "words"]
    vocabulary: tuple[str, ...]
    unknown: str | None = UNKNOWN
    spaces: bool = True

    @cached_property
    def ids(self) -> dict[str, int]:
        """Text to number; the unknown token has a number too."""
        return {text: number for number, text in enumerate(self.vocabulary)}

    def pieces(self, text: str) -> list[Piece]:
        """Return the parts of ``text`` with their numbers.

        An entry of the vocabulary may hold several words; the longest that fits is taken.

        >>> words = Coder("words", ("Hello", " ", "helo", ",", "I'm"), unknown=None)
        >>> [piece.id for piece in words.pieces("Hello helo, I'm")]
        [0, 1, 2, 3, 1, 4]
        """
        parts = self._split(text)
        pieces: list[Piece] = []
        at = 0
        while at < len(parts):
            for end in range(min(len(parts), at + self._most_parts), at, -1):
                if (joined := "".join(parts[at:end])) in self.ids and joined != self.unknown:
                    pieces.append(Piece(joined, self.ids[joined], known=True))
                    at = end
                    break
            else:
                pieces.append(self._unknown_piece(parts[at]))
                at += 1
        return pieces

    def encode(self, text: str) -> list[int]:
        """Return the numbers of ``text``.

        >>> characters(["hello"]).encode("hold")
        [2, 4, 1, 0]
        """
        return [piece.id for piece in self.pieces(text) if piece.id is not None]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that the numbers stand for; an unknown number is an error.

        >>> coder = words(["hello world!"], spaces=False)
        >>> coder.decode(coder.encode("hello, world"))
        'hello <unk> world'
        """
        joint = "" if self.spaces or self.unit == "characters" else " "
        return joint.join(self._text(number) for number in ids)

    def lost(self, text: str) -> list[str]:
        """Return the parts of ``text`` that decoding cannot give back.

        >>> words(["hello world!"]).lost("hello there, world!")
        ['there', ',']
        """
        return [piece.text for piece in self.pieces(text) if not piece.known]

    def _split(self, text: str) -> list[str]:
        return split_characters(text) if self.unit == "characters" else split_words(text)

    @cached_property
    def _most_parts(self) -> int:
        return max((len(self._split(text)) for text in self.vocabulary), default=1)

    def _unknown_piece(self, text: str) -> Piece:
        if not self.spaces and text.isspace():
            return Piece(text, None, known=False)
        if self.unknown is None or self.unknown not in self.ids:
            raise BPEError(
                "“{text}” is not in the vocabulary. Add it, or choose a token such as <unk> for "
                "what is unknown.",
                text=text,
            )
        return Piece(text, self.ids[self.unknown], known=False)

    def _text(self, number: int) -> str:
        if not 0 <= number < len(self.vocabulary):
            raise unknown_id(number, len(self.vocabulary))
        return self.vocabulary[number]


def characters(texts: Iterable[str], size: int | None = None) -> Coder:
    """List the characters of a corpus, the most frequent first; ``size`` counts ``<unk>`` too.

    >>> characters(["hello"]).vocabulary
    ('<unk>', 'l', 'h', 'e', 'o')
    """
    counts = Counter(character for text in texts for character in text)
    return Coder("characters", _most_frequent(counts, size))


def words(texts: Iterable[str], size: int | None = None, *, spaces: bool = True) -> Coder:
    """List the words, signs and spaces of a corpus, the most frequent first.

    >>> words(["low low lower"], 3).vocabulary
    ('<unk>', 'low', ' ')
    """
    counts = Counter(
        part for text in texts for part in split_words(text) if spaces or not part.isspace()
    )
    return Coder("words", _most_frequent(counts, size), spaces=spaces)


def _most_frequent(counts: Counter[str], size: int | None) -> tuple[str, ...]:
    if size is not None and size < 1:
        raise BPEError("A vocabulary needs at least one entry, for what is unknown.")
    del counts[UNKNOWN]
    most = counts.most_common(None if size is None else size - 1)
    return (UNKNOWN, *(text for text, _ in most))


def encode_bytes(text: str) -> list[int]:
    """Return the UTF-8 bytes of ``text``, which need no list and no unknown token.

    >>> encode_bytes("hello,你好")
    [104, 101, 108, 108, 111, 44, 228, 189, 160, 229, 165, 189]
    """
    return list(scalar_text(text).encode())


def decode_bytes(ids: Iterable[int]) -> str:
    """Return the text of bytes; those that are no character become U+FFFD.

    >>> decode_bytes([228, 189, 160, 229, 165])
    '你�'
    """
    numbers = list(ids)
    for number in numbers:
        if not 0 <= number < BYTES:
            raise unknown_id(number, BYTES)
    return bytes(numbers).decode("utf-8", "replace")
