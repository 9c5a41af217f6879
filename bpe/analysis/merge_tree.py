"""How a token was put together: the tree of its merges, down to bytes or characters.

Each encoder says which two symbols one of its tokens was merged from (``made_of``); here these are
followed down to the ends. How a tree is drawn is not here.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bpe.algorithm.merge import Merge
from bpe.encoders.base import Encoder, MadeOf, Symbol
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.errors import BPEError
from bpe.text.readable import readable

LEAVES = 48
"""How many ends a tree is pruned to."""
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
    cut: bool = False
    """Whether its parts were left out to keep the tree small."""
    count: int | None = None
    """How often the parts met in the training text when they were merged, where that is known."""

    def nodes(self) -> Iterator["Node"]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.parts))

    @property
    def leaves(self) -> int:
        return sum(not node.parts for node in self.nodes())

    @property
    def height(self) -> int:
        heights: dict[int, int] = {}
        for node in reversed(list(self.nodes())):
            heights[id(node)] = max((heights[id(part)] + 1 for part in node.parts), default=0)
        return heights[id(self)]


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
    """Return a token with what it was merged from, and no further down.

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


def token_tree(encoder: Encoder, token_id: int, *, leaves: int = LEAVES) -> Node:
    """Return how a token is made; a tree of more than ``leaves`` ends is cut near the bottom.

    Raises :class:`BPEError` for a tokenizer without merges (WordPiece, Unigram), an unknown id,
    and a token of more than :data:`LONGEST` bytes.
    """
    data = encoder.token_bytes(token_id)
    if len(data) > LONGEST:
        raise BPEError(
            "A token of {size} bytes is too long for a tree; the limit is {limit}.",
            size=f"{len(data):,}",
            limit=f"{LONGEST:,}",
        )
    if token_id in encoder.special_tokens.values():
        return Node(data, token_id)
    return _pruned(_unfolded(encoder, encoder.symbol(token_id)), leaves)


def word_trees(encoder: Encoder, word: str, *, leaves: int = LEAVES) -> tuple[Node, ...]:
    """Return the trees of the tokens that ``word`` is encoded to, in order."""
    ids = encoder.encode_ordinary(word)
    return tuple(token_tree(encoder, token_id, leaves=leaves) for token_id in ids)


def _pruned(tree: Node, leaves: int) -> Node:
    """Keep what is nearest to the root, level by level, as far as ``leaves`` ends allow."""
    shown: set[int] = set()
    ends = 1
    waiting = deque([tree])
    while waiting:
        node = waiting.popleft()
        if node.parts and ends + len(node.parts) - 1 <= leaves:
            shown.add(id(node))
            ends += len(node.parts) - 1
            waiting.extend(node.parts)
    pruned: dict[int, Node] = {}
    for node in reversed(list(tree.nodes())):
        parts = tuple(pruned[id(part)] for part in node.parts) if id(node) in shown else ()
        pruned[id(node)] = replace(node, parts=parts, cut=bool(node.parts) and not parts)
    return pruned[id(tree)]


def _unfolded(encoder: Encoder, symbol: Symbol) -> Node:
    made: list[tuple[Symbol, MadeOf | None]] = []
    waiting = [symbol]
    while waiting:
        current = waiting.pop()
        origin = encoder.made_of(current)
        made.append((current, origin))
        waiting.extend(reversed(origin.parts if origin else ()))
    done: list[Node] = []
    for current, origin in reversed(made):
        parts = tuple(done.pop() for _ in origin.parts) if origin else ()
        rank, count = (origin.rank, origin.count) if origin else (None, None)
        done.append(Node(current.bytes, current.id, rank, parts, count=count))
    return done[0]
