"""The name of a corpus, taken while it is read."""

import hashlib
import itertools
import struct
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from bpe.text.unicode import utf8, utf8_of_all

_AT_ONCE = 1 << 20  # characters, below which no thread is worth it
_MOST_WAITING = 8  # so that a stream is not held in memory
_size = struct.Struct(">Q").pack


class CorpusDigest:
    """16 hexadecimal digits that name a corpus: same texts in the same order, same name.

    Each text goes in with its length, so that ``["ab"]`` and ``["a", "b"]`` differ. Of a long
    corpus a thread of its own takes the digest, while the corpus is read on.
    """

    def __init__(self) -> None:
        self._sha = hashlib.sha256()
        self._size = 0
        self._texts: list[str] = []
        self._characters = 0
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: deque[Future[None]] = deque()

    def add(self, text: str) -> None:
        self._texts.append(text)
        self._characters += len(text)
        if self._characters < _AT_ONCE:
            return
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1)
        while len(self._waiting) >= _MOST_WAITING:
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(self._take, self._texts))
        self._texts, self._characters = [], 0

    @property
    def size(self) -> int:
        """The UTF-8 bytes of all texts."""
        self._finish()
        return self._size

    def __str__(self) -> str:
        self._finish()
        return self._sha.hexdigest()[:16]

    def _finish(self) -> None:
        while self._waiting:
            self._waiting.popleft().result()
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        self._take(self._texts)
        self._texts, self._characters = [], 0

    def _take(self, texts: Sequence[str]) -> None:
        """Take in some texts, of which the last may be long, and the others are not together."""
        if not texts:
            return
        *short, long = texts
        encoded = utf8_of_all(short)
        sizes = map(_size, map(len, encoded))
        self._sha.update(b"".join(itertools.chain.from_iterable(zip(sizes, encoded, strict=True))))
        # Encoded once more for its size: cheaper than the memory for all pieces.
        size = sum(len(utf8(piece)) for piece in _pieces(long))
        self._sha.update(_size(size))
        for piece in _pieces(long):
            self._sha.update(utf8(piece))
        self._size += sum(map(len, encoded)) + size


def _pieces(text: str, size: int = 1 << 16) -> Iterator[str]:
    """Cut a text so that no piece takes long; a surrogate pair stays whole."""
    at = 0
    while at < len(text):
        end = at + size
        if "\ud800" <= text[end - 1 : end] < "\udc00":
            end += 1
        yield text[at:end]
        at = end


def digest(texts: Iterable[str]) -> str:
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
        data = utf8(word) if isinstance(word, str) else word
        sha.update(_size(len(data)) + data + _size(count))
    return sha.hexdigest()[:16]
