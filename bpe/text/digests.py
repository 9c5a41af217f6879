"""The name of a corpus, taken while it is read."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bpe.text.unicode import scalar_text


class CorpusDigest:
    """16 hexadecimal digits that name a corpus: same texts in the same order, same name.

    Each text goes in with its length, so that ``["ab"]`` and ``["a", "b"]`` differ.
    """

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def add(self, text: str) -> int:
        """Take in the next text; return its number of UTF-8 bytes."""
        pieces = [scalar_text(piece).encode() for piece in _pieces(text)]
        size = sum(map(len, pieces))
        self._sha.update(size.to_bytes(8, "big"))
        for piece in pieces:
            self._sha.update(piece)
        return size

    def __str__(self) -> str:
        return self._sha.hexdigest()[:16]


def _pieces(text: str, size: int = 1 << 20) -> Iterator[str]:
    """Cut a text so that no piece takes long; a surrogate pair stays whole."""
    at = 0
    while at < len(text):
        end = at + size
        if "\ud800" <= text[end - 1 : end] < "\udc00":
            end += 1
        yield text[at:end]
        at = end


def digest(texts: Iterable[str]) -> str:
    """Return the name of a corpus that is at hand."""
    name = CorpusDigest()
    for text in texts:
        name.add(text)
    return str(name)


def digest_of_counts(word_counts: Mapping[Any, int]) -> str:
    """Return the name of a corpus that is given as words with their numbers of occurrences.

    Their order counts, as one of the rules for ties takes the pair that comes first.

    >>> digest_of_counts({"low": 2}) == digest_of_counts({b"low": 2})
    True
    """
    sha = hashlib.sha256(b"word counts")
    for word, count in word_counts.items():
        data = scalar_text(word).encode() if isinstance(word, str) else word
        sha.update(len(data).to_bytes(8, "big") + data + count.to_bytes(8, "big"))
    return sha.hexdigest()[:16]
