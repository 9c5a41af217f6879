"""Kept kernels, called without Numba, LLVM and NumPy: their linked code is copied and run.

Importing Numba and asking it for its kept kernels takes half a second, which a command that counts
the tokens of a file would spend before it begins; loading LLVM to link them takes 0.06 s, importing
NumPy 0.09. So what Numba made is linked once (:mod:`.linking`) and kept in a bundle for each part::

    checksum | length | header: entries, addresses, workspace | linked code | tables

An *entry* calls a kernel with what a block of memory holds: a number as it is, an array as the
seven numbers that Numba passes for it (two owners, items, bytes of an item, address, length,
stride). So a call costs a few microseconds where Numba takes twenty to unpack thirty arrays, and
arrays that stay the same can be :func:`packed` once. An array is one of NumPy, a ``memoryview`` of
one that can be written, or ``bytes``.

Which kind of kernels a process has is decided when :mod:`bpe.compiled.compiling` is imported.
"""

import contextlib
import ctypes
import hashlib
import json
import mmap
import os
import struct
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bpe import trusted

if TYPE_CHECKING:
    from bpe.compiled import Part

Function = TypeVar("Function", bound=Callable[..., Any])

supported = sys.platform == "linux" and os.uname().machine == "x86_64"
"""Whether kernels can be loaded so: only where that is tested."""

wanted = True
"""Set to false, before anything is imported, by who compiles them."""

CHECKSUM = hashlib.sha256().digest_size
_MASK = (1 << 64) - 1
_KINDS = {"q": "l", "Q": "L"}  # of memory by Python's letters, to those of NumPy
_entries: dict[str, dict[str, Callable[[bytes], int]]] = {}
_tables: dict[str, memoryview] = {}
_workspaces: dict[str, list[list[Any]]] = {}

_array = struct.Struct("7Q")
_number = struct.Struct("Q")


class DamagedError(OSError):
    """A bundle is not what was written."""


class Packed:
    """Arguments as a kernel reads them, and the arrays they point to, kept alive."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        kinds: list[str] = []
        blocks: list[bytes] = []
        for value in values:
            _pack(value, kinds, blocks)
        self.values = values
        self.kinds = "".join(kinds)
        self.block = b"".join(blocks)


def _pack(value: Any, kinds: list[str], blocks: list[bytes]) -> None:
    if isinstance(value, memoryview | bytes):
        size, item, address = _place(value)
        kinds.append("B" if isinstance(value, bytes) else _KINDS.get(value.format, value.format))
        blocks.append(_array.pack(0, 0, size, item, address, size, item))
    elif isinstance(value, Packed):
        kinds.append(value.kinds)
        blocks.append(value.block)
    elif isinstance(value, tuple):
        for each in value:
            _pack(each, kinds, blocks)
    elif (interface := getattr(value, "__array_interface__", None)) is not None and value.shape:
        if value.ndim != 1 or not value.flags.c_contiguous:
            raise TypeError("Kernels take arrays of one dimension without gaps.")
        kinds.append(value.dtype.char)
        address = interface["data"][0]
        blocks.append(
            _array.pack(0, 0, value.size, value.itemsize, address, value.size, value.itemsize)
        )
    else:
        kinds.append(".")
        blocks.append(_number.pack(int(value) & _MASK))


def _place(memory: memoryview | bytes) -> tuple[int, int, int]:
    """Return how many items there are, the bytes of each, and the address of the first."""
    if isinstance(memory, bytes):
        return len(memory), 1, ctypes.c_void_p.from_buffer(ctypes.c_char_p(memory)).value or 0
    if not memory:
        return 0, memory.itemsize, 0
    return len(memory), memory.itemsize, ctypes.addressof(ctypes.c_char.from_buffer(memory))


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
        kinds: list[str] = []
        blocks: list[bytes] = []
        for argument in arguments:
            _pack(argument, kinds, blocks)
        signature = "".join(kinds)
        entry = _entries.get(self.name, {}).get(signature)
        if entry is None:
            from bpe import compiled

            compiled.warm(background=False)
            entry = _entries.get(self.name, {}).get(signature)
        if entry is None:
            raise TypeError(f"{self.name} was not compiled for arguments such as {signature}.")
        return entry(b"".join(blocks))


def is_kept(part: "Part") -> bool:
    """Return whether the bundle of a part is there, made from this package for this machine."""
    return supported and path_of(part) is not None


def load(part: "Part") -> None:
    """Link the kernels of a part.

    Raises :class:`OSError` if nothing is kept, and deletes a damaged bundle.
    """
    path = path_of(part)
    if path is None:
        raise OSError("Nothing is kept of this part.")
    data = bytearray(path.stat().st_size)
    with path.open("rb") as file:
        file.readinto(data)
    body = memoryview(data)[CHECKSUM:]
    if hashlib.sha256(body).digest() != data[:CHECKSUM]:
        path.unlink(missing_ok=True)
        raise DamagedError(f"{path.name} is damaged.")
    (length,) = _number.unpack_from(body)
    header = json.loads(bytes(body[8 : 8 + length]))
    blobs = _cut(body[8 + length :], header["sizes"])
    _place_code(next(blobs), header)
    _workspaces.update(header["workspaces"])
    _tables.update((name, next(blobs)) for name in header["tables"])


def _cut(data: memoryview, sizes: list[int]) -> Iterator[memoryview]:
    at = 0
    for size in sizes:
        yield data[at : at + size]
        at += size


def _place_code(code: memoryview, header: dict[str, Any]) -> None:
    """Copy linked code to memory of its own, which is never given back, and know its entries.

    A thread may still run it when the interpreter ends.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    size = len(code)
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    address = library.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if address in (None, _MASK):
        raise OSError(ctypes.get_errno(), "There is no memory for kernels")
    memory = (ctypes.c_char * size).from_address(address)
    ctypes.memmove(address, bytes(code), size)
    for at in header["addresses"]:
        _number.pack_into(memory, at, _number.unpack_from(memory, at)[0] + address)
    for name, places in header["imports"].items():
        function = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        for at in places:
            _number.pack_into(memory, at, function)
    if library.mprotect(address, size, mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "This system lets nobody run code that it has written")
    entry_type = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)
    for name, signatures in header["entries"].items():
        known = _entries.setdefault(name, {})
        for signature, at in signatures.items():
            known.setdefault(signature, entry_type(address + at))


