"""Text to ids by the compiled loop, which is in :mod:`bpe.compiled.encode.encoding`, drawn there.

Importing this takes a millisecond, as neither NumPy nor Numba is imported: what a fresh process
waits for before it encodes. How the tables are made is in :mod:`.encoder`. Special tokens are the
business of :mod:`bpe.encoders`: here every text is ordinary text, and scalar.
"""

import os
import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bpe.compiled.compiling import LINKED, by_name, packed, prepared
from bpe.compiled.conventions import PADDING, SCANNERS, UNCUT, USUAL_WORD
from bpe.compiled.encode.layout import (
    FEW_SETS,
    MANY_SETS,
    batch_memory,
    cache_memory,
    scratch_memory,
    utf8_memory,
    zeros,
)
from bpe.limits import available_memory, require_memory

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ids = npt.NDArray[np.int32]

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

Utf8: TypeAlias = bytes | memoryview

Splitter = Callable[[str], Iterable[str]]
"""From a text to its pre-tokens; joined they are the text."""

SAFE_IN_BYTES = re.compile(rb"[0-9A-Za-z](?=[ \n])")
"""Where every pattern cuts, as far as ASCII alone decides it: behind the letter."""

_THREADS = min(os.cpu_count() or 1, 8)
_PIECE = 1 << 18  # characters that a thread encodes at once
_LARGE = 1 << 16  # bytes of a document
_MANY_IDS = 1 << 20  # from here on shared integers are worth it
_SOME_IDS = 1 << 18  # the same, where NumPy is imported already
_IDS_OF_SHORT_TEXTS = 1 << 23  # their integers have taken as long as importing NumPy by then
_IDS_AT_ONCE = 4096  # their objects stay in the processor's cache

_MANY_BYTES = 1 << 20  # of documents, from which on their ids get memory of their own
_SHORT_TEXT = 1 << 13  # bytes of a text that is copied to memory which stays the same
_MUCH = 1 << 19  # bytes of a text that are worth a large cache
_PLENTY = 1 << 31  # bytes of free memory, with which a cache may take 16 MB for each thread
_OFTEN = 128  # or bytes of all texts, if a piece was evicted for each so many
_LONG_WORD = 1 << 16  # bytes of a pre-token whose scratch room is kept
_BYTES_A_BYTE = 30  # of scratch room that a long word touches, its ids included; measured: 28

_ZEROS = bytes(PADDING)

_encode = by_name("bpe.compiled.encode.encoding.encode_text")
_enter_tokens = by_name("bpe.compiled.encode.encoding.enter_tokens")
_holds_two = by_name("bpe.compiled.encode.searching.holds_two")


