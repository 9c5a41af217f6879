"""The one place that knows Numba: how a function of this package becomes machine code.

Every kernel releases the GIL, so that Python threads run side by side, and is kept on disk after
its first compilation. Numba notices a change of a kernel's own file only; here the stamp of a kept
kernel covers every file of the package, because kernels are inlined into each other.
"""

import contextlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numba

from bpe.compiled.kernel_cache import KernelCache

# An integer or truth value: a Python ``int`` for the caller, 64 bits wide inside a kernel. The type
# checker knows neither that Numba widens what it reads from an array, nor that both are one type.
Int: TypeAlias = Any

caches: list[KernelCache] = []
"""Where each kernel that was imported is kept."""

Function = TypeVar("Function", bound=Callable[..., Any])

# No reference counts: kernels allocate nothing, and counting took four fifths of their time.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: Function) -> Function:
    """Compile ``function`` at its first call; keep the machine code on disk if a place is found."""
    return _compiled(function, **_OPTIONS)


def inlined(function: Function) -> Function:
    """Compile ``function`` into each kernel that calls it.

    A call would copy every field of every array of its arguments, which costs more than most
    functions here.
    """
    return _compiled(function, forceinline=True, **_OPTIONS)


def _compiled(function: Function, **options: Any) -> Function:
    compiled = numba.njit(**options)(function)
    # RuntimeError: neither the package nor a cache directory of the user can be written.
    with contextlib.suppress(RuntimeError):
        compiled._cache = KernelCache(function, package_stamp())
        caches.append(compiled._cache)
    return cast(Function, compiled)


@cache
def package_stamp() -> tuple[tuple[str, int, int], ...]:
    """Return name, time of change and size of each file here: a change of one renews all."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return tuple((file.name, file.stat().st_mtime_ns, file.stat().st_size) for file in files)
