"""Count the pre-tokens of a corpus with compiled scanners, on all cores, in a stream.

The corpus is cut into chunks at borders where every pattern cuts whatever stands around. Each
thread takes the next chunk and counts it into a table of its own; at the end the tables are joined
chunk by chunk, so that the order is that of first occurrence.
"""

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import regex

from bpe import pretokenize
from bpe.encoder import scalar_text
from bpe.kernels import word_table
from bpe.kernels.scanner import PADDING, SCANNERS
from bpe.kernels.unicode_classes import class_table
from bpe.kernels.word_counts import WordCounts
from bpe.kernels.word_table import WordTable, empty_table
from bpe.specials import split_specials

CHUNK_CHARACTERS = 1 << 18
_THREADS = min(os.cpu_count() or 1, 8)

# A letter or number before a blank or a line break; or a single line break before a character
# that is neither white space nor a slash (which o200k appends to line breaks).
_SAFE_BORDER = regex.compile(r"(?<=[\p{L}\p{N}])(?=[ \n])|(?<=\S\n)(?=[^\s/])")

Chunk = list[bytes]  # documents, or parts of one that were cut at safe borders


def count_words(
    texts: Iterable[str],
    pattern: str,
    *,
    special_tokens: Collection[str] = (),
    normalisation: str = "none",
) -> WordCounts:
    """Return what :func:`bpe.pretokenize.count_words` returns, order included.

    ``texts`` is read once and in order, a chunk ahead of each thread, so that a corpus larger than
    memory can be streamed. A pattern without a compiled scanner is counted by ``regex``.
    """
    if pattern not in SCANNERS:
        return WordCounts.of(
            pretokenize.count_words(
                texts, pattern, special_tokens=special_tokens, normalisation=normalisation
            )
        )
    parts = _parts(texts, special_tokens, normalisation)
    counters = _count(_Chunks(chunks(parts)), SCANNERS[pattern])
    return _join(counters).word_counts()


def stream(path: Path, *, encoding: str = "utf-8") -> Iterator[str]:
    """Yield a text file in pieces that can be counted as if they were documents.

    Joined they are the text. Bytes that do not decode become U+FFFD.
    """
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        rest = ""
        while block := file.read(CHUNK_CHARACTERS):
            *pieces, rest = cut_safely(rest + block, CHUNK_CHARACTERS // 2)
            yield from pieces
        if rest:
            yield rest


def cut_safely(text: str, size: int = CHUNK_CHARACTERS) -> Iterator[str]:
    """Cut ``text`` into pieces of ``size`` characters or a little more, at safe borders only.

    Where there is no such border a piece is longer.
    """
    at = 0
    while len(text) - at > size:
        border = _SAFE_BORDER.search(text, at + size)
        if border is None:
            break
        yield text[at : border.start()]
        at = border.start()
    yield text[at:] if at else text


def utf8(text: str) -> bytes:
    """Return the UTF-8 of ``text``, lone surrogates replaced."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return scalar_text(text).encode()


def _parts(
    texts: Iterable[str], special_tokens: Collection[str], normalisation: str
) -> Iterator[str]:
    """Yield what is left of the texts when special tokens are cut out, normalised."""
    if not special_tokens and normalisation == "none":
        yield from texts
        return
    normalise: Callable[[str], str] = pretokenize.normaliser(normalisation)
    for text in texts:
        for part, special in split_specials(scalar_text(text), special_tokens):
            if not special:
                yield normalise(part)


def chunks(parts: Iterable[str]) -> Iterator[Chunk]:
    """Cut long texts and gather short ones, to about :data:`CHUNK_CHARACTERS` each."""
    chunk: Chunk = []
    size = 0
    for part in parts:
        for piece in cut_safely(part):
            chunk.append(utf8(piece))
            size += len(piece)
            if size >= CHUNK_CHARACTERS:
                yield chunk
                chunk, size = [], 0
    if chunk:
        yield chunk


class _Chunks:
    """Numbered chunks that several threads take turns to read."""

    def __init__(self, source: Iterator[Chunk]) -> None:
        self._source = enumerate(source)
        self._lock = threading.Lock()

    def take(self) -> tuple[int, Chunk] | None:
        """Return the next chunk and its number, or ``None`` after the last one."""
        with self._lock:
            return next(self._source, None)


class _Counter:
    """A growing table, and how many words it had after each chunk."""

    def __init__(self, words: int = 1 << 12, pool: int = 1 << 15) -> None:
        self.table = empty_table(words, pool)
        self.progress = np.zeros(3, np.int64)
        self.words_after: dict[int, int] = {}

    def count(self, chunk: Chunk, scanner: int) -> None:
        """Count the documents of a chunk."""
        text = np.frombuffer(b"".join([*chunk, bytes(PADDING)]), np.uint8)
        ends = np.cumsum(np.fromiter(map(len, chunk), np.int64, len(chunk)))
        self.progress[:2] = 0
        classes = class_table()
        while not word_table.count_text(scanner, text, ends, classes, self.table, self.progress):
            self._grow(int(ends[-1] - self.progress[1]))

    def add(self, source: WordTable, first: int, last: int) -> None:
        """Add the words ``first`` to ``last`` of another table."""
        while (
            first := word_table.add_words(source, first, last, self.table, self.progress)
        ) < last:
            self._grow(int(source.offsets[last] - source.offsets[first]))

    def _grow(self, bytes_to_come: int) -> None:
        """Double what is full; a longer word than the pool has room for needs more."""
        words = int(self.progress[2])
        used = int(self.table.offsets[words])
        room, pool = len(self.table.counts), len(self.table.pool) - PADDING
        if words == room:
            room *= 2
        else:
            pool = max(2 * pool, min(used + bytes_to_come, 4 * pool))
        grown = empty_table(room, pool)
        word_table.enter_words(self.table, words, grown)
        self.table = grown

    def word_counts(self) -> WordCounts:
        """Return the words counted."""
        words = int(self.progress[2])
        table = self.table
        return WordCounts(
            table.pool[: table.offsets[words]], table.offsets[: words + 1], table.counts[:words]
        )


def _count(source: _Chunks, scanner: int) -> list[_Counter]:
    """Count all chunks; return a counter per thread that had something to do."""

    def work(chunk: tuple[int, Chunk] | None) -> _Counter:
        counter = _Counter()
        while chunk is not None:
            counter.count(chunk[1], scanner)
            counter.words_after[chunk[0]] = int(counter.progress[2])
            chunk = source.take()
        return counter

    first = [chunk for _ in range(_THREADS) if (chunk := source.take()) is not None]
    if len(first) <= 1:
        return [work(chunk) for chunk in first] or [_Counter()]
    with ThreadPoolExecutor(len(first)) as pool:
        return list(pool.map(work, first))


def _join(counters: list[_Counter]) -> _Counter:
    """Return one counter with the words of all, in the order of first occurrence."""
    if len(counters) == 1:
        return counters[0]
    order = sorted((chunk, who) for who, each in enumerate(counters) for chunk in each.words_after)
    joined = _Counter(
        max(len(each.table.counts) for each in counters),
        max(len(each.table.pool) for each in counters),
    )
    added = [0] * len(counters)
    for chunk, who in order:
        last = counters[who].words_after[chunk]
        joined.add(counters[who].table, added[who], last)
        added[who] = last
    return joined
