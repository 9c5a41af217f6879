"""Names for texts and corpora, taken while they are read."""

import hashlib
import struct
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bpe.text.unicode import utf8, utf8_of_all

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_AT_ONCE = 1 << 20  # characters, below which no thread is worth it
_MOST_WAITING = 8  # so that a stream is not held in memory
_BITS = 256
_size = struct.Struct(">Q").pack


class CorpusDigest:
    """16 hexadecimal digits that name a corpus: the same documents, the same name.

    The SHA-256 digests of the documents are added up, in any order; a document without text does
    not count. Of a long corpus a thread takes the digest, while the corpus is read on.
    """

    def __init__(self) -> None:
        self.documents = 0
        self._total = 0
        self._size = 0
        self._texts: list[str] = []
        self._characters = 0
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: deque[Future[None]] = deque()

    def add(self, text: str) -> None:
        self.documents += 1
        self._texts.append(text)
        self._characters += len(text)
        if self._characters < _AT_ONCE:
            return
        if self._thread is None:
            from concurrent.futures import ThreadPoolExecutor  # takes 5 ms

            self._thread = ThreadPoolExecutor(1)
        while len(self._waiting) >= _MOST_WAITING:
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(self._take, self._texts))
        self._texts, self._characters = [], 0

    def reading(self, blocks: Iterable[str]) -> Iterator[str]:
        """Pass the blocks of a document on, which is added at their end."""
        sha = hashlib.sha256()
        size = 0
        for block in blocks:
            data = utf8(block)
            sha.update(data)
            size += len(data)
            yield block
        self.documents += 1
        self._add(sha.digest() if size else b"", size)

    @property
    def size(self) -> int:
        """The UTF-8 bytes of all texts."""
        self._finish()
        return self._size

    @property
    def total(self) -> str:
        """The sum of the digests of all documents, in hexadecimal."""
        self._finish()
        return f"{self._total:0{_BITS // 4}x}"

    def __str__(self) -> str:
        return name_of_total(self.total)

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
        total = sum(int.from_bytes(hashlib.sha256(data).digest()) for data in encoded if data)
        self._add(total.to_bytes(_BITS // 8 + 8), sum(map(len, encoded)))
        sha = hashlib.sha256()
        size = 0
        for piece in _pieces(long):
            data = utf8(piece)
            sha.update(data)
            size += len(data)
        self._add(sha.digest() if size else b"", size)

    def _add(self, digest: bytes, size: int) -> None:
        self._total = (self._total + int.from_bytes(digest)) % (1 << _BITS)
        self._size += size


def name_of_total(total: str) -> str:
    """Return the name of the corpus whose :attr:`CorpusDigest.total` this is."""
    return hashlib.sha256(b"documents" + bytes.fromhex(total)).hexdigest()[:16]


def sum_of_totals(totals: Iterable[str]) -> str:
    """Return the total of all documents from those of parts of a corpus."""
    return f"{sum(int(total, 16) for total in totals) % (1 << _BITS):0{_BITS // 4}x}"


def _pieces(text: str, size: int = 1 << 16) -> Iterator[str]:
    """Cut a text so that no piece takes long; a surrogate pair stays whole."""
    start = 0
    while start < len(text):
        end = start + size
        if "\ud800" <= text[end - 1 : end] < "\udc00":
            end += 1
        yield text[start:end]
        start = end


def digest(texts: Iterable[str]) -> str:
    """Return 16 hexadecimal digits that name texts in their order."""
    sha = hashlib.sha256()
    for text in texts:
        # Encoded once more for its size: cheaper than the memory for all pieces.
        sha.update(_size(sum(len(utf8(piece)) for piece in _pieces(text))))
        for piece in _pieces(text):
            sha.update(utf8(piece))
    return sha.hexdigest()[:16]


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
