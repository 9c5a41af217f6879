"""The memory that one thread encodes in: the cache, scratch room for a long word, a batch.

Where Numba compiles, it is what :mod:`.piece_cache`, :mod:`.piece_merging` and :mod:`.encoding` say
that it is. They import NumPy; so what they say is kept with the kernels, and where these are not
compiled anew the same memory is laid out from that, zeros all.
"""

import mmap
from typing import Any

from bpe.compiled import native
from bpe.compiled.compiling import NATIVE

_USUAL = 1 << 10
_UNUSUAL = 1 << 16
_LINE = 64
"""Bytes of a line of the processor's cache; arrays begin with one."""

_LARGE = 1 << 20
_HUGE = 1 << 23


class Workspace:
    """What one thread needs while it encodes; the cache is kept for the next text.

    ``fixed`` are the arguments of the kernel that are the same for each text: ``tables``, which
    threads share, and this memory.
    """

    def __init__(self, tables: tuple[Any, ...]) -> None:
        self._tables = tables
        self._kept: list[memoryview] | tuple[Any, ...] | None = None
        self.make_room(_USUAL)

    def make_room(self, room: int) -> None:
        """Have scratch room for pre-tokens of up to so many bytes."""
        self._room = room
        self.fixed = self._native(room) if NATIVE else self._numba(room)

    def forget_long_words(self) -> None:
        """Give back the scratch room of an unusually long pre-token."""
        if self._room > _UNUSUAL:
            self.make_room(_USUAL)

    def _native(self, room: int) -> tuple[Any, ...]:
        layout = native.workspace("encode")
        fixed = [(kind, items) for kind, items, more in layout if not more]
        scratch = [(kind, items + more * room) for kind, items, more in layout if more]
        self._kept = self._kept or _laid_out(fixed)
        kept, new = iter(self._kept), iter(_laid_out(scratch))
        arrays = tuple(next(new if more else kept) for _, _, more in layout)
        return (native.Packed((*self._tables, *arrays)),)

    def _numba(self, room: int) -> tuple[Any, ...]:
        from bpe.compiled.encode.encoding import empty_batch
        from bpe.compiled.encode.piece_cache import empty_cache
        from bpe.compiled.encode.piece_merging import empty_scratch

        self._kept = self._kept or (empty_cache(), empty_batch())
        return (*self._tables, self._kept[0], empty_scratch(room), self._kept[1])


def workspace_layout() -> list[list[Any]]:
    """Return the kind of each array, its items, and its items more for each byte of a long word."""
    from bpe.compiled.encode.encoding import empty_batch
    from bpe.compiled.encode.piece_cache import empty_cache
    from bpe.compiled.encode.piece_merging import empty_scratch

    cache, batch = empty_cache(), empty_batch()
    few, more = (_arrays((cache, empty_scratch(room), batch)) for room in (1_000, 1_001))
    each = [len(longer) - len(array) for array, longer in zip(few, more, strict=True)]
    return [
        [array.dtype.char, len(array) - 1_000 * growth, growth]
        for array, growth in zip(few, each, strict=True)
    ]


def _arrays(value: Any) -> list[Any]:
    return [each for one in value for each in _arrays(one)] if isinstance(value, tuple) else [value]


def _laid_out(wanted: list[tuple[str, int]]) -> list[memoryview]:
    """Return arrays of zeros by their kinds and numbers of items."""
    places, end = [], 0
    for kind, items in wanted:
        places.append((kind, end, end + items * native.bytes_of(kind)))
        end = -(-places[-1][2] // _LINE) * _LINE
    memory = memoryview(zeros(end))
    return [native.as_kind(memory[start:after].cast("B"), kind) for kind, start, after in places]


def zeros(size: int) -> bytearray | mmap.mmap:
    """Return so many bytes of zero; of many, none takes memory before it is touched."""
    if size < _LARGE or not hasattr(mmap, "MAP_PRIVATE"):
        return bytearray(size)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= 2 * _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
