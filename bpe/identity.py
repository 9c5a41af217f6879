"""The name of a corpus, taken while it is read."""

import hashlib
from collections.abc import Iterable

from bpe.encoder import scalar_text


class CorpusDigest:
    """16 hexadecimal digits that name a corpus: same texts in the same order, same name.

    Each text goes in with its length, so that ``["ab"]`` and ``["a", "b"]`` differ.
    """

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def add(self, text: str) -> int:
        """Take in the next text; return its number of UTF-8 bytes."""
        data = scalar_text(text).encode()
        self._sha.update(len(data).to_bytes(8, "big"))
        self._sha.update(data)
        return len(data)

    def __str__(self) -> str:
        return self._sha.hexdigest()[:16]


def digest(texts: Iterable[str]) -> str:
    """Return the name of a corpus that is at hand."""
    name = CorpusDigest()
    for text in texts:
        name.add(text)
    return str(name)
