"""The machine code of each kernel as Numba pickles it, for machines where kernels are not linked.

Numba's own cache takes what it finds: a file cut short or overwritten fails each later load, for
good. Here it lies in the files of :mod:`.cache`, where what is damaged counts as missing, so that
the kernel is compiled and written again.
"""

import pickle
from typing import Any
from weakref import WeakValueDictionary

from numba.core import caching, compiler, serialize

from bpe.compiled.loading import SOURCES, libraries
from bpe.compiled.loading.cache import CACHE, Entry, file_name, installed

_rebuild: Any = compiler.CompileResult._rebuild
_dumps: Any = serialize.dumps

_dispatchers: WeakValueDictionary[str, Any] = WeakValueDictionary()


class KernelCache(caching._Cache):
    """What is cached of one kernel: an array for each kind of arguments."""

    cache_path = None  # Numba asks for it, and only shows it

    def __init__(self, dispatcher: Any) -> None:
        function = dispatcher.py_func
        self._name = f"{function.__module__}.{function.__qualname__}"
        _dispatchers[self._name] = dispatcher
        self._file = file_name(
            self._name, "numba", SOURCES, installed("numba", "llvmlite", "numpy")
        )

        self.objects: dict[str, bytes] = {}
        """The object code of compiled or loaded functions, by Numba's name of the function."""

    def load_overload(self, signature: Any, context: Any) -> Any:
        context.refresh()
        cached = self._cached().get(_key(signature, context.codegen()))
        if cached is None:
            return None
        calls, reduced = pickle.loads(cached)
        for name, arguments, symbol in calls:
            called = _dispatchers[name]
            called.compile(arguments)
            if called.overloads[arguments].fndesc.llvm_func_name != symbol:
                return None  # it was compiled again, and has another name
        result = _rebuild(context, *reduced)
        self._note(result, reduced)
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        reduced = result._reduce()
        self._note(result, reduced)
        arrays = self._cached()
        arrays[_key(signature, result.codegen)] = memoryview(
            _dumps((result.library.calls, reduced))
        )
        CACHE.write(self._file, list(arrays.values()), {"arguments": list(arrays)})

    def _note(self, result: Any, reduced: Any) -> None:
        (_name, _kind, (object_code, _bitcode)), *_ = reduced
        symbol = result.fndesc.llvm_func_name
        self.objects[symbol] = object_code
        libraries.kernels[result.library] = self._name, result.signature.args, symbol

    def _cached(self) -> dict[str, memoryview]:
        entry = CACHE.read(self._file) or Entry({"arguments": []}, [])
        return dict(zip(entry.facts["arguments"], entry.arrays, strict=True))

    def enable(self) -> None:
        """Do nothing: it is used from the first."""

    def disable(self) -> None:
        """Do nothing: it is never disabled."""

    def flush(self) -> None:
        """Do nothing, as each kernel is written at once."""


def _key(signature: Any, codegen: Any) -> str:
    return repr((signature, codegen.magic_tuple()))
