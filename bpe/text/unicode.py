"""Unicode as tokenizers meet it: text that has UTF-8, and the characters that tokens touch."""

import codecs
from collections.abc import Sequence


def text_only(text: str) -> str:
    """Return ``text``; what is no text raises ``TypeError``."""
    if not isinstance(text, str):
        raise TypeError(
            f"Give text as str, not {type(text).__name__}. Bytes become text by "
            "data.decode(), with the charset they are in."
        )
    return text


def is_scalar(text: str) -> bool:
    """Whether ``text`` has UTF-8: no half of a UTF-16 pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


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
    at = 0
    for piece in pieces:
        end = at + len(piece)
        if piece:
            spans.append((starts[at], starts[end - 1] + 1))
        else:
            here = starts[at] if at < len(starts) else len(decoded)
            spans.append((here, here))
        at = end
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
