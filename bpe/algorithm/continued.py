"""Going on with the merges of a vocabulary that is there already, in the most obvious way.

The words of the new corpus are encoded as they are today; then pairs of tokens are counted and
merged as pairs of bytes always were. So what is learned is what the encoder will do: old merges
first, then the new ones in order, and every new token is met again. (Tokens that are only put into
a vocabulary, by contrast, are often never reached, as no merge leads to them: arXiv 2512.03989.)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from bpe.algorithm import basic
from bpe.algorithm.basic import TieBreak


def train(
    words: Mapping[bytes, int],
    encode: Callable[[bytes], Sequence[int]],
    vocabulary: list[bytes],
    size: int,
    tie_break: TieBreak = "lexicographic",
) -> Iterator[tuple[int, int, int, int]]:
    """Grow ``vocabulary`` to ``size``; yield each merge: left and right token, new one, count.

    ``encode`` gives the tokens of a word, which are places in ``vocabulary``.

    >>> vocabulary = [b"l", b"o", b"w", b"lo"]
    >>> merges = train({b"low": 5, b"slow": 1}, {b"low": [3, 2], b"slow": [3]}.get, vocabulary, 5)
    >>> list(merges), vocabulary[4]
    ([(3, 2, 4, 5)], b'low')
    """
    encoded = {tuple(encode(word)): count for word, count in words.items()}
    return basic.train(encoded, vocabulary, size, tie_break)
