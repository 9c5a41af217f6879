"""How a function of this package becomes machine code.

Every kernel releases the GIL, so that Python threads run side by side. Linked kernels do without
Numba (:mod:`bpe.compiled.loading`): where these are cached when this is imported, Numba is not.
Where kernels cannot be linked, Numba caches them as it usually does.
"""

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias, TypeVar, cast

from bpe.compiled import loading
from bpe.compiled.loading import linked

LINKED = any(map(loading.is_linked, loading.PARTS))
"""Whether kernels of this process are linked ones, or Numba's."""

private: Any = None
"""The module of what is private in Numba, where kernels are compiled to be linked."""

if not LINKED:
    import numba  # so that who imports this knows whether it works

    if loading.can_link:
        with contextlib.suppress(ImportError, AttributeError, TypeError):  # another Numba
            from bpe.compiled.loading import numba_private as private  # only here: it takes long

# An integer or truth value: a Python ``int`` for the caller, 64 bits wide inside a kernel. The type
# checker knows neither that Numba widens what it reads from an array, nor that both are one type.
Int: TypeAlias = Any

kernels: dict[str, Any] = {}
"""The kernels of Numba that were imported, by their names."""

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: Function) -> Function:
    """Compile ``function`` at its first call."""
    if LINKED:
        return cast(Function, linked.Kernel(function))
    if private is None:
        with _cache_of_numba():
            return cast(Function, _compiled(function, cache=True))
    made = private.Kernel(function, _compiled(function, pipeline_class=private.KernelCompiler))
    kernels[made.name] = made
    return cast(Function, made)


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
    if private is not None:
        options |= private.OF_INNER | {"pipeline_class": private.InnerCompiler}
    return _compiled(function, **options)


def _compiled(function: Function, **options: Any) -> Any:
    njit: Any = numba.njit  # its types do not know all of its options
    more = {} if private is None else private.OPTIONS
    return njit(**_OPTIONS, **more, **options)(function)


@contextlib.contextmanager
def _cache_of_numba() -> Iterator[None]:
    """Have Numba cache kernels in a folder of its own for each version of this package.

    It notes when the file of a kernel was changed, but not what is inlined from other files.
    """
    config: Any = numba.config
    before, folder = config.CACHE_DIR, loading.folder_of_numba()
    if folder is not None:
        config.CACHE_DIR = str(folder)
    yield
    config.CACHE_DIR = before


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
    kernel_of_numba: Callable[..., int] = getattr(import_module(module), function)
    return lambda *arguments: kernel_of_numba(*map(_as_array, arguments))


def _as_array(value: Any) -> Any:
    if not isinstance(value, memoryview | bytes):
        return value
    import numpy as np

    return np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)
