"""All that is private in Numba, in one file: without one of these names it cannot be imported.

Then Numba compiles and caches kernels as it usually does, and nothing is linked.

Numba optimises each function by itself and makes machine code of it, then again in each of its
callers. What only kernels call is left here as it is until it stands in a kernel, whose passes see
all of it; and a kernel that another one calls is called where it lies, not compiled once more.
"""

from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import types
from numba.core import codegen, compiler
from numba.np.numpy_support import as_dtype

_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler
_optimise: Any = codegen.CPUCodegen._module_pass_manager
_object_code: Any = _Library._get_compiled_object
for _name in ("_optimize_final_module", "_finalize_final_module", "enable_object_caching"):
    getattr(_Library, _name)

OPTIONS: dict[str, Any] = {"_nrt": False, "no_cfunc_wrapper": True}
"""No reference counts: kernels allocate nothing, and counting took four fifths of their time."""

OF_INNER: dict[str, Any] = {"no_cpython_wrapper": True}
"""To unpack the arguments of a call from Python takes a good part of compiling."""

_WORD = ir.IntType(64)
_RESULTS = types.Integer | types.Boolean | types.NoneType


class _Kernel(_Library):  # type: ignore[misc]
    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, _Kernel):
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        # Without the passes that Numba runs first, which are for reference counts.
        manager = _optimise(self._codegen)  # before Numba 0.62 without a builder
        passes, *builder = manager if isinstance(manager, tuple) else (manager,)
        passes.run(self._final_module, *builder)


class _Inner(_Library):  # type: ignore[misc]
    """A function that only kernels call, so that there is no machine code of it alone."""

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


def objects_of(compiled: Any, symbol: str) -> tuple[str, list[bytes]] | None:
    """Return the letters of its arguments and the object code of a compiled kernel.

    With it comes that of a function ``symbol``, from the address of a block to the result.
    ``None`` for a kernel that only others can call.
    """
    signature = "".join(map(_kind_of, compiled.fndesc.argtypes))
    if "!" in signature or not isinstance(compiled.fndesc.restype, _RESULTS):
        return None
    return signature, [_object_code(compiled.library), _entry(compiled, symbol)]


def _kind_of(kind: Any) -> str:
    """Return the letters by which :class:`.linked.Packed` names an argument."""
    if isinstance(kind, types.Array):
        if kind.ndim != 1 or kind.layout != "C":
            return "!"
        return str(as_dtype(kind.dtype).char)
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        return "".join(map(_kind_of, parts))
    return "." if isinstance(kind, types.Integer | types.Boolean) else "!"


def _entry(compiled: Any, symbol: str) -> bytes:
    description = compiled.fndesc
    convention = compiled.target_context.call_conv
    kernel_type = convention.get_function_type(description.restype, description.argtypes)
    module = ir.Module(symbol)
    kernel = ir.Function(module, kernel_type, description.llvm_func_name)
    entry = ir.Function(module, ir.FunctionType(_WORD, [_WORD.as_pointer()]), symbol)
    builder = ir.IRBuilder(entry.append_basic_block())
    result = builder.alloca(kernel_type.args[0].pointee)
    error = builder.alloca(kernel_type.args[1].pointee)
    arguments = [result, error]
    for number, wanted in enumerate(kernel_type.args[2:]):
        place = builder.gep(entry.args[0], [_WORD(number)])
        value = builder.load(place, align=1)
        if isinstance(wanted, ir.PointerType):
            value = builder.inttoptr(value, wanted)
        elif wanted.width < _WORD.width:
            value = builder.trunc(value, wanted)
        arguments.append(value)
    builder.call(kernel, arguments)
    if isinstance(description.restype, types.NoneType):
        builder.ret(_WORD(0))
    else:
        value = builder.load(result)
        if value.type.width < _WORD.width:
            signed = getattr(description.restype, "signed", False)
            value = (builder.sext if signed else builder.zext)(value, _WORD)
        builder.ret(value)
    machine = llvm.Target.from_default_triple().create_target_machine(
        opt=2, reloc="default", codemodel="jitdefault", jit=True
    )
    return bytes(machine.emit_object(llvm.parse_assembly(str(module))))