def table(name: str) -> memoryview | None:
    """Return a table that is kept with the kernels, if they are loaded."""
    return _tables.get(name)


def workspace(name: str) -> list[list[Any]]:
    """Return the layout of memory that is kept with the kernels, which are loaded if need be.

    Of each array its kind, its items, and its items more for each byte of a long word.
    """
    if name not in _workspaces:
        from bpe import compiled

        compiled.warm(background=False, part="encode")
    return _workspaces[name]


def as_kind(memory: memoryview, kind: str) -> memoryview:
    """Return memory as items of a kind."""
    whole: Any = memory
    items: memoryview = whole.cast(kind)
    return items


def bytes_of(kind: str) -> int:
    """Return how many bytes an item of a kind has."""
    return struct.calcsize(kind)


def path_of(part: "Part") -> Path | None:
    """Return where the bundle of a part is, ``None`` if it is not."""
    return first_of(name_of(part))


def first_of(name: str) -> Path | None:
    """Return where a file is kept, ``None`` if it is nowhere."""
    paths = (folder / name for folder in folders())
    return next((path for path in paths if path.is_file() and trusted.is_trusted(path)), None)


def write_first(name: str, data: bytes) -> None:
    """Keep a file in the first place that takes it, instead of older ones of its kind."""
    for folder in folders():
        with contextlib.suppress(OSError):
            trusted.make_folder(folder)
            kind_and_place, _, rest = name.rpartition("-")
            unfinished = folder / f"{name}.{os.getpid()}.new"
            unfinished.write_bytes(data)
            unfinished.chmod(0o644)
            for old in folder.glob(f"{kind_and_place}-*.{rest.rpartition('.')[2]}"):
                old.unlink(missing_ok=True)
            unfinished.replace(folder / name)
            return


def folders() -> list[Path]:
    """Return where bundles may be: beside the package, or in the cache of the user."""
    found = [Path(__file__).parent / "__pycache__", trusted.user_cache()]
    return [folder for folder in found if folder is not None]


@cache
def name_of(part: "Part") -> str:
    """Return the name of the bundle of a part: by this package, its libraries and this machine."""
    libraries = installed("numba", "llvmlite", "numpy", "regex")
    return file_name(part, (package_stamp(), libraries, sys.version, _processor()), "native")


@cache
def installed(*names: str) -> tuple[str, ...]:
    """Return name and version of packages, as pip calls the folders with what it knows of them.

    :mod:`importlib.metadata` says the same, and takes 0.04 s to be imported. Missing ones have
    no place in the answer.
    """
    found: dict[str, str] = {}
    for place in sys.path:
        with contextlib.suppress(OSError):
            for entry in os.listdir(place):
                name, _, rest = entry.partition("-")
                if name in names and rest.endswith(".dist-info"):
                    found.setdefault(name, entry)
    return tuple(sorted(found.values()))


def file_name(kind: str, made_by: object, suffix: str) -> str:
    """Return a name that says what a file is, who uses it from where, and what made it."""
    place = str(Path(__file__).parent), sys.prefix, sys.version
    digests = (hashlib.sha256(repr(each).encode()).hexdigest() for each in (place, made_by))
    return "-".join([kind, *(digest[:16] for digest in digests)]) + f".{suffix}"


def _processor() -> str:
    """Return what the processor can do, as the machine code is made for all of it."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
        return "".join(line for line in lines if line.startswith(("model name", "flags")))[:8192]


@cache
def package_stamp() -> tuple[tuple[str, int, int], ...]:
    """Return name, time of change and size of each file here: a change of one renews all."""
    return stamp_of("compiled")


@cache
def stamp_of(folder: str) -> tuple[tuple[str, int, int], ...]:
    """Return the same of a folder of the package ``bpe``."""
    package = os.path.dirname(os.path.dirname(__file__))
    return tuple(sorted(_stamps(os.path.join(package, folder))))


def _stamps(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                stat = entry.stat()
                yield entry.name, stat.st_mtime_ns, stat.st_size
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _stamps(entry.path)
