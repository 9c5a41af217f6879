"""Many texts on many cores: what :mod:`.strings` encodes, a block of them at a time.

Python only notes where the strings are; what it does for each of them takes a tenth of a
microsecond. A long text is cut between pre-tokens, so that threads share it. Kernels take the
blocks in order, without the GIL; the ids of each, written in memory that stays in the processor's
cache, are copied behind those of the blocks before as soon as these are encoded::

    units      0 1 2 3 | 4 5 6 | 7 8 ...          strings, or parts of one
    blocks     0       | 1     | 2                taken by threads
    ids        of 0    | of 1  | of 2             in one array
"""

import _thread
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bpe.compiled.compiling import LINKED, by_name, packed
from bpe.compiled.encode.workspace import Workspaces, holds_any
from bpe.compiled.layout import (
    ALL_DONE,
    BASE,
    MISSING,
    NO_ID_ROOM,
    NO_SCRATCH,
    NO_TEXT_ROOM,
    PADDING,
    PAUSED,
    SEARCHED,
    SPECIAL,
    STATE,
    STOPS,
    SURROGATE,
    TOTAL,
    UNCUT,
    UNFINISHED,
    UNIT,
    keeps_utf8,
    string_layout,
    utf8_memory,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.int64]

_LEAST_BLOCK, _MOST_BLOCK = 1 << 16, 1 << 19  # bytes of UTF-8 that a thread takes at once
_BLOCKS = 8  # so many of them are there for each thread, if they get large enough
_AHEAD = 2  # blocks whose ids a thread has room for, besides the one that it encodes
_MOST_WAITING = 16  # blocks whose ids may wait there for their place
_PAUSE = 5e-5  # seconds that a thread sleeps whose ids wait
_SPARE = 16  # a share of the ids that are expected
_FEW = 4  # threads that wait for the UTF-8 of a long text, which Python makes faster, and keeps

_find_characters = by_name("bpe.compiled.encode.strings.find_characters")
_encode_blocks = by_name("bpe.compiled.encode.strings.encode_blocks")
_next_border = by_name("bpe.compiled.encode.strings.next_border")


class IsSpecial(Exception):  # noqa: N818  # no error: it says to cut the texts first
    """A text holds a special token."""


