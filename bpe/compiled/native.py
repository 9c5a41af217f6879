"""Kept kernels, called without Numba: LLVM links their machine code, and nothing else is imported.

Importing Numba and asking it for its kept kernels takes half a second, which a command that counts
the tokens of a file would spend before it begins. So what Numba made is kept a second time, in a
bundle for each part::

    checksum | length | header: entries, names of helpers | object code of each kernel | tables

An *entry* calls a kernel with what a block of memory holds: a number as it is, an array as the
seven numbers that Numba passes for it (two owners, items, bytes of an item, address, length,
stride). So a call costs a few microseconds where Numba takes twenty to unpack thirty arrays, and
arrays that stay the same can be :func:`packed` once.

Which kind of kernels a process has is decided when :mod:`bpe.compiled.compiling` is imported.
"""

import contextlib
import ctypes
import hashlib
import json
import os
import platform
import struct
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bpe.compiled import Part

Function = TypeVar("Function", bound=Callable[..., Any])

supported = sys.platform == "linux" and platform.machine() == "x86_64"
"""Whether kernels can be loaded so: only where that is tested."""

wanted = True
"""Set to false, before anything is imported, by who compiles them."""

CHECKSUM = hashlib.sha256().digest_size
_MASK = (1 << 64) - 1
_entries: dict[str, dict[str, Callable[[bytes], int]]] = {}
_tables: dict[str, bytes] = {}
_engines: list[Any] = []  # they own the machine code
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
    if isinstance(value, np.ndarray):
        if value.ndim != 1 or not value.flags.c_contiguous:
            raise TypeError("Kernels take arrays of one dimension without gaps.")
        address = value.__array_interface__["data"][0]
        kinds.append(value.dtype.char)
        blocks.append(
            _array.pack(0, 0, value.size, value.itemsize, address, value.size, value.itemsize)
        )
    elif isinstance(value, Packed):
        kinds.append(value.kinds)
        blocks.append(value.block)
    elif isinstance(value, tuple):
        for each in value:
            _pack(each, kinds, blocks)
    else:
        kinds.append(".")
        blocks.append(_number.pack(int(value) & _MASK))


class Kernel(Generic[Function]):
    """A kernel by its name; called, it runs the machine code that was made for such arguments."""

    def __init__(self, function: Function) -> None:
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
    data = path.read_bytes()
    body = memoryview(data)[CHECKSUM:]
    if hashlib.sha256(body).digest() != data[:CHECKSUM]:
        path.unlink(missing_ok=True)
        raise DamagedError(f"{path.name} is damaged.")
    length = _number.unpack_from(body)[0]
    header = json.loads(bytes(body[8 : 8 + length]))
    blobs = _cut(body[8 + length :], header["sizes"])
    _link([next(blobs) for _ in range(header["objects"])], header)
    _tables.update((name, next(blobs)) for name in header["tables"])


def _cut(data: memoryview, sizes: list[int]) -> Iterator[bytes]:
    at = 0
    for size in sizes:
        yield bytes(data[at : at + size])
        at += size


def _link(objects: list[bytes], header: dict[str, Any]) -> None:
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    # Numba's wrappers, which nobody calls, name helpers of Numba that are not there.
    for helper in header["helpers"]:
        if not llvm.address_of_symbol(helper):
            llvm.add_symbol(helper, ctypes.addressof(_never_called))
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    for code in objects:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    entry_type = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)
    for name, signatures in header["entries"].items():
        known = _entries.setdefault(name, {})
        for signature, symbol in signatures.items():
            known[signature] = entry_type(engine.get_function_address(symbol))


_never_called = ctypes.c_int64()


def table(name: str) -> npt.NDArray[np.uint8] | None:
    """Return a table that is kept with the kernels, if they are loaded."""
    return np.frombuffer(_tables[name], np.uint8) if name in _tables else None


def path_of(part: "Part") -> Path | None:
    """Return where the bundle of a part is, ``None`` if it is not."""
    return first_of(name_of(part))


def first_of(name: str) -> Path | None:
    """Return where a file is kept, ``None`` if it is nowhere."""
    return next((folder / name for folder in folders() if (folder / name).is_file()), None)


def write_first(name: str, data: bytes) -> None:
    """Keep a file in the first place that takes it, instead of older ones of its kind."""
    for folder in folders():
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            kind_and_place, _, rest = name.rpartition("-")
            unfinished = folder / f"{name}.{os.getpid()}.new"
            unfinished.write_bytes(data)
            for old in folder.glob(f"{kind_and_place}-*.{rest.rpartition('.')[2]}"):
                old.unlink(missing_ok=True)
            unfinished.replace(folder / name)
            return


def folders() -> list[Path]:
    """Return where bundles may be: beside the package, or in the cache of the user."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [Path(__file__).parent / "__pycache__", Path(home) / "bpe"]


@cache
def name_of(part: "Part") -> str:
    """Return the name of the bundle of a part: by this package, its libraries and this machine."""
    made_by = (
        package_stamp(), version("numba"), version("llvmlite"), version("regex"), np.__version__,
        sys.version, _processor(),
    )  # fmt: skip
    return file_name(part, made_by, "native")


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
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return tuple((file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in files)
