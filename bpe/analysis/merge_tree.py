"""How a token was put together: the tree of its merges, down to bytes or characters.

Where a tokenizer says its merges, these are followed. One that only numbers its tokens, as
production vocabularies do, merges the neighbours whose joined bytes have the lowest number; run
again inside the token, that finds its parts. How a tree is drawn is not here.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar, cast

from bpe.algorithm.character import CharacterTokenizer
from bpe.encoders.base import Encoder
from bpe.encoders.catalog import CatalogEncoder
from bpe.encoders.tokenizer import Tokenizer
from bpe.errors import BPEError
from bpe.files.tiktoken import RankEncoder
from bpe.training.recipe import Merge

LEAVES = 48
"""How many ends of a tree are kept."""
LONGEST = 1 << 10
"""Bytes of the longest token whose merges are looked for: the time grows with their square."""

_Symbol = TypeVar("_Symbol")


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

    def nodes(self) -> Iterator["Node"]:
        """Yield every node, each before its parts."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.parts))

    @property
    def leaves(self) -> int:
        """How many ends the tree has."""
        return sum(not node.parts for node in self.nodes())

    @property
    def height(self) -> int:
        """How many merges lie one above the other."""
        heights: dict[int, int] = {}
        for node in reversed(list(self.nodes())):
            heights[id(node)] = max((heights[id(part)] + 1 for part in node.parts), default=0)
        return heights[id(self)]


@dataclass(frozen=True, slots=True)
class Made:
    """How a token came to be.

    Without a ``rank``, a token without ``parts`` is there from the start; one with parts is in the
    vocabulary as it is, and merges make only the parts.
    """

    rank: int | None
    """The number of its merge, from 1."""
    parts: tuple[Node, ...] = ()
    count: int | None = None
    """How often the pair stood in the training text when it was merged, where that is known."""


def made(encoder: Encoder, token_id: int) -> Made | None:
    """Return how a token came to be; ``None`` for special tokens, and where there are no merges."""
    if token_id in encoder.special_tokens.values():
        return None
    try:
        tree = token_tree(encoder, token_id)
    except BPEError:
        return None
    count = None
    if tree.rank and isinstance(encoder, Tokenizer | CharacterTokenizer):
        count = encoder.merges[tree.rank - 1].count
    return Made(tree.rank, tree.parts, count)


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
    match encoder:
        case Tokenizer():
            tree = _of_trained(encoder, token_id)
        case CharacterTokenizer():
            tree = _of_characters(encoder, token_id)
        case RankEncoder() | CatalogEncoder():
            tree = _numbering(encoder).tree(data, token_id)
        case _:
            tree = _listed(cast(Any, encoder)).tree(data, token_id)
    return _pruned(tree, leaves)


def word_trees(encoder: Encoder, word: str, *, leaves: int = LEAVES) -> tuple[Node, ...]:
    """Return the trees of the tokens that ``word`` is encoded to, in order."""
    ids = encoder.encode(word, disallowed_special=())
    return tuple(token_tree(encoder, token_id, leaves=leaves) for token_id in ids)


def _merged(
    leaves: Sequence[_Symbol],
    join: Callable[[_Symbol, _Symbol], tuple[int, _Symbol] | None],
    node: Callable[[_Symbol, int | None], Node],
) -> list[Node]:
    """Merge neighbours, of all that ``join`` gives a rank the lowest and leftmost first."""
    row = list(leaves)
    nodes = [node(symbol, None) for symbol in row]
    while steps := [
        (*step, at) for at, pair in enumerate(pairwise(row)) if (step := join(*pair)) is not None
    ]:
        rank, new, at = min(steps, key=lambda step: (step[0], step[2]))
        joined = replace(node(new, rank), parts=tuple(nodes[at : at + 2]))
        row[at : at + 2] = [new]
        nodes[at : at + 2] = [joined]
    return nodes


def _pruned(tree: Node, leaves: int) -> Node:
    """Keep what is nearest to the root, level by level, as far as ``leaves`` ends allow."""
    kept: set[int] = set()
    ends = 1
    waiting = deque([tree])
    while waiting:
        node = waiting.popleft()
        if node.parts and ends + len(node.parts) - 1 <= leaves:
            kept.add(id(node))
            ends += len(node.parts) - 1
            waiting.extend(node.parts)
    pruned: dict[int, Node] = {}
    for node in reversed(list(tree.nodes())):
        parts = tuple(pruned[id(part)] for part in node.parts) if id(node) in kept else ()
        pruned[id(node)] = replace(node, parts=parts, cut=bool(node.parts) and not parts)
    return pruned[id(tree)]


# Our own, which say how each symbol was made.


def _of_trained(tokenizer: Tokenizer, token_id: int) -> Node:
    first = tokenizer.recipe.first_merge_id

    def parts(symbol: int) -> tuple[int, int, int] | None:
        if symbol < first:
            return None
        merge = tokenizer.merges[symbol - first]
        return merge.left, merge.right, symbol - first + 1

    return _unfolded(token_id, parts, lambda symbol: Node(tokenizer.token_bytes(symbol), symbol))