class Units:
    """Strings, or parts of long ones, as kernels find them; :class:`ValueError` if they cannot.

    :class:`IsSpecial` if one of ``tokens`` stands where a long one is cut.

    ``first`` is the first unit of each text, ``bounds`` how many bytes of UTF-8 each unit has at
    the most, and ``block`` how many are to be taken at once.
    """

    def __init__(
        self, texts: Sequence[str], threads: int, workspaces: Workspaces, tokens: tuple[bytes, ...]
    ) -> None:
        import numpy as np

        self._workspaces, self._tokens, self._threads = workspaces, tokens, threads
        self.texts = [text if type(text) is str else str.__str__(text) for text in texts]
        count = len(texts)
        data, kinds, lengths = np.zeros((3, count), np.int64)
        columns = data.view(np.uint64).data, kinds.data, lengths.data
        layout = string_layout()
        strings = memoryview(array("Q", map(id, self.texts)))
        if layout is None or not _find_characters(strings, layout, *columns):
            raise ValueError("This Python lays out strings in another way.")
        self.first = np.arange(count)
        size = int(_bounds(kinds, lengths).sum())
        self.block = min(max(size // (threads * _BLOCKS), _LEAST_BLOCK), _MOST_BLOCK)
        long = np.flatnonzero(lengths > 2 * self.block).tolist()
        if long:
            parts = np.ones(count, np.int64)
            cuts = {}
            for number in long:
                cuts[number] = self._cut(number, data, kinds, lengths)
                parts[number] = len(cuts[number])
            self.first = np.cumsum(parts) - parts
            data, kinds, lengths = (np.repeat(each, parts) for each in (data, kinds, lengths))
            for number, starts in cuts.items():
                units = slice(self.first[number], self.first[number] + len(starts))
                lengths[units] = np.diff(starts, append=lengths[units][:1])
                data[units] += np.array(starts) * np.maximum(kinds[units], 1)
        self.bounds = _bounds(kinds, lengths)
        self.columns = data.view(np.uint64).data, kinds.data, lengths.data, self.bounds.data

    def _cut(self, number: int, data: "Numbers", kinds: "Numbers", lengths: "Numbers") -> list[int]:
        """Return where the parts of a long text begin: of its UTF-8, if Python keeps that."""
        import numpy as np

        from bpe.text import cuts  # only here: regex takes long

        text, has_pattern = self.texts[number], self._workspaces.scanner != UNCUT
        if has_pattern and self._threads > _FEW and not keeps_utf8(text):
            characters = self.block * int(lengths[number]) // int(_bounds(kinds, lengths)[number])
            return [0, *self._outside_tokens(text, cuts.borders(text, characters))]
        utf8 = utf8_memory(text)
        data[number] = np.frombuffer(utf8, np.uint8).ctypes.data
        kinds[number], lengths[number] = 0, len(utf8)
        borders = cuts.borders_in_utf8(utf8, self.block) if has_pattern else self._borders(utf8)
        return [0, *self._outside_tokens(utf8, borders)]

    def _outside_tokens(self, text: str | memoryview, borders: Iterable[int]) -> Iterator[int]:
        """Yield the borders; :class:`IsSpecial` if a token stands around one of them."""
        longest = max(map(len, self._tokens), default=0)
        for border in borders:
            near = text[max(0, border - longest) : border + longest]
            around = near.encode("utf-8", "replace") if isinstance(near, str) else bytes(near)
            if any(token in around for token in self._tokens):
                raise IsSpecial
            yield border

    def _borders(self, utf8: memoryview) -> Iterator[int]:
        """Yield where no token reaches across, each time a block further."""
        workspace = self._workspaces.take()
        place, end = self.block, len(utf8) - PADDING
        while place < end:
            while utf8[place] & 0xC0 == 0x80:  # inside a character
                place += 1
            place = _next_border(utf8, place, end, *workspace.fixed)
            if place < end:
                yield place
            place += self.block
        self._workspaces.give_back(workspace)

    def __len__(self) -> int:
        return len(self.bounds)


def _bounds(kinds: "Numbers", lengths: "Numbers") -> "Numbers":
    import numpy as np

    return np.array([1, 2, 3, 0, 4])[kinds] * lengths


class _Job:
    """Texts to encode by some threads, or to count."""

    def __init__(
        self,
        workspaces: Workspaces,
        texts: Sequence[str],
        threads: int,
        tokens: tuple[bytes, ...],
        counts: bool,
    ) -> None:
        import numpy as np

        self._workspaces = workspaces
        self._units = units = Units(texts, threads, workspaces, tokens)
        self._tokens = tokens
        self._only_counts = counts
        self.counts = np.zeros(len(units), np.int64)
        ends = np.cumsum(units.bounds)
        self._size = most = int(ends[-1])
        first = [0]
        if self._size > units.block:
            inner = np.searchsorted(ends, np.arange(units.block, self._size, units.block))
            first = np.unique([0, *inner]).tolist()
        self._blocks = np.array([*first, len(units)])
        self._ends = ends[self._blocks[1:] - 1]  # of blocks, in bytes at the most
        if len(first) > 1:
            most = int(np.diff(self._ends, prepend=0).max())
        self._sizes = np.zeros(len(self._ends), np.int64)
        most += PADDING
        self._room = most + _AHEAD * units.block
        self._shared = memoryview(array("q", (0, 0, most)))
        job = self._blocks.data, self._shared, self._sizes.data, *units.columns, self.counts.data
        self._same_for_all = packed(*job)
        self._threads = max(1, min(threads, len(self._ends)))
        room = 0 if counts else self._expected(0, 0)
        self._segments: list[tuple[int, Ids]] = [(0, np.empty(room, np.int32))]
        self._lock = threading.Lock()
        self._reasons: set[int] = set()

    def run(self) -> None:
        """Encode all; :class:`IsSpecial` or ``UnicodeEncodeError`` where a text cannot be."""
        _at_once(self._encode, self._threads, self._stop)
        if SPECIAL in self._reasons:
            raise IsSpecial
        if SURROGATE in self._reasons:
            for text in self._units.texts:
                text.encode()  # raises

    def of_texts(self) -> "Numbers":
        """Return how many ids each text has."""
        import numpy as np

        return np.add.reduceat(self.counts, self._units.first)

    def ids(self) -> "Ids":
        """Return the ids of all."""
        import numpy as np

        total = int(self.counts.sum())
        self._workspaces.ids_of_a_byte = total / max(self._size, 1)
        borders = [*(base for base, _ in self._segments[1:]), total]
        parts = [
            ids[: end - base]
            for (base, ids), end in zip(self._segments, borders, strict=True)
            if end > base
        ]
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int32), *parts])

    def _stop(self) -> None:
        """Have every thread end when it has encoded the block that it has taken."""
        self._shared[STOPS] = 1

    def _encode(self) -> None:
        workspace = self._workspaces.take()
        workspace.expect(self._size // self._threads, self._threads)
        room = memoryview(b"") if self._only_counts else workspace.room_for(self._room)
        two = self._tokens[0][0] << 8 | self._tokens[0][1] if self._tokens else 0
        target = self._segments[0][1]
        state = memoryview(array("q", bytes(8 * STATE)))
        own = [memoryview(array("q", bytes(8 * size))) for size in (1, 1, 3, _MOST_WAITING)]
        while True:
            text = workspace.utf8 if LINKED else workspace.utf8.toreadonly()
            reason = _encode_blocks(
                *(self._workspaces.scanner, int(self._only_counts), two, *self._same_for_all),
                *(workspace.utf8, text, *workspace.fixed),
                *(workspace.ids if self._only_counts else room, target.data, *own, state),
            )
            if reason == NO_TEXT_ROOM:
                workspace.make_text_room(state[MISSING])
            elif reason == NO_SCRATCH:
                workspace.make_room(state[MISSING])
            elif reason == NO_ID_ROOM:
                state[BASE], target = self._segment(state[TOTAL], target)
            elif reason == UNFINISHED:
                time.sleep(_PAUSE)
            elif reason == SPECIAL and not holds_any(text[: state[MISSING]], self._tokens):
                state[SEARCHED] = state[UNIT] + 1
            elif reason != PAUSED:
                break
        if reason != ALL_DONE:
            self._reasons.add(reason)
            self._stop()
        workspace.forget_long_words()
        self._workspaces.give_back(workspace)

    def _segment(self, place: int, full: "Ids") -> "tuple[int, Ids]":
        """Return where the ids of a block belong, which begins behind so many others."""
        import numpy as np

        with self._lock:
            base, ids = next(each for each in reversed(self._segments) if each[0] <= place)
            if ids is full:
                encoded = np.flatnonzero(self._sizes == 0)[:1]
                done = int(encoded[0]) if len(encoded) else len(self._sizes)
                totals = np.cumsum(self._sizes[:done] - 1)
                first = int(np.searchsorted(totals, base + len(ids), "right"))
                base = int(totals[first - 1]) if first else 0
                total = int(totals[-1])
                more = self._expected(total, int(self._ends[done - 1]))
                ids = np.empty(total - base + more, np.int32)
                self._segments.append((base, ids))
        return base, ids

    def _expected(self, ids: int, size: int) -> int:
        """Return how many ids may follow those of so many bytes.

        That is, if there are as many in a byte as in these, or in the texts before. There is hardly
        more room than that, as memory of 32 MB and less is used again when it was freed: to get as
        much from the system can take longer than encoding.
        """
        rate = max(ids / max(size, 1), self._workspaces.ids_of_a_byte)
        expected = int(rate * (self._size - size))
        return expected + expected // _SPARE


def _at_once(work: Callable[[], None], threads: int, stop: Callable[[], None]) -> None:
    """Do a work in so many threads, this one of them.

    Where one fails or this is interrupted, all are to ``stop``, and are not waited for.
    """
    errors: list[BaseException] = []
    ended = threading.Semaphore(0)

    def do() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
            stop()
        finally:
            ended.release()

    try:
        for _ in range(threads - 1):
            _thread.start_new_thread(do, ())  # a Thread would wait for each until it runs
        work()
        for _ in range(threads - 1):
            ended.acquire()
    except BaseException:
        stop()
        raise
    if errors:
        raise errors[0]


def encode(
    workspaces: Workspaces, texts: Sequence[str], threads: int, *, tokens: tuple[bytes, ...] = ()
) -> "tuple[Ids, Numbers]":
    """Return the ids of all texts one behind the other, and where those of each end.

    Where a text holds one of ``tokens``, which begin with the same two bytes: :class:`IsSpecial`.
    """
    import numpy as np

    job = _Job(workspaces, texts, threads, tokens, counts=False)
    job.run()
    return job.ids(), np.cumsum(job.of_texts())


def count(
    workspaces: Workspaces, texts: Sequence[str], threads: int, *, tokens: tuple[bytes, ...] = ()
) -> "Numbers":
    """Return how many ids each text has."""
    job = _Job(workspaces, texts, threads, tokens, counts=True)
    job.run()
    return job.of_texts()
