"""BPE whose tokens are whole characters, or the beginning of a single one.

Byte-level BPE also joins the end of one character to the beginning of the next, and such tokens
decode to nothing by themselves (arXiv 2410.23684). Here two symbols are joined only where both are
whole characters, or where the next byte of a character is added to its beginning. That is the
restriction at the borders of characters of arXiv 2505.24689, on UTF-8: a beginning of two or three
bytes is still a token on the way, as a merge joins two symbols and not three.
"""

from collections.abc import Iterator, Mapping, Sequence

from bpe.algorithm.basic import TieBreak, best_pair, count_pairs, merge_pair


def joinable(left: bytes, right: bytes) -> bool:
    """Return whether two symbols may be joined.

    >>> joinable("中".encode(), "文".encode()), joinable(b"\\xe4\\xb8", b"\\xad")
    (True, True)
    >>> joinable(b"\\xad", b"\\xe6"), joinable(b"\\xb8", b"\\xad"), joinable(b"a", b"\\xe4")
    (False, False, False)
    """
    if _missing(left) == 0:
        return _missing(right) == 0
    return _missing(left) > 0 and _missing(right) < 0


def is_mixed(token: bytes) -> bool:
    r"""Return whether bytes are neither whole characters nor the beginning of a single one.

    >>> [is_mixed(token) for token in ("中文".encode(), b"\xe4\xb8", b"\xad\xe6")]
    [False, False, True]
    """
    begins = token[0] >= 0xC0 and all(0x80 <= byte < 0xC0 for byte in token[1:])
    whole = token.decode("utf-8", "ignore").encode() == token
    return not whole and not (begins and _missing(token) > 0)


def _missing(symbol: bytes) -> int:
    """Return how many bytes a character lacks; 0 of whole ones, -1 of a byte from inside one."""
    lead = symbol[0]
    if 0x80 <= lead < 0xC0:
        return -1
    size = 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)
    return max(size - len(symbol), 0)


def train(
    words: Mapping[bytes, int],
    vocabulary: list[bytes],
    size: int,
    tie_break: TieBreak = "lexicographic",
) -> Iterator[tuple[int, int, int, int]]:
    """Grow ``vocabulary`` to ``size`` as :func:`bpe.algorithm.basic.train` does, by such pairs.

    >>> vocabulary = [bytes([byte]) for byte in range(256)]
    >>> merges = list(train({"中文中文".encode(): 1}, vocabulary, 261))
    >>> [vocabulary[new].decode("utf-8", "replace") for _, _, new, _ in merges]
    ['�', '文', '�', '中', '中文']
    """
    rows: list[tuple[Sequence[int], int]] = list(words.items())
    while len(vocabulary) < size:
        counts = {
            (left, right): count
            for (left, right), count in count_pairs(rows).items()
            if joinable(vocabulary[left], vocabulary[right])
        }
        if not counts:
            return
        left, right = pair = best_pair(counts, tie_break, vocabulary.__getitem__)
        vocabulary.append(vocabulary[left] + vocabulary[right])
        new = len(vocabulary) - 1
        rows = [(merge_pair(symbols, pair, new), count) for symbols, count in rows]
        yield left, right, new, counts[pair]
