"""How LLVM makes machine code of a kernel: once, of the kernel with all that is inlined into it.

Numba optimises each function by itself and makes machine code of it, then again in each of its
callers. What only kernels call is left here as it is until it stands in a kernel, whose passes see
all of it; and a kernel that another one calls is called where it lies, not compiled once more.
"""

from typing import Any
from weakref import WeakKeyDictionary

from numba.core import codegen, compiler

_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler

kernels: WeakKeyDictionary[Any, tuple[str, Any, str]] = WeakKeyDictionary()
"""The kernel of each library that was compiled or loaded: name, types of arguments, symbol."""


class _Kernel(_Library):  # type: ignore[misc]
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.calls: list[tuple[str, Any, str]] = []

    def add_linking_library(self, library: Any) -> None:
        if library in kernels:
            self.calls.append(kernels[library])
        else:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        # Without the passes that Numba runs first, which are for reference counts.
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class _Inner(_Library):  # type: ignore[misc]
    """What kernels call: never run by itself, so that there is no machine code of it alone."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, *_arguments: object) -> None:
        """Do nothing: Numba notes the globals of Python code for what is called from Python."""


def _compiling(library: Any) -> Any:
    class Compiler(_Compiler):  # type: ignore[misc]
        def compile_extra(self, function: Any) -> Any:
            self.state.library = library(self.state.targetctx.codegen(), function.__qualname__)
            self.state.library.enable_object_caching()
            return super().compile_extra(function)

    return Compiler


KernelCompiler = _compiling(_Kernel)
InnerCompiler = _compiling(_Inner)
