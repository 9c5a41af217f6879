"""Agreements of kernels and their callers: numbers, and memory, laid out without NumPy.

The memory of an encoder is its cache, room for a long word, and a batch. All of it is zeros, but
for that of a text. What the arrays mean is drawn in :mod:`.encode.piece_cache`,
:mod:`.encode.piece_merging` and :mod:`.encode.encoding`, which import NumPy: a process that encodes
with linked kernels does without it.
"""

import ctypes
import mmap
import struct
import sys
from array import array
from functools import cache
from typing import Literal

_PATTERNS = "gpt2 cl100k o200k llama3 qwen2 deepseek_v3 kimi_k2 mistral_v3 qwen3_5"
SCANNERS = {pattern: number for number, pattern in enumerate(_PATTERNS.split())}
"""The split patterns that have a compiled scanner, and its number."""

UNCUT = len(SCANNERS)
"""The scanner of texts that are cut already."""

USUAL_WORD = 1 << 10
"""Bytes of a pre-token that there is always room for."""

PADDING = 64
"""Bytes that follow each text, as kernels read some more than there are."""

ALL_DONE, PAUSED, UNFINISHED, NO_ID_ROOM, NO_TEXT_ROOM, NO_SCRATCH, SURROGATE, SPECIAL = range(8)
"""Why the kernel that encodes many strings ends: all are encoded; it is not to take too long; it
waits for other threads; there is no room for the ids of a block, for the UTF-8 of a string, or to
merge a word; one has half a surrogate pair; one may have a special token."""

NEXT, STOPS, MOST_IDS = range(3)
"""What its threads share: the next block to be taken, 1 where all are to stop, and the most ids
that a block can have."""

# The state of each of its threads: what is encoded now,
UNIT, LAST, BLOCK = range(3)  # the unit, the first one behind its block, and the block;
BEGUN = 3  # whether there is UTF-8 of the unit already;
SEARCHED = 4  # units before this one need not be searched for special tokens;
MISSING = 5  # the bytes that room is missing for, or those of a text with a special token;
# then its room for ids, that of the block and of those that wait for their place,
FIRST, IDS, COPIED = range(6, 9)  # where the block begins, where ids end, and how many are copied;
WAITING = 9  # how many blocks wait;
# and where they belong:
ADDED, TOTAL = range(10, 12)  # of how many blocks the ids were added up, and how many these have;
BASE = 12  # how many ids stand before the target.
STATE = 13  # numbers of a state

LINE = 64
"""Bytes of a line of the processor's cache; arrays begin with one."""

FEW_SETS, MANY_SETS = 1 << 13, 1 << 18
"""Sets of the cache of short pieces, of one line each: at first, and where these do not do."""

SHORT = 64
"""Bytes of a piece that is merged on small arrays."""

BATCH = 64
"""Pieces that are looked up at once."""

SCANNED = 1024
"""Pieces whose ends are found at once."""

_LARGE = 1 << 20
_HUGE = 1 << 23
_WORDS = 1 << 14  # longer pieces in the cache, of 32 bytes and 16 ids each