def _of_characters(tokenizer: CharacterTokenizer, token_id: int) -> Node:
    made = _first_merges(tokenizer.merges)
    end = tokenizer.recipe.end_of_word

    def node(symbol: str) -> Node:
        spelled = symbol[: -len(end)] + " " if end and symbol.endswith(end) else symbol
        return Node(spelled.encode(), tokenizer.ids.get(symbol))

    return _unfolded(tokenizer.vocabulary[token_id], made.get, node)


def _first_merges(
    merges: Sequence[tuple[str, str, *tuple[object, ...]]],
) -> dict[str, tuple[str, str, int]]:
    made: dict[str, tuple[str, str, int]] = {}
    for rank, (left, right, *_) in enumerate(merges, start=1):
        made.setdefault(left + right, (left, right, rank))
    return made


def _unfolded(
    symbol: _Symbol,
    parts: Callable[[_Symbol], tuple[_Symbol, _Symbol, int] | None],
    node: Callable[[_Symbol], Node],
) -> Node:
    """Take a symbol apart into the two symbols of its merge, and these again."""
    order: list[_Symbol] = []
    waiting = [symbol]
    while waiting:
        order.append(waiting.pop())
        if made := parts(order[-1]):
            waiting.extend((made[1], made[0]))
    done: list[Node] = []
    for current in reversed(order):
        if made := parts(current):
            left, right = done.pop(), done.pop()
            done.append(replace(node(current), rank=made[2], parts=(left, right)))
        else:
            done.append(node(current))
    return done[0]


# Those that number their tokens.


@dataclass(frozen=True, eq=False)
class _Numbering:
    """A vocabulary in which the lower number is merged first."""

    ids: Mapping[bytes, int]
    order: Sequence[int]
    """The ids of all tokens that are merged of others, ascending."""
    units: Callable[[bytes], list[bytes]]

    def tree(self, data: bytes, token_id: int) -> Node:
        def join(left: bytes, right: bytes) -> tuple[int, bytes] | None:
            made = self.ids.get(left + right)
            return (made, left + right) if made is not None and made <= token_id else None

        def node(symbol: bytes, rank: int | None) -> Node:
            number = None if rank is None else bisect_right(self.order, rank)
            return Node(symbol, self.ids.get(symbol), number)

        return _whole(_merged(self.units(data), join, node), data, token_id)


@lru_cache(maxsize=16)
def _numbering(encoder: RankEncoder | CatalogEncoder) -> _Numbering:
    ids = encoder.ranks
    units = _bytes_of
    if isinstance(encoder, CatalogEncoder) and encoder.facts.kind == "SentencePiece":
        units = _characters_of
    order = sorted(token_id for data, token_id in ids.items() if len(units(data)) > 1)
    return _Numbering(ids, order, units)


def _bytes_of(data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def _characters_of(data: bytes) -> list[bytes]:
    """Return what SentencePiece starts from; bytes that are no character stand alone."""
    characters = data.decode("utf-8", "surrogateescape")
    return [character.encode("utf-8", "surrogateescape") for character in characters]


# Those that list their merges.


@dataclass(frozen=True, eq=False)
class _Listing:
    """Merges of ids, in order."""

    encoder: Encoder
    ranks: Mapping[tuple[int, int], tuple[int, int]]
    starts: Mapping[bytes, int]
    """The symbols that no merge makes."""

    def tree(self, data: bytes, token_id: int) -> Node:
        if data in self.starts:
            return Node(data, token_id)
        leaves: list[int] = []
        for character in _characters_of(data):
            for unit in [character] if character in self.starts else _bytes_of(character):
                if unit not in self.starts:  # the token was added whole
                    return Node(data, token_id)
                leaves.append(self.starts[unit])

        def node(symbol: int, rank: int | None) -> Node:
            number = None if rank is None else rank + 1
            return Node(self.encoder.token_bytes(symbol), symbol, number)

        nodes = _merged(leaves, lambda left, right: self.ranks.get((left, right)), node)
        return _whole(nodes, data, token_id)


@lru_cache(maxsize=16)
def _listed(encoder: Any) -> _Listing:
    merges: Sequence[Merge] = getattr(encoder, "merges", ())
    if not merges:
        raise BPEError("{name} has no merges: it was not made by BPE.", name=encoder.name)
    ranks: dict[tuple[int, int], tuple[int, int]] = {}
    for rank, merge in enumerate(merges):
        ranks.setdefault((merge.left, merge.right), (rank, merge.new_id))
    made = {merge.new_id for merge in merges}
    parts = {part for merge in merges for part in (merge.left, merge.right)}
    starts = {encoder.token_bytes(part): part for part in parts - made}
    return _Listing(encoder, ranks, starts)


def _whole(nodes: Sequence[Node], data: bytes, token_id: int) -> Node:
    """Return the root: what is left after all merges, if that is the token."""
    if len(nodes) == 1:
        return replace(nodes[0], id=token_id)
    return Node(data, token_id, parts=tuple(nodes))
