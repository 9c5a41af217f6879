"""All that is private in Numba, in one file: without one of these names it cannot be imported.

Then Numba compiles and caches kernels as it usually does, and nothing is linked.

Numba optimises each function by itself and makes machine code of it, then again in each of its
callers. What only kernels call is left here as it is until it stands in a kernel, whose passes see
all of it; and a kernel that another one calls is called where it lies, not compiled once more.
"""

import hashlib
from functools import partial
from types import MappingProxyType
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import typeof, types
from numba.core import codegen, compiler, compiler_machinery, typed_passes, untyped_passes

from bpe.compiled.loading import linked

_Library: Any = codegen.JITCodeLibrary
_Compiler: Any = compiler.Compiler
_passes: Any = compiler_machinery._pass_registry
_optimise: Any = codegen.CPUCodegen._module_pass_manager
_object_code: Any = _Library._get_compiled_object
for _name in ("_optimize_final_module", "_finalize_final_module", "enable_object_caching"):
    getattr(_Library, _name)

OPTIONS: dict[str, Any] = {"_nrt": False, "no_cfunc_wrapper": True}
"""No reference counts: kernels allocate nothing, and counting took four fifths of their time."""

OF_INNER: dict[str, Any] = {"no_cpython_wrapper": True}

_PASSES = [
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
]
"""Of what Numba does to a function, what kernels need."""

_WORD = ir.IntType(64)
_RESULTS = types.Integer | types.Boolean | types.NoneType


class _Code(_Library):  # type: ignore[misc]
    def _optimize_functions(self, module: Any) -> None:
        """Leave to the kernel, as a whole, what Numba does to each function before and after."""
        module.data_layout = self._codegen._data_layout


class _Kernel(_Code):
    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, _Kernel) and library not in self._linking_libraries:
            super().add_linking_library(library)
            for each in library._linking_libraries if isinstance(library, _Inner) else ():
                self.add_linking_library(each)

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr:  # no other module calls it
                function.linkage = llvm.Linkage.internal
        # Without the passes that Numba runs first, which are for reference counts.
        manager = _optimise(self._codegen)  # before Numba 0.62 without a builder
        passes, *builder = manager if isinstance(manager, tuple) else (manager,)
        passes.run(self._final_module, *builder)


class _Inner(_Code):
    """A function that only kernels call, so that there is no machine code of it alone."""

    def finalize(self) -> None:
        """Do nothing: what it calls is linked where the kernel is, once."""
        self._finalized = True

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, *_arguments: object) -> None:
        """Do nothing: Numba notes the globals of Python code for what is called from Python."""


class _Passes:
    """Passes one after the other. Numba does as much again to note, check and renew what it knows
    of a function between them, which none of these asks for."""

    pipeline_name, exec_times = "kernels", MappingProxyType[str, Any]({})

    def run(self, state: Any) -> None:
        for each in _PASSES:
            _passes.get(each).pass_inst.run_pass(state)


_known: dict[Any, Any] = {}


def _resolved(context_type: Any, context: Any, function: Any, kinds: Any, named: Any) -> Any:
    """Return what the type of a call is. Numba tries all that a function may be, at each call."""
    if named or not isinstance(function, types.Function):
        return context_type.resolve_function_type(context, function, kinds, named)
    key = function, kinds
    if key not in _known:
        _known[key] = context_type.resolve_function_type(context, function, kinds, named)
    return _known[key]


def _compiling(library: Any) -> Any:
    class Compiler(_Compiler):  # type: ignore[misc]
        def compile_extra(self, function: Any) -> Any:
            context, typing = self.state.targetctx, self.state.typingctx
            typing.resolve_function_type = partial(_resolved, type(typing), typing)
            context.create_cpython_wrapper = partial(_add_entry, context)
            self.state.library = library(context.codegen(), function.__qualname__)
            self.state.library.enable_object_caching()
            return super().compile_extra(function)

        def define_pipelines(self) -> list[Any]:
            return [_Passes()]

    return Compiler


KernelCompiler = _compiling(_Kernel)
InnerCompiler = _compiling(_Inner)


class Kernel(linked.Kernel[Any]):
    """A kernel that is compiled for the arguments of its first call, and called as linked ones are.

    Numba's own way to unpack the arguments of a call from Python took a good part of compiling.
    """

    def __init__(self, function: Any, compiled: Any) -> None:
        super().__init__(function)
        self.compiled = compiled
        self._numba_type_ = compiled._numba_type_
        self._entries: dict[str, linked.Call] = {}
        self.symbols: dict[str, str] = {}
        """The name of its entry for each kind of arguments that it was called with."""

    def entry(self, signature: str, arguments: tuple[Any, ...]) -> linked.Call:
        if signature not in self._entries:
            kinds = tuple(map(typeof, arguments))
            self.compiled.compile(kinds)
            made = self.compiled.overloads[kinds]
            self.symbols[signature] = _symbol(made.fndesc)
            address = made.library.get_pointer_to_function(self.symbols[signature])
            self._entries[signature] = linked.call_type(address)
        return self._entries[signature]

    def objects(self) -> list[bytes]:
        """Return its object code, also as it was compiled for others that call it."""
        return [_object_code(made.library) for made in self.compiled.overloads.values()]


def _symbol(description: Any) -> str:
    """Return the name of the entry of a kernel."""
    return f"bpe_{hashlib.sha256(description.llvm_func_name.encode()).hexdigest()[:24]}"


def _add_entry(context: Any, library: Any, description: Any, *_: Any, **_options: Any) -> None:
    """Add a function to the code of a kernel, from the address of a block to the result."""
    if not isinstance(description.restype, _RESULTS):
        return
    kernel_type = context.call_conv.get_function_type(description.restype, description.argtypes)
    module = library.create_ir_module(_symbol(description))
    kernel = ir.Function(module, kernel_type, description.llvm_func_name)
    entry_type = ir.FunctionType(_WORD, [_WORD.as_pointer()])
    entry = ir.Function(module, entry_type, _symbol(description))
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
    library.add_ir_module(module)
