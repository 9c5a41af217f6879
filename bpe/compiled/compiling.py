"""The one place that knows Numba: how a function of this package becomes machine code.

Every kernel releases the GIL, so that Python threads run side by side, and is cached on disk after
its first compilation. Where linked kernels are cached when this is imported, Numba is not: see
:mod:`bpe.compiled.loading`.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias, TypeVar, cast

from bpe.compiled import loading
from bpe.compiled.loading import linked

LINKED = any(map(loading.is_linked, loading.PARTS))
"""Whether kernels of this process are linked ones, or Numba's."""

if not LINKED:
    import numba  # noqa: F401  # so that who imports this knows whether it works

# An integer or truth value: a Python ``int`` for the caller, 64 bits wide inside a kernel. The type
# checker knows neither that Numba widens what it reads from an array, nor that both are one type.
Int: TypeAlias = Any

kernels: dict[str, Any] = {}
"""The kernels of Numba that were imported, by their names."""

Function = TypeVar("Function", bound=Callable[..., Any])

# No reference counts: kernels allocate nothing, and counting took four fifths of their time.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cfunc_wrapper": True,
}


def kernel(function: Function) -> Function:
    """Compile ``function`` at its first call; cache the machine code on disk."""
    if LINKED:
        return cast(Function, linked.Kernel(function))
    from bpe.compiled.loading.libraries import KernelCompiler  # only here: Numba takes long
    from bpe.compiled.loading.numba_cache import KernelCache  # only here: Numba takes long

    compiled = _compiled(function, pipeline_class=KernelCompiler)
    compiled._cache = KernelCache(compiled)
    kernels[f"{function.__module__}.{function.__qualname__}"] = compiled
    return cast(Function, compiled)


def routine(function: Function) -> Function:
    """Compile ``function``, which only kernels call, by itself."""
    return function if LINKED else _inner(function)


def inlined(function: Function) -> Function:
    """Compile ``function`` into each kernel that calls it.

    A call would copy every field of every array of its arguments, which costs more than most
    functions here.
    """
    return function if LINKED else _inner(function, forceinline=True)


def _inner(function: Function, **options: Any) -> Any:
    from bpe.compiled.loading.libraries import InnerCompiler  # only here: Numba takes long

    # To unpack the arguments of a call from Python takes a good part of compiling.
    return _compiled(function, no_cpython_wrapper=True, pipeline_class=InnerCompiler, **options)


def _compiled(function: Function, **options: Any) -> Any:
    import numba

    njit: Any = numba.njit  # its types do not know all of its options
    return njit(**_OPTIONS, **options)(function)


def packed(*arguments: Any) -> Any:
    """Return arguments of a kernel that stay the same, in a form in which they are passed faster.

    They are arrays or named tuples of arrays; of these nothing may be replaced.
    """
    return (linked.Packed(arguments),) if LINKED else arguments


def prepared(kernel: Callable[..., int], *arguments: Any) -> Callable[[], int]:
    """Return a call of a kernel in memory that is the same each time; a linked one packs it once.

    The caller keeps what the arguments point to alive.
    """
    if isinstance(kernel, linked.Kernel):
        return kernel.prepared(*arguments)
    return partial(kernel, *arguments)


def by_name(name: str) -> Callable[..., int]:
    """Return a kernel by its module and name, which takes ``memoryview`` and ``bytes`` as arrays.

    Where kernels are linked nothing is imported, not even NumPy.
    """
    if LINKED:
        return linked.Kernel(name)
    module, _, function = name.rpartition(".")
    found: Callable[..., int] = getattr(import_module(module), function)
    return lambda *arguments: found(*map(_as_array, arguments))


def _as_array(value: Any) -> Any:
    if not isinstance(value, memoryview | bytes):
        return value
    import numpy as np

    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)
