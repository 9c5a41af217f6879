"""Many texts on many cores: what :mod:`.strings` encodes, called once by each thread.

Python only notes where the strings are; what it does for each of them takes a tenth of a
microsecond. Threads share a long text, which is cut between pre-tokens: its UTF-8 is the one that
Python keeps, and the ids of each piece, written in memory that stays in the processor's cache, are
copied behind those of the pieces before it, by whoever has done the last one that was missing.
"""

import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bpe.compiled.compiling import LINKED, by_name
from bpe.compiled.encode.workspace import Workspace, Workspaces, id_room, utf8_of
from bpe.compiled.layout import (
    ALL_DONE,
    NO_ROOM,
    NO_SCRATCH,
    NO_TEXT_ROOM,
    PADDING,
    SPECIAL,
    SURROGATE,
    UNCUT,
    string_layout,
    zeros,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]
    Numbers = npt.NDArray[np.int64]

_PIECE = 1 << 18  # bytes of a text that threads share
_ROOM = 1 << 20  # ids that a thread writes one behind the other
_WORTH_A_THREAD = 1 << 16  # bytes
_TAKEN_AT_ONCE = 64  # texts at the most
_STEPS = 16  # so many times each thread takes texts, or more often

_find_characters = by_name("bpe.compiled.encode.strings.find_characters")
_encode_text = by_name("bpe.compiled.encode.encoding.encode_text")
_encode_units = by_name("bpe.compiled.encode.strings.encode_units")
_copy_room = by_name("bpe.compiled.encode.strings.copy_room")


class MayBeSpecial(Exception):  # noqa: N818  # no error: it says to look again
    """A text has the two bytes that special tokens begin with."""


