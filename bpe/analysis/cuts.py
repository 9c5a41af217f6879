"""Other ways to cut a text into tokens of a vocabulary: the fewest, how many ways, one at random.

All within the pre-tokens of the encoder, as its own merges are; an encoder that does not merge
bytes raises :class:`bpe.errors.BPEError`.
"""

from collections.abc import Callable, Iterator
from random import Random

from bpe.encoders.base import Encoder


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
            found.append(encoder.encode_single_token(word[at : chosen[at]]))
            at = chosen[at]
    return found


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
    """
    found: list[int] = []
    for word in map(str.encode, encoder.pre_tokens(text)):
        row = [word[at : at + 1] for at in range(len(word))]
        while True:
            ranks = [
                (rank, at)
                for at in range(len(row) - 1)
                if (rank := encoder.pair_rank(row[at], row[at + 1])) is not None
                and random.random() >= dropout
            ]
            if not ranks:
                break
            at = min(ranks)[1]
            row[at : at + 2] = [row[at] + row[at + 1]]
        found += map(encoder.encode_single_token, row)
    return found


def _words(encoder: Encoder, text: str) -> Iterator[tuple[bytes, Callable[[int], list[int]]]]:
    """Yield each pre-token, and what says where a token that begins at a place of it may end."""
    longest = encoder.longest_token
    special = {*encoder.special_tokens.values(), *encoder.added_tokens.values(), None}
    for word in encoder.pre_tokens(text):
        data = word.encode()

        def ends(at: int, data: bytes = data) -> list[int]:
            last = min(len(data), at + longest)
            return [
                end
                for end in range(at + 1, last + 1)
                if encoder.token_to_id(data[at:end]) not in special
            ]

        yield data, ends
