"""How a token was put together: the symbols that it was merged from, and by which merge."""

from dataclasses import dataclass
from typing import Any

from bpe.algorithm.merge import Merge
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.errors import BPEError
from bpe.text.readable import readable

LONGEST = 1 << 10
"""Bytes of the longest token whose merges are looked for: the time grows with their square."""


@dataclass(frozen=True, slots=True)
class Node:
    """A symbol, and the symbols that it was merged from."""

    bytes: bytes
    id: int | None = None
    """``None`` where it has left the vocabulary."""
    rank: int | None = None
    """The number of its merge, from 1; ``None`` where no merge makes it."""
    parts: tuple["Node", ...] = ()
    """Two; more where the vocabulary has the token whole and merges make only its parts."""
    count: int | None = None
    """How often the parts met in the training text when they were merged, where that is known."""


def readable_merge(encoder: Encoder, merge: Any) -> tuple[str, str, str, int, int | None]:
    """Return a merge of the training that made ``encoder`` as a reader sees it.

    Left, right, new, count, and the id of the token that it makes; pruned ones have none.
    """
    if isinstance(merge, Merge):
        left, right, new = (readable(encoder.token_bytes(part)) for part in merge[:3])
        return left, right, new, merge.count, merge.new_id
    assert isinstance(encoder, CharacterTokenizer | TokenizerJsonEncoder)  # not of bytes
    return merge.left, merge.right, merge.new, merge.count, encoder.ids.get(merge.new)


def made(encoder: Encoder, token_id: int) -> Node | None:
    """Return a token with what it was merged from.

    ``None`` for special tokens, where there are no merges, and beyond :data:`LONGEST`. An unknown
    id raises :class:`BPEError`.
    """
    if token_id in encoder.special_tokens.values():
        return None
    symbol = encoder.symbol(token_id)
    if len(symbol.bytes) > LONGEST:
        return None
    try:
        origin = encoder.made_of(symbol)
    except BPEError:
        return None
    if origin is None:
        return Node(symbol.bytes, token_id)
    parts = tuple(Node(part.bytes, part.id) for part in origin.parts)
    return Node(symbol.bytes, token_id, origin.rank, parts, count=origin.count)
