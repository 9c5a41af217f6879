"""Calling linked kernels: machine code without Numba, LLVM and NumPy, copied to memory and run.

Importing Numba and having it load its kernels takes half a second, loading LLVM to link them 0.06,
importing NumPy 0.09. So what Numba made is linked once (:mod:`.linking`) and cached, with entries.

An *entry* calls a kernel with what a block of memory holds: a number as it is, an array as the
seven numbers that Numba passes for it (two owners, items, bytes of an item, address, length,
stride). That takes a few microseconds where Numba takes twenty to unpack thirty arrays, and those
that stay the same are packed once. An array is one of NumPy, a ``memoryview`` or ``bytes``.
"""

import ctypes
import mmap
import struct
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

from bpe.compiled.loading import cache

Function = TypeVar("Function", bound=Callable[..., Any])

_MASK = (1 << 64) - 1
_KINDS = {"q": "l", "Q": "L"}  # two letters for numbers of 64 bits
_entries: dict[tuple[str, str], "Call"] = {}
"""What runs each kernel, by its name and the kinds of its arguments."""
_tables: dict[str, memoryview] = {}

_array = struct.Struct("7Q")
_number = struct.Struct("Q")

Call = Callable[[bytes], int]
call_type = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)


def load_missing() -> None:
    """Load what is not loaded yet; :mod:`bpe.compiled` says how, which knows what compiles."""


class Packed:
    """Arguments as a kernel reads them, and the arrays they point to, which stay alive."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values
        self.kinds, self.block = _pack(values)


class _Buffer(ctypes.Structure):
    """Python's ``Py_buffer``; of its fields only the first is read."""

    _fields_ = (("address", ctypes.c_void_p), ("rest", ctypes.c_void_p * 10))


def _address(view: memoryview) -> int:
    """Return where the bytes of a view lie that must not be written to."""
    buffer = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer), 0)
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return buffer.address or 0


def _pack(values: tuple[Any, ...]) -> tuple[str, bytes]:
    """Return the kinds of all values, tuples taken apart, and the block of memory that they are."""
    kinds, blocks = [], []
    waiting = list(reversed(values))
    while waiting:
        value = waiting.pop()
        if isinstance(value, memoryview | bytes):
            kind = getattr(value, "format", "B")
            kinds.append(_KINDS.get(kind, kind))
            items, size, address = len(value), getattr(value, "itemsize", 1), 0
            if isinstance(value, bytes):
                address = ctypes.c_void_p.from_buffer(ctypes.c_char_p(value)).value or 0
            elif value and value.readonly:
                address = _address(value)
            elif value:
                address = ctypes.addressof(ctypes.c_char.from_buffer(value))
            blocks.append(_array.pack(0, 0, items, size, address, items, size))
        elif isinstance(value, Packed):
            kinds.append(value.kinds)
            blocks.append(value.block)
        elif isinstance(value, tuple):
            waiting += reversed(value)
        elif (interface := getattr(value, "__array_interface__", None)) is not None and value.shape:
            if value.ndim != 1 or not value.flags.c_contiguous:
                raise TypeError("Kernels take arrays of one dimension without gaps.")
            kinds.append(_KINDS.get(value.dtype.char, value.dtype.char))
            size, address = value.itemsize, interface["data"][0]
            blocks.append(_array.pack(0, 0, value.size, size, address, value.size, size))
        else:
            kinds.append(".")
            blocks.append(_number.pack(int(value) & _MASK))
    return "".join(kinds), b"".join(blocks)


class Kernel(Generic[Function]):
    """A kernel by its name; called, it runs the machine code that was made for such arguments."""

    def __init__(self, function: Function | str) -> None:
        if isinstance(function, str):
            self.name: str = function
        else:
            self.name = f"{function.__module__}.{function.__qualname__}"
            self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> int:
        """Run the kernel; the GIL is free meanwhile. Loads the machine code if need be."""
        return self.prepared(*arguments)()

    def prepared(self, *arguments: Any) -> Callable[[], int]:
        """Return a call with these arguments, whose memory may change from one call to the next.

        The caller keeps what the arguments point to alive.
        """
        kinds, block = _pack(arguments)
        return partial(self.entry(kinds, arguments), block)

    def entry(self, signature: str, arguments: tuple[Any, ...]) -> Call:
        """Return what runs the machine code that was made for such arguments."""
        if (self.name, signature) not in _entries:
            load_missing()
        if (entry := _entries.get((self.name, signature))) is None:
            raise TypeError(f"{self.name} is not loaded for arguments such as {signature}.")
        return entry


def place(entry: cache.Entry) -> None:
    """Copy the code of a part to memory of its own, and know its entries and tables.

    The memory is never given back: a thread may still run it when the interpreter ends.
    """
    code, *tables = entry.arrays
    header = entry.facts
    library = ctypes.CDLL(None, use_errno=True)
    library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    memory = mmap.mmap(-1, len(code), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(memory))
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    memory[:] = code
    for offset in header["addresses"]:
        _number.pack_into(memory, offset, _number.unpack_from(memory, offset)[0] + address)
    for name, places in header["imports"].items():
        function = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        for offset in places:
            _number.pack_into(memory, offset, function)
    if library.mprotect(address, len(code), mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "This system runs no code that a process has written")
    for name, signatures in header["entries"].items():
        for signature, offset in signatures.items():
            _entries.setdefault((name, signature), call_type(address + offset))
    _tables.update(zip(header["tables"], tables, strict=True))


def table(name: str) -> memoryview | None:
    """Return a table that came with the kernels, if they are loaded."""
    return _tables.get(name)
