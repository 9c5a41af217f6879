"""What of a text a tokenizer keeps, and whether single tokens can be shown.

A figure of compression says little without these: an ``<unk>`` is short because it swallows text.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from bpe.analysis.metrics.compression import ratio
from bpe.encoders.base import Encoder, scalar_text


def partial_utf8_rate(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ tokens that are not valid UTF-8 on their own / Σ |T|.

    It decides whether a view that decodes token by token shows U+FFFD.
    """
    partial = tokens = 0
    for text in texts:
        pieces = pieces_of(encoder, text)
        tokens += len(pieces)
        partial += sum(map(is_partial, pieces))
    return ratio(partial, tokens)


def is_lossless(encoder: Encoder, texts: Iterable[str]) -> bool:
    """Whether decode(encode(x)) = x for every text.

    Where the encoder says that it applies NFC, the normalised text has to come back.
    """
    return all(_decoded(encoder, text) == _seen(encoder, text) for text in texts)


def unknown_rate(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ characters that do not come back / Σ characters; 0 where nothing is lost.

    Each character of x that decode(encode(x)) has fewer times is lost, whether it became
    ``<unk>`` or another character. Petrov et al. 2023 (arXiv 2305.15425) leave out tokenizers
    that lose more than a tenth.
    """
    specials = set(encoder.special_tokens.values())
    lost = characters = 0
    for text in texts:
        ids = encoder.encode(text, disallowed_special=())
        seen = Counter(_seen(encoder, text))
        back = Counter(encoder.decode(token for token in ids if token not in specials))
        characters += seen.total()
        lost += (seen - back).total()
    return ratio(lost, characters)


def is_partial(piece: bytes) -> bool:
    """Return whether the bytes of a token are not whole characters on their own.

    >>> is_partial("中".encode()), is_partial("中".encode()[:2])
    (False, True)
    """
    try:
        piece.decode()
    except UnicodeDecodeError:
        return True
    return False


def pieces_of(encoder: Encoder, text: str) -> list[bytes]:
    """Return the bytes of each token of a text."""
    return [encoder.token_bytes(token) for token in encoder.encode(text, disallowed_special=())]


def _decoded(encoder: Encoder, text: str) -> str:
    return encoder.decode(encoder.encode(text, disallowed_special=()))


def _seen(encoder: Encoder, text: str) -> str:
    text = scalar_text(text)
    return unicodedata.normalize("NFC", text) if encoder.normalises == "NFC" else text
