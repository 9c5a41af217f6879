"""Other ways to cut a text into tokens of a vocabulary: the fewest, how many ways, one at random.

All within the pre-tokens of the encoder, as its own merges are; an encoder that does not merge
bytes raises :class:`bpe.errors.BPEError`.
"""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from random import Random

from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError


def fewest_tokens(encoder: Encoder, text: str) -> list[int]:
    """Return the ids of a cut with as few tokens as the vocabulary allows.

    Of several such cuts it is that whose first token is the longest, then its second, and so on.

    >>> from bpe.encoders.catalog import encoding
    >>> qwen, text = encoding("qwen3"), "发现了一种"
    >>> qwen.count(text), len(fewest_tokens(qwen, text))
    (3, 2)
    """
    found: list[int] = []
    for word, ends in _words(encoder, text):
        least = [0] * (len(word) + 1)
        chosen = [0] * len(word)
        for at in reversed(range(len(word))):
            chosen[at] = min(reversed(ends(at)), key=lambda end: least[end])
            least[at] = 1 + least[chosen[at]]
        at = 0
        while at < len(word):
            found.append(_id_of(encoder, word[at : chosen[at]]))
            at = chosen[at]
    return found


def _id_of(encoder: Encoder, token: bytes) -> int:
    token_id = encoder.token_to_id(token)
    assert token_id is not None  # it was looked up before
    return token_id


def ways_to_cut(encoder: Encoder, text: str) -> int:
    """Return in how many ways the vocabulary can cut a text: exactly, however many."""
    product = 1
    for word, ends in _words(encoder, text):
        ways = [0] * len(word) + [1]
        for at in reversed(range(len(word))):
            ways[at] = sum(ways[end] for end in ends(at))
        product *= ways[0]
    return product


def random_cut(encoder: Encoder, text: str, dropout: float, random: Random) -> list[int]:
    """Return the ids of a text when each merge is left out with this probability, at each step.

    That is BPE-dropout (Provilkov et al. 2020): 0 gives the encoder's own tokens, 1 single bytes.
    Between them merges alone decide, also where the encoder takes a word whole without them.
    """
    if not 0 <= dropout <= 1:
        raise BPEError("A share is a number from 0 to 1, not {share!r}.", share=dropout)
    encoder = _byte_level(encoder)
    if dropout == 0:
        return encoder.encode_ordinary(text)
    return [
        _id_of(encoder, token)
        for word in encoder.pre_tokens(text)
        for token in _merged_at_random(encoder, word.encode(), dropout, random)
    ]


def _merged_at_random(
    encoder: BytePairEncoder, word: bytes, dropout: float, random: Random
) -> Iterator[bytes]:
    """Yield the tokens of a pre-token: the pairs wait in a heap, the tokens are a linked list.

    Going through the pairs by rank, the first that is not left out is merged. Those left out on
    the way to it may be merged at the next step.
    """
    ends = [*range(1, len(word) + 1)]  # of the token that begins at each place
    starts = [*range(-1, len(word))]  # of the token that ends at each place
    heap: list[tuple[int, int, int, int]] = []  # rank, place, middle, end
    left_out: list[tuple[int, int, int, int]] = []

    def consider(at: int) -> None:
        if at >= 0 and (middle := ends[at]) < len(word):
            rank = encoder.pair_rank(word[at:middle], word[middle : ends[middle]])
            if rank is not None:
                heappush(heap, (rank, at, middle, ends[middle]))

    for at in range(len(word)):
        consider(at)
    while heap:
        pair = heappop(heap)
        _, at, middle, end = pair
        if starts[middle] != at or starts[end] != middle:
            continue  # a neighbour was merged since this entry was made
        if random.random() < dropout:
            left_out.append(pair)
            continue
        ends[at], starts[end], starts[middle] = end, at, -1
        for other in left_out:
            heappush(heap, other)
        left_out.clear()
        consider(at)
        consider(starts[at])
    at = 0
    while at < len(word):
        yield word[at : ends[at]]
        at = ends[at]


def _byte_level(encoder: Encoder) -> BytePairEncoder:
    if not isinstance(encoder, BytePairEncoder):
        raise BPEError(
            "{name} does not merge bytes, so other cuts are not known. Choose a byte-level BPE.",
            name=encoder.name,
        )
    return encoder


def _words(encoder: Encoder, text: str) -> Iterator[tuple[bytes, Callable[[int], list[int]]]]:
    """Yield each pre-token, and what says where a token that begins at a place of it may end."""
    longest = max(len(data) for data in encoder.token_table if data)
    special = {*encoder.special_tokens.values(), *encoder.added_tokens.values(), None}
    for word in _byte_level(encoder).pre_tokens(text):
        data = word.encode()

        def ends(at: int, data: bytes = data) -> list[int]:
            last = min(len(data), at + longest)
            return [
                end
                for end in range(at + 1, last + 1)
                if encoder.token_to_id(data[at:end]) not in special
            ]

        yield data, ends
