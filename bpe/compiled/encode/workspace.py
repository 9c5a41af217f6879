"""The memory that threads encode in, without NumPy: a cache, scratch room, and room for ids."""

from array import array
from collections.abc import Callable
from typing import Any, TypeAlias

from bpe.compiled.compiling import LINKED, by_name, packed, prepared
from bpe.compiled.layout import (
    FEW_SETS,
    MANY_SETS,
    PADDING,
    USUAL_WORD,
    batch_memory,
    cache_memory,
    scratch_memory,
    utf8_memory,
    zeros,
)
from bpe.limits import available_memory, require_memory

SHORT_TEXT = 1 << 13
"""Bytes of a text that is copied to memory which stays the same."""

MANY_BYTES = 1 << 20
"""Bytes of texts whose ids, or whose UTF-8, get memory of their own."""

_USUAL_TEXT = 1 << 16  # bytes of UTF-8 for which there is room
_MUCH = 1 << 19  # bytes of a text that are worth a large cache
PLENTY = 1 << 31  # bytes of free memory, with which a cache may take 16 MB for each thread
_OFTEN = 128  # or bytes of all texts, if a piece was evicted for each so many
_LONG_WORD = 1 << 16  # bytes of a pre-token whose scratch room is kept
_BYTES_A_BYTE = 30  # of scratch room that a long word touches, its ids included; measured: 28

_ZEROS = bytes(PADDING)

_find_two = by_name("bpe.compiled.encode.strings.find_two")
_encode = by_name("bpe.compiled.encode.encoding.encode_text")
_enter_tokens = by_name("bpe.compiled.encode.encoding.enter_tokens")


Utf8: TypeAlias = bytes | memoryview


def utf8_of(text: str) -> Utf8:
    """Return the UTF-8 of ``text``, not made a second time of a long one."""
    if not LINKED or len(text) < SHORT_TEXT:
        return text.encode()
    return utf8_memory(text)


def holds_any(data: Utf8, tokens: tuple[bytes, ...]) -> bool:
    """Return whether UTF-8 holds one of some tokens, which begin with the same two bytes.

    A kernel searches for these ten times as fast as Python.
    """
    longest = max(map(len, tokens))
    end = len(data) - longest - 2 * PADDING  # more is looked at than there is
    place = 0
    while (place := _find_two(data, place, end, *tokens[0][:2])) >= 0:
        if bytes(data[place : place + longest]).startswith(tokens):
            return True
        place += 1
    rest = bytes(data[max(end, 0) :])
    return any(token in rest for token in tokens)


class Workspaces:
    """The workspaces of an encoder and a scanner, with caches that live as long as it does."""

    def __init__(self, tables: tuple[Any, ...], scanner: int) -> None:
        self._tables = tables
        self.scanner = scanner
        self.idle: list[Workspace] = []
        self.ids_of_a_byte = 0.0
        """How many ids a byte of UTF-8, of which there may be fewer, had in the texts before."""

    def take(self) -> "Workspace":
        try:
            return self.idle.pop()
        except IndexError:
            return Workspace(self._tables)

    def give_back(self, workspace: "Workspace") -> None:
        self.idle.append(workspace)


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
        self._text = memoryview(bytearray(SHORT_TEXT + PADDING))
        self._end, self._id_end = memoryview(array("q", (0,))), memoryview(array("q", (0,)))
        self._progress = memoryview(array("q", (0, 0, 0)))
        self.room = array("i")
        self._more_room = memoryview(self.room)
        self._numbers: Any = None  # room as an array of NumPy
        self.utf8 = memoryview(b"")
        self.make_text_room(_USUAL_TEXT)
        self.make_room(USUAL_WORD)

    def make_text_room(self, most: int) -> None:
        """Make room for the UTF-8 of a text, of so many bytes at the most."""
        if most > MANY_BYTES:
            require_memory(most)
        self.utf8 = memoryview(zeros(most + 2 * PADDING)).cast("B")

    def make_room(self, room: int) -> None:
        """Make scratch room for a pre-token of so many bytes, whose ids may have to be counted.

        Raises :class:`BPEError` where there is no memory for a long one.
        """
        if room > _LONG_WORD:
            require_memory(_BYTES_A_BYTE * room)
        self._room = room
        most = max(room, SHORT_TEXT) + PADDING
        if len(self.room) != most:
            self.room = array("i", bytes(4 * most))
            self.ids = memoryview(self.room)
            self._numbers = None
        arrays = self._cache, scratch_memory(room), self._batch
        self.fixed = packed(*self._tables, *(map(tuple, arrays) if LINKED else _named(*arrays)))
        self._call: Callable[[], int] | None = None

    def expect(self, size: int, threads: int = 1) -> None:
        """Exchange the cache for a large one if so many bytes, or those before them, are worth it.

        A page has many encoders of short texts: what hardly overflows stays small. More than two
        threads share the outer cache of the processor.
        """
        if self._is_large:
            return
        evicted = self._cache[-1][2]
        if size >= _MUCH or (evicted > FEW_SETS and evicted * _OFTEN > self._encoded):
            self._is_large = True
            free = available_memory()
            has_plenty = free is None or free >= PLENTY
            shares = int(threads > 2) if has_plenty else 1 + 2 * (threads > 2)
            self._cache = cache_memory(MANY_SETS >> shares)
            self.make_room(self._room)
            if has_plenty:
                _enter_tokens(*self.fixed)
        self._encoded += size

    def room_for(self, most: int) -> memoryview:
        """Return room for so many ids, to be copied from before the next text is encoded."""
        if len(self._more_room) < most:
            self._more_room = id_room(most)
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
        """Give back the scratch room of an unusually long pre-token, and of a long text."""
        if len(self.utf8) > MANY_BYTES:
            self.make_text_room(_USUAL_TEXT)
        if self._room > _LONG_WORD:
            self.make_room(USUAL_WORD)


def _named(*arrays: list[memoryview]) -> tuple[Any, ...]:
    import numpy as np

    from bpe.compiled.encode.encoding import Batch  # only here: NumPy takes long
    from bpe.compiled.encode.piece_cache import Cache
    from bpe.compiled.encode.piece_merging import Scratch
    from bpe.compiled.word_table import WordTable

    cache, scratch, batch = (list(map(np.asarray, each)) for each in arrays)
    sets, *words, ids, used = cache
    return Cache(sets, WordTable(*words), ids, used), Scratch(*scratch), Batch(*batch)


def id_room(ids: int) -> memoryview:
    return memoryview(zeros(4 * ids)).cast("B").cast("i")
