"""Other ways to cut a text into tokens of a vocabulary: the fewest, and in how many ways.

All within the pre-tokens of the encoder, as its own merges are; an encoder that does not merge
bytes raises :class:`bpe.errors.BPEError`.
"""

from collections.abc import Callable, Iterator

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
    ids: list[int] = []
    for word, ends in _words(encoder, text):
        least = [0] * (len(word) + 1)
        chosen = [(0, 0)] * len(word)
        for start in reversed(range(len(word))):
            found = ends(start)
            end = min(reversed(found), key=least.__getitem__)
            chosen[start] = end, found[end]
            least[start] = 1 + least[end]
        start = 0
        while start < len(word):
            start, token = chosen[start]
            ids.append(token)
    return ids


def ways_to_cut(encoder: Encoder, text: str) -> int:
    """Return in how many ways the vocabulary can cut a text: exactly, however many."""
    product = 1
    for word, ends in _words(encoder, text):
        ways = [0] * len(word) + [1]
        for start in reversed(range(len(word))):
            ways[start] = sum(ways[end] for end in ends(start))
        product *= ways[0]
    return product


def _words(encoder: Encoder, text: str) -> Iterator[tuple[bytes, Callable[[int], dict[int, int]]]]:
    """Yield each pre-token, and what says where tokens from a place on end, with their ids."""
    longest = max(len(data) for data in encoder.token_table if data)
    special = {*encoder.special_tokens.values(), *encoder.added_tokens.values()}
    if not isinstance(encoder, BytePairEncoder):
        raise BPEError(
            "{name} does not merge bytes, so other cuts are not known. Choose a byte-level BPE.",
            name=encoder.name,
        )
    for word in encoder.pre_tokens(text):
        data = word.encode()

        def ends(start: int, data: bytes = data) -> dict[int, int]:
            places = range(start + 1, min(len(data), start + longest) + 1)
            ids = ((end, encoder.token_to_id(data[start:end])) for end in places)
            return {end: token for end, token in ids if token is not None and token not in special}

        yield data, ends
