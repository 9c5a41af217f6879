"""Count the pre-tokens of a corpus with compiled scanners, on all cores, in a stream.

The corpus is cut into chunks at borders where every pattern cuts whatever stands around. Each
thread takes the next chunk and counts it into a table of its own; at the end the tables are joined
chunk by chunk, so that the order is that of first occurrence. The caller's thread meanwhile tells
how far they are, and stops them when it is itself stopped.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe.algorithm.counts import WordCounts
from bpe.compiled import word_table
from bpe.compiled.characters import no_borders
from bpe.compiled.layout import PADDING, SCANNERS
from bpe.compiled.unicode_classes import class_table
from bpe.compiled.word_table import WordTable, empty_table, pool_of
from bpe.limits import num_threads
from bpe.progress import OnProgress, Progress
from bpe.text import cuts, pretokenize
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text, utf8_of_all

CHUNK_CHARACTERS = 1 << 18
_TELL_SECONDS = 0.03
_PRE_TOKENS_AT_ONCE = 256
_WORDS_AT_ONCE = 10_000  # moved into a larger table in some 10 ms, its new pages included

Chunk = list[bytes]  # documents, or parts of one that were cut at safe borders


def count_words(
    texts: Iterable[str],
    pattern: str,
    *,
    special_tokens: Collection[str] = (),
    normalisation: str = "none",
    on_progress: OnProgress | None = None,
    threads: int | None = None,
) -> WordCounts:
    """Return what :func:`bpe.text.pretokenize.count_words` returns, order included.

    ``texts`` is read once and in order, a chunk ahead of each thread, so that a corpus larger than
    memory can be streamed. ``on_progress`` is called with how many characters are counted; what it
    raises stops the threads. There are as many of these as :func:`bpe.limits.num_threads` says. A
    pattern without a compiled scanner is counted by ``regex``.
    """
    tell = on_progress or (lambda progress: None)
    if pattern not in SCANNERS:
        rules: Any = {"special_tokens": special_tokens, "normalisation": normalisation}
        return WordCounts.of(pretokenize.count_words(texts, pattern, on_progress=tell, **rules))
    if special_tokens or normalisation != "none":
        normalise = pretokenize.normaliser(normalisation)
        cut = (split_specials(scalar_text(text), special_tokens) for text in texts)
        texts = (normalise(part) for parts in cut for part, special in parts if not special)
    counters = _count(gathered(texts), SCANNERS[pattern], tell, num_threads(threads))
    return _join(counters, tell).word_counts()


def gathered(parts: Iterable[str]) -> Iterator[tuple[Chunk, int]]:
    """Cut long texts and gather short ones, to about :data:`CHUNK_CHARACTERS` each.

    Yield each chunk with its number of characters.
    """
    chunk: list[str] = []
    size = 0
    for part in parts:
        is_long = len(part) > CHUNK_CHARACTERS
        for piece in cuts.chunks(part, CHUNK_CHARACTERS) if is_long else (part,):
            chunk.append(piece)
            size += len(piece)
            if size >= CHUNK_CHARACTERS:
                yield utf8_of_all(chunk), size
                chunk, size = [], 0
    if chunk:
        yield utf8_of_all(chunk), size


class _Counter:
    """A growing table, and how many words it had after each chunk.

    ``breathe`` is called now and then while the table grows.
    """

    def __init__(
        self,
        words: int = 1 << 12,
        pool: int = 1 << 15,
        breathe: Callable[[], object] = lambda: None,
    ) -> None:
        self.breathe = breathe
        self.table = empty_table(words, pool)
        self.progress = np.zeros(3, np.int64)
        self._pre_tokens = np.empty(_PRE_TOKENS_AT_ONCE, np.int64)
        self._hashes = np.empty(2 * _PRE_TOKENS_AT_ONCE, np.uint64)
        self.words_after: dict[int, int] = {}

    def count(self, chunk: Chunk, scanner: int) -> None:
        text = np.frombuffer(b"".join([*chunk, bytes(PADDING)]), np.uint8)
        ends = np.cumsum(np.fromiter(map(len, chunk), np.int64, len(chunk)))
        self.progress[:2] = 0
        uncut = no_borders(), np.zeros(1, np.int64)
        fixed = text, ends, class_table(), *uncut, self._pre_tokens, self._hashes
        while not word_table.count_text(scanner, *fixed, self.table, self.progress):
            self._grow(int(ends[-1] - self.progress[1]))

    def add(self, source: WordTable, first: int, last: int) -> None:
        """Add the words ``first`` to ``last`` of another table."""
        pool = pool_of(source)
        while (
            first := word_table.add_words(
                source, pool, first, last, self._hashes, self.table, self.progress
            )
        ) < last:
            self._grow(int(source.offsets[last] - source.offsets[first]))

    def _grow(self, bytes_to_come: int) -> None:
        """Double what is full; a longer word than the pool has room for needs more.

        New slots are filled in place, from the words, once the old ones are gone.
        """
        words, table = int(self.progress[2]), self.table
        room, pool = len(table.counts), len(table.pool) - PADDING
        if words < room:
            used = int(table.offsets[words])
            pool = max(2 * pool, min(used + bytes_to_come, 4 * pool))
            self.table = table._replace(pool=longer(table.pool, pool + PADDING))
            return
        self.free_slots()
        offsets, counts = longer(table.offsets, 2 * room + 1), longer(table.counts, 2 * room)
        del table
        slots = np.zeros(4 * len(counts), np.uint64)
        self.table = table = WordTable(slots, offsets, self.table.pool, counts)
        self.progress[2] = 0
        text = pool_of(table)
        for first in range(0, words, _WORDS_AT_ONCE):
            last = min(words, first + _WORDS_AT_ONCE)
            word_table.add_words(table, text, first, last, self._hashes, table, self.progress)
            self.breathe()

    def free_slots(self) -> None:
        """Free the part of the table that only finds words."""
        self.table = self.table._replace(slots=np.empty(0, np.uint64))

    def word_counts(self) -> WordCounts:
        words = int(self.progress[2])
        table = self.table
        return WordCounts(
            table.pool[: table.offsets[words]], table.offsets[: words + 1], table.counts[:words]
        )


def longer(array: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    longer = np.empty(length, array.dtype)
    longer[: len(array)] = array
    return longer


def _count(
    chunks: Iterator[tuple[Chunk, int]], scanner: int, tell: OnProgress, threads: int
) -> list[_Counter]:
    """Count all chunks; return a counter per thread that had something to do."""
    numbered, lock = enumerate(chunks), threading.Lock()
    counted, stopped = 0, False

    def work() -> _Counter:
        nonlocal counted
        counter = _Counter()
        while not stopped:
            with lock:
                number, (chunk, characters) = next(numbered, (0, ([], 0)))
            if not chunk:
                break
            counter.count(chunk, scanner)
            counter.words_after[number] = int(counter.progress[2])
            with lock:
                counted += characters
        return counter

    with ThreadPoolExecutor(threads) as pool:
        counting = [pool.submit(work) for _ in range(threads)]
        try:
            while wait(counting, _TELL_SECONDS, FIRST_EXCEPTION).not_done:
                if any(each.done() and each.exception() for each in counting):
                    break
                tell(Progress("counting", counted, None))
            return [counter for each in counting if (counter := each.result()).words_after]
        finally:
            stopped = True  # whatever stops this thread stops the others at their next chunk


def _join(counters: list[_Counter], tell: OnProgress) -> _Counter:
    """Return one counter with the words of all, in the order of first occurrence."""
    if len(counters) <= 1:
        return counters[0] if counters else _Counter()
    for each in counters:
        each.free_slots()
    added = [0] * len(counters)
    total = sum(int(each.progress[2]) for each in counters)

    def breathe() -> None:
        tell(Progress("joining", sum(added), total))

    joined = _Counter(
        1 << (total - 1).bit_length(), max(len(each.table.pool) for each in counters), breathe
    )
    order = sorted((chunk, who) for who, each in enumerate(counters) for chunk in each.words_after)
    for chunk, who in order:
        last = counters[who].words_after[chunk]
        joined.add(counters[who].table, added[who], last)
        added[who] = last
        breathe()
    return joined
