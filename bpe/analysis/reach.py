"""Tokens that no text produces: their own text is encoded to other ones."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import Literal, NamedTuple

from bpe.analysis.vocabulary import KINDS, Vocabulary, read
from bpe.encoders.base import Encoder
from bpe.errors import BPEError

Why = Literal["pattern", "merges", "changed", "twin"]
"""The split pattern cuts its text; it does not, but merges do not lead there; the text is changed
before it is split; or another token has the same bytes, and is taken."""

_LETTERS = 8
"""Letters of a vocabulary that are tried around a text, beside “a”."""


class Unreached(NamedTuple):
    """A token, and the ids that its own text becomes."""

    id: int
    bytes: bytes
    why: Why
    becomes: tuple[int, ...]


def unreachable(encoder: Encoder, vocabulary: Vocabulary | None = None) -> tuple[Unreached, ...]:
    """Return the tokens that encoding their own text does not give, in the order of ids.

    Nor does it within a word or behind a line break, where there is no split pattern. That is an
    upper bound: something else around it may let the token come out. Special tokens, and those that
    are no whole characters and so have no text, are left out. ``vocabulary`` is given, where it
    has been read already.

    >>> from bpe.encoders.catalog import encoding
    >>> [token.bytes.decode() for token in unreachable(encoding("kimi_k2"))]
    [" I'", '⭐️⭐️']
    """
    vocabulary = vocabulary or read(encoder)
    whole = (vocabulary.kinds == KINDS.index("character")) | (
        vocabulary.kinds == KINDS.index("several")
    )

    def gives(text: str) -> list[int]:
        try:
            return encoder.encode_ordinary(text)
        except BPEError:  # it has a character that this tokenizer lacks
            return []

    texts = {index: vocabulary.pieces[index].decode() for index in whole.nonzero()[0].tolist()}
    seen, around = Counter(vocabulary.pieces), _surroundings(texts.values())
    unreached = []
    for index, text in texts.items():
        token, ids = int(vocabulary.ids[index]), gives(text)
        # A piece of a word may come out in one alone: “##ing”, or “ug” before the sign of its end.
        if token in ids or (
            encoder.pattern is None
            and any(token in gives(before + text + after) for before, after in around)
        ):
            continue
        why = "twin" if seen[vocabulary.pieces[index]] > 1 else _why(encoder, text, ids)
        unreached.append(Unreached(token, vocabulary.pieces[index], why, tuple(ids)))
    return tuple(unreached)


def _surroundings(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return what is put before and behind a text: a line break, and letters of these texts."""
    letters = islice((text for text in texts if len(text) == 1 and text.isalnum()), _LETTERS)
    sides = [[("", each), (each, ""), (each, each)] for each in ("a", *letters)]
    return [("\n", ""), *chain.from_iterable(sides)]


def _why(encoder: Encoder, text: str, ids: list[int]) -> Why:
    if encoder.decode(ids) != text:
        return "changed"
    try:
        return "pattern" if len(encoder.pre_tokens(text)) > 1 else "merges"
    except BPEError:  # it has none
        return "merges"