class Units:
    """Strings as kernels find them; :class:`ValueError` if they cannot.

    ``most`` is how many bytes of UTF-8 they have at the most.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = [text if type(text) is str else str.__str__(text) for text in texts]
        count = len(texts)
        strings = memoryview(array("Q", map(id, self.texts)))
        self.data = array("Q", bytes(8 * count))
        self.kinds, self.lengths = array("q", bytes(8 * count)), array("q", bytes(8 * count))
        columns = memoryview(self.data), memoryview(self.kinds), memoryview(self.lengths)
        layout = string_layout()
        self.most = -1 if layout is None else _find_characters(strings, layout, *columns)
        if self.most < 0:
            raise ValueError("This Python lays out strings in another way.")

    def __len__(self) -> int:
        return len(self.lengths)


class _Share:
    """The part of one thread in all units: its workspace, and the rooms with its ids."""

    def __init__(self, job: "Job", number: int) -> None:
        self.job = job
        self.number = number
        self.rooms: list[tuple[int, memoryview]] = []
        self.reason = ALL_DONE
        self._state = memoryview(array("q", bytes(8 * 6)))
        self._own = [memoryview(array("q", bytes(8 * size))) for size in (1, 1, 3)]

    def encode(self, workspace: Workspace) -> None:
        job, state = self.job, self._state
        units = job.units
        before = job.scanner, int(job.only_counts), job.two, job.step
        arrays = memoryview(units.data), memoryview(units.kinds), memoryview(units.lengths)
        ids = workspace.ids if job.only_counts else self._next_room(0)
        while True:
            text = workspace.utf8 if LINKED else workspace.utf8.toreadonly()
            self.reason = _encode_units(
                *(*before, *arrays, job.counter, workspace.utf8, text, *workspace.fixed),
                *(ids, job.counts, job.places, *self._own, state),
            )
            if self.reason == NO_TEXT_ROOM:
                workspace.make_text_room(state[4])
            elif self.reason == NO_SCRATCH:
                workspace.make_room(state[4])
                ids = workspace.ids if job.only_counts else ids
            elif self.reason == NO_ROOM:
                ids = self._next_room(state[4] + PADDING)
            elif self.reason in (ALL_DONE, SURROGATE, SPECIAL):
                break
        if self.reason != ALL_DONE:
            job.stop()
        workspace.forget_long_words()

    def _next_room(self, least: int) -> memoryview:
        """Return a new room; the first one takes all where one thread does all."""
        size = self.job.units.most + PADDING if self.job.threads == 1 else _ROOM
        room = memoryview(zeros(4 * max(size, least))).cast("B").cast("i")
        number = len(self.rooms) * self.job.threads + self.number
        self.rooms.append((number, room))
        self._state[2], self._state[5] = 0, number
        return room

    def copy(self, starts: Any, target: memoryview) -> None:
        job = self.job
        for number, room in self.rooms:
            _copy_room(number, room, job.counts, job.places, starts, target)


class Job:
    """Some units to encode by some threads; ``counts`` are the ids of each when it has run."""

    def __init__(
        self, workspaces: Workspaces, units: Units, threads: int, two: bytes, only_counts: bool
    ) -> None:
        self.workspaces = workspaces
        self.scanner = workspaces.scanner
        self.units = units
        self.threads = max(1, min(threads, len(units), units.most // _WORTH_A_THREAD))
        self.two = two[0] << 8 | two[1] if two else 0
        self.only_counts = only_counts
        self.step = max(1, min(_TAKEN_AT_ONCE, len(units) // (self.threads * _STEPS)))
        self.counter = memoryview(array("q", (0,)))
        self.counts = memoryview(array("q", bytes(8 * len(units))))
        self.places = memoryview(array("q", bytes(8 * len(units))))
        self.shares = [_Share(self, number) for number in range(self.threads)]

    def run(self) -> None:
        """Encode all units; :class:`MayBeSpecial` or ``UnicodeEncodeError`` where a text cannot."""
        self._do_all(self._encode)
        reasons = {share.reason for share in self.shares}
        if SPECIAL in reasons:
            raise MayBeSpecial
        if SURROGATE in reasons:
            for text in self.units.texts:
                text.encode()  # raises

    def copy(self, starts: Any, target: memoryview) -> None:
        """Copy the ids of all units to where each starts."""
        self._do_all(lambda share: share.copy(starts, target))

    def stop(self) -> None:
        """Have every thread end when it has encoded the units that it has taken."""
        self.counter[0] = len(self.units)

    def _encode(self, share: _Share) -> None:
        workspace = self.workspaces.take()
        workspace.expect(self.units.most // self.threads, self.threads)
        share.encode(workspace)
        self.workspaces.give_back(workspace)

    def _do_all(self, work: Callable[[_Share], None]) -> None:
        _at_once([partial(work, share) for share in self.shares], self.stop)


def _at_once(works: Sequence[Callable[[], None]], stop: Callable[[], None]) -> None:
    """Do all works, each in a thread, the first one in this.

    Where one fails or this is interrupted, all are to ``stop``, and are not waited for.
    """
    errors: list[BaseException] = []

    def do(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
            stop()

    first, *others = works
    threads = [threading.Thread(target=do, args=(work,), daemon=True) for work in others]
    try:
        for thread in threads:
            thread.start()
        first()
        for thread in threads:
            thread.join()
    except BaseException:
        stop()
        raise
    if errors:
        raise errors[0]


class _LongText:
    """A long text whose pieces threads encode, or count where there is no room for ids."""

    def __init__(self, workspaces: Workspaces, text: str, threads: int, only_counts: bool) -> None:
        from bpe.text.cuts import borders_in_utf8  # only here: regex takes long

        self._workspaces = workspaces
        self._data = utf8_of(text)
        size = len(self._data)
        cuts = [0, *borders_in_utf8(self._data, _PIECE, size - PADDING), size]
        self._pieces = list(pairwise(cuts))
        self._waiting = iter(range(len(self._pieces)))
        self._threads = max(1, min(threads, len(self._pieces)))
        self._only_counts = only_counts
        self._ids = id_room(0 if only_counts else size)
        self._early: dict[int, tuple[memoryview, int]] = {}  # pieces before which one is missing
        self._rooms: list[memoryview] = []  # of pieces whose ids were copied
        self._next = self.total = 0  # the piece that is missing, and the ids before it
        self._lock = threading.Lock()

    def run(self) -> "tuple[Ids | None, int]":
        """Return the ids, unless they are only counted, and their number."""
        _at_once([self._encode] * self._threads, self._stop)
        if self._only_counts:
            return None, self.total
        import numpy as np

        return np.frombuffer(self._ids, np.int32, self.total), self.total

    def _stop(self) -> None:
        self._waiting = iter(())

    def _encode(self) -> None:
        workspace = self._workspaces.take()
        workspace.expect(len(self._data) // self._threads, self._threads)
        end, id_end = memoryview(array("q", (0,))), memoryview(array("q", (0,)))
        scanner, only_counts = self._workspaces.scanner, int(self._only_counts)
        most = max(last - first for first, last in self._pieces)
        room = id_room(0 if only_counts else most + PADDING)
        while (piece := next(self._waiting, None)) is not None:
            first, last = self._pieces[piece]
            text = self._data[first : last + PADDING]
            if last == len(self._data):
                text = bytes(text) + bytes(PADDING)
            end[0] = last - first
            progress = memoryview(array("q", (0, 0, 0)))
            while missing := _encode_text(
                *(scanner, only_counts, text, end, *workspace.fixed),
                *(workspace.ids if only_counts else room, id_end, progress),
            ):
                workspace.make_room(missing)
            room = self._put(piece, room, progress[2])
        workspace.forget_long_words()
        self._workspaces.give_back(workspace)

    def _put(self, piece: int, room: memoryview, count: int) -> memoryview:
        """Copy the ids of a piece behind those before it, if none is missing; return free room."""
        with self._lock:
            if self._only_counts:
                self.total += count
                return room
            self._early[piece] = room, count
            while ready := self._early.pop(self._next, None):
                ids, number = ready
                self._ids[self.total : self.total + number] = ids[:number]
                self._rooms.append(ids)
                self.total += number
                self._next += 1
            return self._rooms.pop() if self._rooms else id_room(len(room))


def encode(
    workspaces: Workspaces, texts: Sequence[str], threads: int, *, two: bytes = b""
) -> "tuple[Ids, Numbers]":
    """Return the ids of all texts one behind the other, and where those of each end.

    ``two`` are bytes that special tokens begin with: :class:`MayBeSpecial` if a text has them.
    """
    import numpy as np

    parts = list(_parts(workspaces, texts, threads, two, only_counts=False))
    ids = [part for part, _ in parts]
    ends = np.cumsum(np.concatenate([counts for _, counts in parts]))
    return ids[0] if len(ids) == 1 else np.concatenate(ids), ends


def count(
    workspaces: Workspaces, texts: Sequence[str], threads: int, *, two: bytes = b""
) -> "Numbers":
    """Return how many ids each text has."""
    import numpy as np

    parts = _parts(workspaces, texts, threads, two, only_counts=True)
    return np.concatenate([counts for _, counts in parts])


def _parts(
    workspaces: Workspaces, texts: Sequence[str], threads: int, two: bytes, *, only_counts: bool
) -> "Iterator[tuple[Any, Numbers]]":
    """Yield ids and their numbers: of short texts together, of each long one."""
    import numpy as np

    first = 0
    shared = threads > 1 and workspaces.scanner != UNCUT
    for number, text in enumerate(texts):
        if shared and len(text) > 2 * _PIECE:
            if first < number:
                yield _of_short(workspaces, texts[first:number], threads, two, only_counts)
            if two and two in bytes(utf8_of(text)):
                raise MayBeSpecial
            ids, counted = _LongText(workspaces, text, threads, only_counts).run()
            yield ids, np.array([counted])
            first = number + 1
    if first < len(texts):
        yield _of_short(workspaces, texts[first:], threads, two, only_counts)


def _of_short(
    workspaces: Workspaces, texts: Sequence[str], threads: int, two: bytes, only_counts: bool
) -> "tuple[Any, Numbers]":
    import numpy as np

    job = Job(workspaces, Units(texts), threads, two, only_counts)
    job.run()
    counts = np.asarray(job.counts)
    if only_counts:
        return None, counts
    total = int(counts.sum())
    if job.threads == 1:
        ((_, room),) = job.shares[0].rooms
        # A small part of its room is copied, so that the rest does not stay with it.
        ids = np.frombuffer(room, np.int32, total)
        return ids if 2 * total > len(room) or len(room) > _ROOM else ids.copy(), counts
    target = memoryview(zeros(4 * total)).cast("B").cast("i") if total else memoryview(b"")
    job.copy(memoryview(np.cumsum(counts) - counts), target)
    return np.frombuffer(target, np.int32), counts
