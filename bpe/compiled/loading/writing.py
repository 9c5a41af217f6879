"""Writing what is cached of a part, in the process that compiles it."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import types

from bpe.compiled import loading
from bpe.compiled.loading.cache import CACHE
from bpe.compiled.loading.linking import Image, LinkError, link

_WORD = ir.IntType(64)
_RESULTS = types.Integer | types.Boolean | types.NoneType

_log = logging.getLogger(__name__)


def write(part: loading.Part, kernels: Mapping[str, Any], tables: Mapping[str, bytes]) -> None:
    """Write the file of a part: its kernels by their names, as they were compiled for arguments.

    ``tables`` are what kernels read and what takes long to make.
    """
    facts: dict[str, Any] = {}
    arrays: list[bytes] = []
    if loading.can_link:
        try:
            entries, image = _linked(kernels)
        except LinkError as error:
            _log.warning("Kernels cannot be linked here (%s); they load more slowly.", error)
        else:
            arrays = [image.code, *tables.values()]
            facts = {
                "entries": entries,
                "addresses": image.addresses,
                "imports": image.imports,
                "tables": list(tables),
            }
    CACHE.write(loading.name_of(part), arrays, facts)


def _linked(kernels: Mapping[str, Any]) -> tuple[dict[str, dict[str, int]], Image]:
    """Link kernels with entries; return where the entry for each kind of arguments is."""
    symbols: dict[str, dict[str, str]] = {}
    objects: list[bytes] = []
    for name, kernel in kernels.items():
        for compiled in kernel.overloads.values():
            signature = "".join(map(_kind_of, compiled.fndesc.argtypes))
            known = symbols.setdefault(name, {})
            if "!" in signature or not isinstance(compiled.fndesc.restype, _RESULTS):
                continue  # only other kernels call it
            if signature not in known:  # arrays that may be written and others are passed alike
                function = compiled.fndesc.llvm_func_name
                known[signature] = f"bpe_{hashlib.sha256(function.encode()).hexdigest()[:24]}"
                objects += [kernel._cache.objects[function], _entry(compiled, known[signature])]
    image = link(objects, [symbol for known in symbols.values() for symbol in known.values()])
    entries = {
        name: {signature: image.symbols[symbol] for signature, symbol in known.items()}
        for name, known in symbols.items()
    }
    return entries, image


def _kind_of(kind: Any) -> str:
    """Return the letters by which :class:`.linked.Packed` names an argument."""
    if isinstance(kind, types.Array):
        if kind.ndim != 1 or kind.layout != "C":
            return "!"
        from numba.np.numpy_support import as_dtype

        return str(as_dtype(kind.dtype).char)
    if isinstance(kind, types.BaseTuple):
        parts: Any = kind
        return "".join(map(_kind_of, parts))
    return "." if isinstance(kind, types.Integer | types.Boolean) else "!"


def _entry(compiled: Any, symbol: str) -> bytes:
    """Return object code of a function from the address of a block to the kernel's result."""
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
        found = builder.load(result)
        if found.type.width < _WORD.width:
            signed = getattr(description.restype, "signed", False)
            found = (builder.sext if signed else builder.zext)(found, _WORD)
        builder.ret(found)
    machine = llvm.Target.from_default_triple().create_target_machine(
        opt=2, reloc="default", codemodel="jitdefault", jit=True
    )
    parsed = llvm.parse_assembly(str(module))
    return bytes(machine.emit_object(parsed))
