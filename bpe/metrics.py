"""How well a tokenizer treats a text, and Chinese beside English.

Every function takes any :class:`bpe.encoder.Encoder`. T(x) stands for the tokens of a text x. A
figure of a text that has nothing to divide by is ``nan``.
"""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import regex

from bpe.encoder import Encoder, scalar_text
from bpe.errors import BPEError

_HANZI = regex.compile(r"\p{Script=Han}")


def count_tokens(encoder: Encoder, text: str) -> int:
    """Return |T(text)|, special tokens in it taken as ordinary text."""
    return len(encoder.encode(text, disallowed_special=()))


def count_hanzi(text: str) -> int:
    """Return the number of 汉字: characters of Unicode's script Han.

    >>> count_hanzi("你好，世界 Hello")
    4
    """
    return len(_HANZI.findall(text))


def bytes_per_token(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ UTF-8 bytes / Σ |T|: how much text one token carries (GPT-2 and onwards).

    Fair between tokenizers on one text, not between languages: a 汉字 has three bytes.
    """
    size = tokens = 0
    for text in texts:
        size += len(scalar_text(text).encode())
        tokens += count_tokens(encoder, text)
    return _ratio(size, tokens)


def tokens_per_hanzi(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ tokens of 汉字 / Σ 汉字, on the bytes that the encoder sees.

    A token counts for the share of its bytes that belong to 汉字, so that punctuation, digits and
    English words in the text do not count and a token "世界，" counts for two thirds.
    """
    tokens = 0.0
    hanzi = 0
    for text in texts:
        pieces = _pieces(encoder, text)
        joined = b"".join(pieces).decode("utf-8", "replace")
        is_hanzi = bytearray()
        for character in joined:
            is_hanzi += bytes([_HANZI.match(character) is not None]) * len(character.encode())
        hanzi += count_hanzi(joined)
        at = 0
        for piece in pieces:
            if piece:
                tokens += sum(is_hanzi[at : at + len(piece)]) / len(piece)
            at += len(piece)
    return _ratio(tokens, hanzi)


def partial_utf8_rate(encoder: Encoder, texts: Iterable[str]) -> float:
    """Σ tokens that are not valid UTF-8 on their own / Σ |T|.

    It decides whether a view that decodes token by token shows U+FFFD.
    """
    partial = tokens = 0
    for text in texts:
        pieces = _pieces(encoder, text)
        tokens += len(pieces)
        partial += sum(not _is_utf8(piece) for piece in pieces)
    return _ratio(partial, tokens)


def is_lossless(encoder: Encoder, texts: Iterable[str]) -> bool:
    """Whether decode(encode(x)) = x for every text.

    Where the encoder says that it applies NFC, the normalised text has to come back.
    """
    return all(
        encoder.decode(encoder.encode(text, disallowed_special=())) == _seen(encoder, text)
        for text in texts
    )


@dataclass(frozen=True)
class Premium:
    """What the first language costs for each token of the second, on the same meaning.

    ``micro`` is Σ|T(zh)| / Σ|T(en)|, ``macro`` the mean over pairs of |T(zh)| / |T(en)|;
    ``ratios`` are the latter one by one. Petrov et al. 2023, arXiv 2305.15425.
    """

    micro: float
    macro: float
    zh_tokens: int
    en_tokens: int
    ratios: tuple[float, ...]


def premium(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> Premium:
    """Return the premium of Chinese over English on ``(zh, en)`` pairs of the same meaning.

    An empty side raises :class:`BPEError`, as does an empty list.
    """
    if not pairs:
        raise BPEError("There are no sentence pairs to compare. Add at least one.")
    counts = []
    for number, (zh, en) in enumerate(pairs, start=1):
        counts.append((count_tokens(encoder, zh), count_tokens(encoder, en)))
        if not all(counts[-1]):
            raise BPEError(
                "Pair {number} has an empty side. Give both languages, or leave the pair out.",
                number=number,
            )
    zh_tokens = sum(zh for zh, _ in counts)
    en_tokens = sum(en for _, en in counts)
    ratios = tuple(zh / en for zh, en in counts)
    return Premium(zh_tokens / en_tokens, fmean(ratios), zh_tokens, en_tokens, ratios)


def _pieces(encoder: Encoder, text: str) -> list[bytes]:
    return [encoder.token_bytes(token) for token in encoder.encode(text, disallowed_special=())]


def _seen(encoder: Encoder, text: str) -> str:
    text = scalar_text(text)
    return unicodedata.normalize("NFC", text) if encoder.normalises == "NFC" else text


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _ratio(value: float, by: int) -> float:
    return value / by if by else math.nan
