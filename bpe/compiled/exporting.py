"""Writing the bundles of :mod:`bpe.compiled.native`, in the process that compiles."""

import hashlib
import json
import logging
import struct
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import types

from bpe.compiled import Part, native
from bpe.compiled.encode.workspace import workspace_layout
from bpe.compiled.linking import LinkError, link
from bpe.compiled.unicode_classes import class_table

SUFFIX = ".o"
_WORD = ir.IntType(64)

_log = logging.getLogger(__name__)


def save_object(compiled: Any, path: Path) -> None:
    """Keep the machine code of a kernel that was just compiled, with an entry that calls it."""
    signature = "".join(map(_kind_of, compiled.fndesc.argtypes))
    result = compiled.fndesc.restype
    if "!" in signature or not isinstance(result, types.Integer | types.Boolean | types.NoneType):
        return  # only other kernels call it
    symbol = f"bpe_{hashlib.sha256(compiled.fndesc.llvm_func_name.encode()).hexdigest()[:24]}"
    objects = [compiled.library._get_compiled_object(), _entry(compiled, symbol)]
    header = json.dumps([signature, symbol, list(map(len, objects))]).encode()
    path.write_bytes(struct.pack("Q", len(header)) + header + b"".join(objects))


def _kind_of(kind: Any) -> str:
    """Return the letters by which :class:`bpe.compiled.native.Packed` names an argument."""
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


def keep_bundle(part: Part, kernels: dict[str, list[Path]]) -> None:
    """Write the bundle of a part from the kept objects of its kernels, by their names.

    Does nothing where they cannot be linked: then Numba loads them each time.
    """
    symbols: dict[str, dict[str, str]] = {}
    objects: list[bytes] = []
    for name, files in kernels.items():
        for file in files:
            data = file.read_bytes()
            start = 8 + struct.unpack_from("Q", data)[0]
            signature, symbol, (size, _rest) = json.loads(data[8:start])
            known = symbols.setdefault(name, {})
            if signature not in known:  # arrays that may be written and others are passed alike
                known[signature] = symbol
                objects += [data[start : start + size], data[start + size :]]
    try:
        image = link(objects, [symbol for known in symbols.values() for symbol in known.values()])
    except LinkError as error:
        _log.warning("Kernels cannot be linked here (%s); they load more slowly.", error)
        return
    entries = {
        name: {signature: image.symbols[symbol] for signature, symbol in known.items()}
        for name, known in symbols.items()
    }
    tables = {"classes": class_table().tobytes()}
    header = json.dumps(
        {
            "entries": entries,
            "addresses": image.addresses,
            "imports": image.imports,
            "workspaces": {"encode": workspace_layout()} if part == "encode" else {},
            "tables": list(tables),
            "sizes": [len(image.code), *map(len, tables.values())],
        }
    ).encode()
    body = b"".join([struct.pack("Q", len(header)), header, image.code, *tables.values()])
    native.write_first(native.name_of(part), hashlib.sha256(body).digest() + body)
