"""Many texts on many cores: what :mod:`.strings` encodes, called once by each thread.

Python only notes where the strings are; what it does for each of them takes a tenth of a
microsecond. A long text is cut between pre-tokens, so that threads share it.
"""

import threading
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from bpe.compiled.compiling import LINKED, by_name
from bpe.compiled.encode.workspace import Workspace, Workspaces
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

_PIECE = 1 << 18  # characters of a text that threads share
_ROOM = 1 << 20  # ids that a thread writes one behind the other
_WORTH_A_THREAD = 1 << 16  # bytes
_TAKEN_AT_ONCE = 64  # texts at the most
_STEPS = 16  # so many times each thread takes texts, or more often

_find_characters = by_name("bpe.compiled.encode.strings.find_characters")
_encode_units = by_name("bpe.compiled.encode.strings.encode_units")
_copy_room = by_name("bpe.compiled.encode.strings.copy_room")


class MayBeSpecial(Exception):  # noqa: N818  # no error: it says to look again
    """A text has the two bytes that special tokens begin with."""


class Units:
    """Strings and parts of strings, as kernels find them; :class:`ValueError` if they cannot.

    ``most`` is how many bytes of UTF-8 they have at the most, ``ends`` after how many units each
    text ends, where texts are cut.
    """

    def __init__(self, texts: Sequence[str], *, piece: int | None) -> None:
        self.texts = [text if type(text) is str else str.__str__(text) for text in texts]
        count = len(texts)
        strings = memoryview(array("Q", map(id, self.texts)))
        self.data = array("Q", bytes(8 * count))
        self.kinds, self.lengths = array("q", bytes(8 * count)), array("q", bytes(8 * count))
        found = memoryview(self.data), memoryview(self.kinds), memoryview(self.lengths)
        layout = string_layout()
        self.most = -1 if layout is None else _find_characters(strings, layout, *found)
        self.ends: list[int] | None = None
        if self.most < 0:
            raise ValueError("This Python lays out strings in another way.")
        if piece is not None and max(self.lengths) > 2 * piece:
            self._cut(piece)

    def __len__(self) -> int:
        return len(self.lengths)

    def _cut(self, piece: int) -> None:
        from bpe.text.cuts import borders  # only here: regex takes long

        data, kinds, lengths = array("Q"), array("q"), array("q")
        self.ends = []
        for index, length in enumerate(self.lengths):
            cuts = borders(self.texts[index], piece) if length > 2 * piece else ()
            start, kind = 0, self.kinds[index]
            for end in (*cuts, length):
                data.append(self.data[index] + start * max(kind, 1))
                kinds.append(kind)
                lengths.append(end - start)
                start = end
            self.ends.append(len(lengths))
        self.data, self.kinds, self.lengths = data, kinds, lengths


class _Share:
    """What one thread does of all units: its workspace, and the rooms with its ids."""

    def __init__(self, job: "Job", number: int) -> None:
        self.job = job
        self.number = number
        self.rooms: list[tuple[int, memoryview]] = []
        self.reason = ALL_DONE
        self.error: BaseException | None = None
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
        self,
        workspaces: Workspaces,
        units: Units,
        threads: int,
        two: bytes,
        only_counts: bool,
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
        self._on_threads(self._encode)
        reasons = {share.reason for share in self.shares}
        if SPECIAL in reasons:
            raise MayBeSpecial
        if SURROGATE in reasons:
            for text in self.units.texts:
                text.encode()  # raises
        for share in self.shares:
            if share.error is not None:
                raise share.error

    def copy(self, starts: Any, target: memoryview) -> None:
        """Copy the ids of all units to where each starts."""
        self._on_threads(lambda share: share.copy(starts, target))

    def stop(self) -> None:
        """Have every thread end when it has encoded the units that it has taken."""
        self.counter[0] = len(self.units)

    def _encode(self, share: _Share) -> None:
        workspace = self.workspaces.take()
        workspace.expect(self.units.most // self.threads, self.threads)
        share.encode(workspace)
        self.workspaces.give_back(workspace)

    def _on_threads(self, work: Callable[[_Share], None]) -> None:
        """Do the work of each share, the first one in this thread.

        Where it is interrupted, the others are not waited for.
        """

        def do(share: _Share) -> None:
            try:
                work(share)
            except BaseException as error:
                share.error = error
                self.stop()

        first, *others = self.shares
        threads = [threading.Thread(target=do, args=(share,), daemon=True) for share in others]
        try:
            for thread in threads:
                thread.start()
            work(first)
            for thread in threads:
                thread.join()
        except BaseException:
            self.stop()
            raise


def encode(
    workspaces: Workspaces, texts: Sequence[str], threads: int, *, two: bytes = b""
) -> "tuple[Ids, Numbers]":
    """Return the ids of all texts one behind the other, and where those of each end.

    ``two`` are bytes that special tokens begin with: :class:`MayBeSpecial` if a text has them.
    """
    import numpy as np

    job = _job(workspaces, texts, threads, two, only_counts=False)
    ends = np.cumsum(np.asarray(job.counts))
    total = int(ends[-1])
    if job.threads == 1:
        ((_, room),) = job.shares[0].rooms
        # A small part of its room is copied, so that the rest does not stay with it.
        ids = np.frombuffer(room, np.int32, total)
        ids = ids if 2 * total > len(room) or len(room) > _ROOM else ids.copy()
    else:
        target = memoryview(zeros(4 * total)).cast("B").cast("i") if total else memoryview(b"")
        starts = ends - np.asarray(job.counts)
        job.copy(memoryview(starts), target)
        ids = np.frombuffer(target, np.int32)
    return ids, ends if job.units.ends is None else ends[np.asarray(job.units.ends) - 1]


def count(
    workspaces: Workspaces, texts: Sequence[str], threads: int, *, two: bytes = b""
) -> "Numbers":
    """Return how many ids each text has."""
    import numpy as np

    job = _job(workspaces, texts, threads, two, only_counts=True)
    counts = np.asarray(job.counts)
    if job.units.ends is None:
        return counts
    return np.add.reduceat(counts, [0, *job.units.ends[:-1]])


def _job(
    workspaces: Workspaces,
    texts: Sequence[str],
    threads: int,
    two: bytes,
    *,
    only_counts: bool,
) -> Job:
    piece = _PIECE if threads > 1 and workspaces.scanner != UNCUT else None
    job = Job(workspaces, Units(texts, piece=piece), threads, two, only_counts)
    job.run()
    return job