# The kind of each array, its items, and its items more for each set of a cache or, where a long
# word is merged, for each of its bytes.
_Layout = tuple[tuple[Literal["B", "I", "Q", "i", "q"], int, int], ...]
_CACHE: _Layout = (
    *(("Q", 0, LINE // 8), ("Q", 4 * _WORDS, 0), ("q", _WORDS + 1, 0)),
    *(("B", 32 * _WORDS + PADDING, 0), ("q", _WORDS, 0), ("i", 16 * _WORDS, 0), ("q", 3, 0)),
)
_SCRATCH: _Layout = (
    *(("I", SHORT, 0), ("i", 2, 0)),
    *(("i", 0, 1), ("i", 0, 1), ("i", 0, 1), ("i", 0, 1)),
    ("Q", 0, 3),
)
_BATCH: _Layout = (
    *(("q", SCANNED + 1, 0), ("q", 1, 0)),
    *(("Q", BATCH, 0), ("Q", BATCH, 0), ("q", BATCH, 0)),
)


def cache_memory(sets: int) -> list[memoryview]:
    """Return the arrays of a cache; 64 bytes for each set of short pieces are the most of it.

    From 8 MB on it is in huge pages, if the system has them: it is read at random. Less takes
    memory as it fills.
    """
    return _laid_out(_CACHE, sets)


def scratch_memory(room: int) -> list[memoryview]:
    return _laid_out(_SCRATCH, room)


def batch_memory() -> list[memoryview]:
    return _laid_out(_BATCH)


def _laid_out(layout: _Layout, room: int = 0) -> list[memoryview]:
    places, end = [], 0
    for kind, items, more in layout:
        places.append((kind, end, end + (items + more * room) * struct.calcsize(kind)))
        end = -(-places[-1][2] // LINE) * LINE
    memory = memoryview(zeros(end))
    arrays = []
    for kind, start, after in places:
        arrays.append(memory[start:after].cast("B").cast(kind))
    return arrays


_utf8 = ctypes.pythonapi.PyUnicode_AsUTF8AndSize
_utf8.argtypes, _utf8.restype = [ctypes.py_object, ctypes.c_void_p], ctypes.c_void_p
_view = ctypes.pythonapi.PyMemoryView_FromMemory
_view.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int]
_view.restype = ctypes.py_object
_WRITABLE = 0x200  # PyBUF_WRITE, so that its address can be asked for


def utf8_memory(text: str) -> memoryview:
    """Return the UTF-8 that Python keeps with a text, which has to outlive it; only to be read.

    It is made once, however many encoders are given the same text; of ASCII it is the text itself.
    A lone surrogate raises ``UnicodeEncodeError``.
    """
    size = ctypes.c_ssize_t()
    address = _utf8(text, ctypes.byref(size))
    return _view(address, size.value, _WRITABLE)  # type: ignore[no-any-return]


def keeps_utf8(text: str) -> bool:
    """Return whether Python keeps the UTF-8 of a text: not asked for, but told by its layout."""
    layout = string_layout()
    if layout is None or text.isascii():
        return layout is not None
    return any(ctypes.string_at(id(text) + layout[1] + 8, 8))


_LENGTH, _STATE = 16, 32  # where in a string these fields are, if it is as expected


@cache
def string_layout() -> memoryview | None:
    """Return where in the memory of a string kernels find its characters; ``None`` if unknown.

    Five numbers: the bytes before its length, before the characters of ASCII and of any other
    text, before the state, and the bits of the state before the kind, on which follow whether it is
    compact and whether ASCII. Where ASCII has its characters, any other text has the length and the
    address of its UTF-8. Python documents none of that, so it is tried on four strings.
    """
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return None
    size = 7
    strings = ["".join([sign] * size) for sign in "aé中😀"]
    of_ascii, of_others = sys.getsizeof(strings[0]) - size - 1, sys.getsizeof(strings[1]) - size - 1
    for bits in range(27):
        layout = _LENGTH, of_ascii, of_others, _STATE, bits
        if all(map(_is_laid_out, strings, (1, 1, 2, 4), [layout] * 4)):
            return memoryview(array("q", layout))
    return None


def _is_laid_out(text: str, kind: int, layout: tuple[int, ...]) -> bool:
    length, of_ascii, of_others, state, bits = layout
    size, flags = (
        int.from_bytes(ctypes.string_at(id(text) + place, size), sys.byteorder)
        for place, size in ((length, 8), (state, 4))
    )
    if size != len(text) or flags >> bits & 31 != kind | 8 | 16 * text.isascii():
        return False
    charset = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[kind]
    place = of_ascii if text.isascii() else of_others
    if ctypes.string_at(id(text) + place, kind * size) != text.encode(charset):
        return False
    utf8 = ctypes.c_ssize_t()
    address = _utf8(text, ctypes.byref(utf8))
    kept = struct.unpack("qQ", ctypes.string_at(id(text) + of_ascii, 16))
    return text.isascii() or kept == (utf8.value, address)


def zeros(size: int) -> bytearray | mmap.mmap:
    """Return so many bytes of zero; of many, none takes memory before it is touched."""
    if size < _LARGE:
        return bytearray(size)
    if not hasattr(mmap, "MAP_PRIVATE"):
        return mmap.mmap(-1, size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
