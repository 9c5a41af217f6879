"""The one place that knows Numba: how a function of this package becomes machine code.

Every kernel releases the GIL, so that Python threads run side by side, and is kept on disk after
its first compilation. Numba notices a change of a kernel's own file only; here the stamp of a kept
kernel covers every file of the package, because kernels are inlined into each other.

Where kernels are kept on disk when this is imported, Numba is not: see :mod:`bpe.compiled.native`.
"""

import contextlib
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from bpe.compiled import PARTS, native

if TYPE_CHECKING:
    from bpe.compiled.kernel_cache import KernelCache

NATIVE = native.wanted and any(map(native.is_kept, PARTS))
"""Whether kernels of this process are those of :mod:`bpe.compiled.native`, or Numba's."""

if not NATIVE:
    import numba  # noqa: F401  # so that who imports this knows whether it works

# An integer or truth value: a Python ``int`` for the caller, 64 bits wide inside a kernel. The type
# checker knows neither that Numba widens what it reads from an array, nor that both are one type.
Int: TypeAlias = Any

caches: "list[KernelCache]" = []
"""Where each kernel that was imported is kept."""

Function = TypeVar("Function", bound=Callable[..., Any])

# No reference counts: kernels allocate nothing, and counting took four fifths of their time.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: Function) -> Function:
    """Compile ``function`` at its first call; keep the machine code on disk if a place is found."""
    if NATIVE:
        return cast(Function, native.Kernel(function))
    return _compiled(function, **_OPTIONS)


def inlined(function: Function) -> Function:
    """Compile ``function`` into each kernel that calls it.

    A call would copy every field of every array of its arguments, which costs more than most
    functions here.
    """
    if NATIVE:
        return function  # nobody calls it
    return _compiled(function, forceinline=True, **_OPTIONS)


def packed(*arguments: Any) -> Any:
    """Return arguments of a kernel that stay the same, in a form in which they are passed faster.

    They are arrays or named tuples of arrays; of these nothing may be replaced.
    """
    return (native.Packed(arguments),) if NATIVE else arguments


def by_name(name: str) -> Callable[..., int]:
    """Return a kernel by its module and name, which takes ``memoryview`` and ``bytes`` as arrays.

    Where kernels are kept nothing is imported, not even NumPy.
    """
    if NATIVE:
        return native.Kernel(name)
    module, _, function = name.rpartition(".")
    found: Callable[..., int] = getattr(import_module(module), function)
    return lambda *arguments: found(*map(_as_array, arguments))


def _as_array(value: Any) -> Any:
    if not isinstance(value, memoryview | bytes):
        return value
    import numpy as np

    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)


def _compiled(function: Function, **options: Any) -> Function:
    import numba

    from bpe.compiled.kernel_cache import KernelCache

    compiled = numba.njit(**options)(function)
    # RuntimeError: neither the package nor a cache directory of the user can be written.
    with contextlib.suppress(RuntimeError):
        compiled._cache = KernelCache(function, native.package_stamp())
        caches.append(compiled._cache)
    return cast(Function, compiled)
