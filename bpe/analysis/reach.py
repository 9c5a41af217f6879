"""The tokens of a vocabulary that no text produces: their own text is encoded otherwise."""

from collections import Counter
from typing import Literal, NamedTuple, get_args

from bpe.analysis.vocabulary import KINDS, Vocabulary, read
from bpe.encoders.base import Encoder
from bpe.errors import BPEError

Why = Literal["pattern", "merges", "changed", "twin"]
"""The split pattern cuts its text; it does not, but merges do not lead there; the text is changed
before it is split; or another token has the same bytes, and is taken."""

WHYS: tuple[Why, ...] = get_args(Why)

_AROUND = ("{}", "\n{}", "a{}", "{}a", "a{}a")
"""Without pre-tokens, what stands around a text decides on its tokens."""


class Unreached(NamedTuple):
    """A token, and the ids that its own text becomes."""

    id: int
    bytes: bytes
    why: Why
    becomes: tuple[int, ...]


def unreachable(encoder: Encoder, known: Vocabulary | None = None) -> tuple[Unreached, ...]:
    """Return the tokens that encoding their own text does not give, in the order of ids.

    That is an upper bound: what stands around a text may let its token come out. Special tokens,
    and those that are no whole characters and so have no text, are left out. ``known`` is the
    vocabulary, where it has been read already.

    >>> from bpe.encoders.catalog import encoding
    >>> [token.bytes.decode() for token in unreachable(encoding("kimi_k2"))]
    [" I'", '⭐️⭐️']
    """
    known = known or read(encoder)
    whole = (known.kinds == KINDS.index("character")) | (known.kinds == KINDS.index("several"))
    splits = _pre_tokens(encoder, "a") is not None

    def gives(text: str) -> list[int]:
        try:
            return encoder.encode_ordinary(text)
        except BPEError:  # it has a character that this tokenizer lacks
            return []

    seen = Counter(known.pieces)
    found = []
    for at in whole.nonzero()[0].tolist():
        token, text = int(known.ids[at]), known.pieces[at].decode()
        ids = gives(text)
        if token not in ids and (
            splits or not any(token in gives(around.format(text)) for around in _AROUND[1:])
        ):
            why = "twin" if seen[known.pieces[at]] > 1 else _why(encoder, text, ids)
            found.append(Unreached(token, known.pieces[at], why, tuple(ids)))
    return tuple(found)


def _why(encoder: Encoder, text: str, ids: list[int]) -> Why:
    if encoder.decode(ids) != text:
        return "changed"
    return "pattern" if len(_pre_tokens(encoder, text) or "") > 1 else "merges"


def _pre_tokens(encoder: Encoder, text: str) -> list[str] | None:
    try:
        return encoder.pre_tokens(text)
    except BPEError:
        return None