class TextEncoder:
    """Text to ids. Frozen after it is made, and safe under threads.

    ``tables`` are those of the kernel, as it takes them; ``size`` is more than each id.
    ``splitter`` is a name of :data:`bpe.text.pretokenize.PATTERNS`, or a function from a text
    to its pre-tokens.
    """

    def __init__(self, tables: tuple[Any, ...], size: int, splitter: str | Splitter) -> None:
        self._tables = tables
        self._size = size
        self._split = _splitter(splitter)
        self._scanner = SCANNERS.get(splitter, UNCUT) if isinstance(splitter, str) else UNCUT
        self._idle: list[Workspace] = []
        self._in_short_texts = 0  # ids so far

    def encode(self, text: str) -> list[int]:
        data = text.encode() if len(text) <= _SHORT_TEXT else None
        if data is None or len(data) > _SHORT_TEXT or self._split is not None:
            return self._as_list(self._encode_chunk([text])[0])
        workspace = self._workspace()
        count = workspace.encode(self._scanner, data)
        self._in_short_texts += count
        enough = _SOME_IDS if "numpy" in sys.modules else _IDS_OF_SHORT_TEXTS
        if self._in_short_texts >= enough:
            ids = workspace.as_list(count, self._shared)
        else:
            ids = workspace.room[:count].tolist()
        self._idle.append(workspace)
        return ids

    def count(self, text: str) -> int:
        if self._split is not None:
            return len(self._encode_chunk([text])[0])
        data = _utf8(text)  # may raise: no workspace is lost
        workspace = self._workspace()
        if isinstance(data, bytes) and len(data) <= _SHORT_TEXT:
            count = workspace.encode(self._scanner, data)
        else:
            count = self._pass_over(workspace, [data], None)[0]
        self._idle.append(workspace)
        return count

    def holds(self, text: str, two: bytes) -> bool:
        """Return whether the UTF-8 of a long text holds two bytes side by side.

        A kernel searches ten times as fast as Python. Unless kernels are linked, the UTF-8 is
        made for this alone, and once more to encode.
        """
        data = _utf8(text)
        end = len(data) - 2 * PADDING  # more is looked at than there is
        return bool(_holds_two(data, end, *two)) or two in bytes(data[end:])

    def encode_to_numpy(self, text: str, *, threads: int = 1) -> "Ids":
        """Return the ids of ``text`` as int32; a long text can use several threads."""
        if threads == 1 or self._scanner == UNCUT or len(text) <= _PIECE:
            return _as_array(self._encode_chunk([text])[0])
        import numpy as np

        from bpe.text.cuts import chunks  # only here: regex takes long

        parts = on_threads(self._encode_chunk, [[piece] for piece in chunks(text, _PIECE)], threads)
        return np.concatenate([_as_array(ids) for ids, _ in parts])

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        gathered = list(_gather(texts))
        if len(gathered) == 1:
            results = [self._encode_chunk(gathered[0])]
        else:
            results = on_threads(self._encode_chunk, gathered, _THREADS)
        many = sum(len(ids) for ids, _ in results) >= _MANY_IDS
        lists: list[list[int]] = []
        for ids, ends in results:
            numbers = self._shared.take(_as_array(ids)) if many else array("i", ids.tobytes())
            start = 0
            for end in ends:
                lists.append(numbers[start:end].tolist())
                start = end
        return lists

    def _encode_chunk(self, texts: list[str]) -> tuple[memoryview, list[int]]:
        """Return the ids of some texts one behind the other, and where those of each end."""
        if self._scanner != UNCUT or self._split is None:
            return self._encode_documents(list(map(_utf8, texts)))
        pieces = [[piece.encode() for piece in self._split(text)] for text in texts]
        ids, ends = self._encode_documents([piece for each in pieces for piece in each])
        ends.insert(0, 0)
        done, after = 0, []
        for each in pieces:
            done += len(each)
            after.append(ends[done])
        return ids, after

    def _encode_documents(self, documents: Sequence[Utf8]) -> tuple[memoryview, list[int]]:
        room = sum(map(len, documents)) + PADDING
        workspace = self._workspace()
        stays = room <= _MANY_BYTES
        ids = workspace.room_for(room) if stays else _room(room)
        count, ends = self._pass_over(workspace, documents, ids)
        found = memoryview(bytearray(ids[:count])).cast("i") if stays else ids[:count]
        self._idle.append(workspace)
        return found, ends

    def _pass_over(
        self, workspace: "Workspace", documents: Sequence[Utf8], ids: memoryview | None
    ) -> tuple[int, list[int]]:
        """Write the ids of all documents into ``ids``, or only count them.

        Return how many there are, and where those of each document end.
        """
        workspace.expect(sum(map(len, documents)))
        id_ends = array("q", bytes(8 * len(documents)))
        progress = memoryview(array("q", (0, 0, 0)))
        for text, ends in self._padded(documents):
            progress[0] = progress[1] = 0
            while missing := _encode(
                self._scanner,
                int(ids is None),
                text,
                memoryview(array("q", ends)),
                *workspace.fixed,
                workspace.ids if ids is None else ids,
                memoryview(id_ends),
                progress,
            ):
                workspace.make_room(missing)
        workspace.forget_long_words()
        return progress[2], id_ends.tolist()

    def _workspace(self) -> "Workspace":
        try:
            return self._idle.pop()
        except IndexError:
            return Workspace(self._tables)

    def _padded(self, documents: Sequence[Utf8]) -> Iterator[tuple[Utf8, list[int]]]:
        """Yield texts with padding that hold all documents in turn, and where these end in them.

        A large one is not copied for the sake of its padding: if there is a border near its end
        where every scanner cuts, what follows serves as padding, and is yielded for itself.
        """
        if len(documents) == 1 and len(documents[0]) > _LARGE and self._scanner != UNCUT:
            (text,) = documents
            border = SAFE_IN_BYTES.search(text, len(text) - _LARGE // 2, len(text) - PADDING)
            if border is not None:
                yield text, [border.end()]
                documents = [text[border.end() :]]
        end, ends = 0, []
        for document in documents:
            end += len(document)
            ends.append(end)
        yield b"".join([*documents, bytes(PADDING)]), ends

    def _as_list(self, ids: memoryview) -> list[int]:
        if len(ids) < (_SOME_IDS if "numpy" in sys.modules else _MANY_IDS):
            return array("i", ids.tobytes()).tolist()  # a memoryview takes twice as long
        import numpy as np

        shared: list[int] = []
        objects = np.empty(_IDS_AT_ONCE, object)
        numbers = _as_array(ids)
        for at in range(0, len(numbers), _IDS_AT_ONCE):
            part = numbers[at : at + _IDS_AT_ONCE]
            shared += self._shared.take(part, out=objects[: len(part)], mode="clip").tolist()
        return shared

    @cached_property
    def _shared(self) -> Any:
        """An array of one object per id, so that lists of many ids make none."""
        import numpy as np

        return np.array(range(self._size), dtype=object)


class Workspace:
    """The memory that one thread encodes in; the cache stays as it is for the next text.

    ``fixed`` are the arguments of the kernel that are the same for each text: ``tables``, which
    threads share, and this memory. A short text is copied to memory of this workspace and its ids
    are written there, so that nothing is made for it.
    """

    def __init__(self, tables: tuple[Any, ...]) -> None:
        self._tables = tables
        self._cache = cache_memory(FEW_SETS)
        self._encoded = 0  # bytes
        self._is_large = False
        self._batch = batch_memory()
        self._text = memoryview(bytearray(_SHORT_TEXT + PADDING))
        self._end, self._id_end = memoryview(array("q", (0,))), memoryview(array("q", (0,)))
        self._progress = memoryview(array("q", (0, 0, 0)))
        self.room = array("i")
        self._more_room = memoryview(self.room)
        self._numbers: Any = None  # room as an array of NumPy
        self.make_room(USUAL_WORD)

    def make_room(self, room: int) -> None:
        """Make scratch room for a pre-token of so many bytes, whose ids may have to be counted.

        Raises :class:`BPEError` where there is no memory for a long one.
        """
        if room > _LONG_WORD:
            require_memory(_BYTES_A_BYTE * room)
        self._room = room
        most = max(room, _SHORT_TEXT) + PADDING
        if len(self.room) != most:
            self.room = array("i", bytes(4 * most))
            self.ids = memoryview(self.room)
            self._numbers = None
        arrays = self._cache, scratch_memory(room), self._batch
        self.fixed = packed(*self._tables, *(map(tuple, arrays) if LINKED else _named(*arrays)))
        self._call: Callable[[], int] | None = None

    def expect(self, size: int) -> None:
        """Exchange the cache for a large one if so many bytes, or those before them, are worth it.

        A page has many encoders of short texts: what hardly overflows stays small.
        """
        if self._is_large:
            return
        evicted = self._cache[-1][2]
        if size >= _MUCH or (evicted > FEW_SETS and evicted * _OFTEN > self._encoded):
            self._is_large = True
            free = available_memory()
            has_plenty = free is None or free >= _PLENTY
            self._cache = cache_memory(MANY_SETS if has_plenty else MANY_SETS // 2)
            self.make_room(self._room)
            if has_plenty:
                _enter_tokens(*self.fixed)
        self._encoded += size

    def room_for(self, most: int) -> memoryview:
        """Return room for so many ids, to be copied from before the next text is encoded."""
        if len(self._more_room) < most:
            self._more_room = _room(most)
        return self._more_room

    def as_list(self, count: int, shared: Any) -> list[int]:
        """Return the first ids in ``room`` as objects of ``shared``, an array of one for each."""
        if self._numbers is None:
            import numpy as np

            self._numbers = np.frombuffer(self.room, np.int32)
            self._objects = np.empty(len(self.room), object)
        numbers, objects = self._numbers[:count], self._objects[:count]
        listed: list[int] = shared.take(numbers, out=objects, mode="clip").tolist()
        return listed

    def encode(self, scanner: int, text: bytes) -> int:
        """Write the ids of a short text into ``room``; return how many there are."""
        end = len(text)
        self.expect(end)
        self._text[: end + PADDING] = text + _ZEROS
        self._end[0] = end
        while missing := (self._call or self._prepared(scanner))():
            self.make_room(missing)
        return self._progress[2]

    def _prepared(self, scanner: int) -> Callable[[], int]:
        # Read-only, as bytes are, so that Numba need not compile the kernel once more for it.
        text = self._text if LINKED else self._text.toreadonly()
        places = self._end, *self.fixed, self.ids, self._id_end, self._progress
        self._call = prepared(_encode, scanner, 0, text, *places)
        return self._call

    def forget_long_words(self) -> None:
        """Give back the scratch room of an unusually long pre-token."""
        if self._room > _LONG_WORD:
            self.make_room(USUAL_WORD)


def _named(*arrays: list[memoryview]) -> tuple[Any, ...]:
    from bpe.compiled.encode.encoding import Batch  # only here: NumPy takes long
    from bpe.compiled.encode.piece_cache import Cache
    from bpe.compiled.encode.piece_merging import Scratch

    cache, scratch, batch = arrays
    return Cache.of(cache), Scratch.of(scratch), Batch.of(batch)


def _room(ids: int) -> memoryview:
    return memoryview(zeros(4 * ids)).cast("B").cast("i")


def _utf8(text: str) -> Utf8:
    """Return the UTF-8 of ``text``, not made a second time of a long one."""
    if not LINKED or len(text) < _SHORT_TEXT:
        return text.encode()
    return utf8_memory(text)


def _as_array(ids: memoryview) -> "Ids":
    import numpy as np

    if not ids:
        return np.zeros(0, np.int32)
    return np.frombuffer(ids, np.int32)


def _splitter(splitter: str | Splitter) -> Splitter | None:
    if splitter == "none":
        return None
    if not isinstance(splitter, str):
        return splitter
    if splitter in SCANNERS:
        return None  # a scanner does

    from bpe.text.pretokenize import split  # only here: regex takes long

    return partial(split, pattern=splitter)


def on_threads(
    work: Callable[[_Given], _Made], given: Sequence[_Given], threads: int
) -> list[_Made]:
    """Return what each work makes. Where one is interrupted, the others are not waited for."""
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    try:
        made = list(pool.map(work, given))
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown(wait=False)
    return made


def _gather(texts: Iterable[str], characters: int = 200_000) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
