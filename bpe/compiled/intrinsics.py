"""Instructions as LLVM has them, which :mod:`bpe.compiled.instructions` adds to Numba.

Vectors are LLVM's: it makes the widest instructions of the processor of them.
"""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_WORD, _HALF, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)


def _instruction(result: Any, *more: Any, arrays: int = 0) -> Callable[[Any], Any]:
    """Return what makes an instruction of a function that adds LLVM's code by a builder.

    The instruction takes so many arrays, each with an index, of which the function is given
    pointers to bytes, and arguments of the kinds ``more``.
    """
    names = range(1 + 2 * arrays + len(more))
    parameters = [Parameter(f"_{name}", Parameter.POSITIONAL_ONLY) for name in names]

    def made(add: Callable[..., Any]) -> Any:
        def typed(typing_context: Any, *kinds: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                pointers = []
                for place in range(0, 2 * arrays, 2):
                    kind, array, index = signature.args[place], values[place], values[place + 1]
                    start = context.make_array(kind)(context, builder, array).data
                    item = context.get_data_type(kind.dtype)
                    pointer = builder.gep(start, [index], source_etype=item)
                    pointers.append(builder.bitcast(pointer, _BYTE.as_pointer()))
                value = add(builder, *pointers, *values[2 * arrays :])
                return context.get_dummy_value() if result is types.void else value

            of_arrays = [each for kind in kinds[: 2 * arrays : 2] for each in (kind, types.int64)]
            return result(*of_arrays, *more), generate

        unnamed: Any = typed
        unnamed.__signature__ = Signature(parameters)  # Numba has no arguments by the star
        return intrinsic(typed)

    return made


def _load(builder: Any, pointer: Any, kind: Any) -> Any:
    return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=1, typ=kind)


def _store(builder: Any, value: Any, pointer: Any) -> None:
    builder.store(value, builder.bitcast(pointer, value.type.as_pointer()), align=1)


@_instruction(types.uint64, types.uint64)
def trailing_zeros(builder: Any, number: Any) -> Any:
    """How many zero bits a uint64 ends with, 64 for zero."""
    return builder.cttz(number, ir.Constant(ir.IntType(1), 0))


@_instruction(types.uint64, types.uint64)
def ones(builder: Any, number: Any) -> Any:
    """How many bits of a uint64 are set."""
    return builder.ctpop(number)


@_instruction(types.uint64, arrays=1)
def load8(builder: Any, place: Any) -> Any:
    """``array[index : index + 8]`` as one little-endian uint64; all eight bytes must exist."""
    return _load(builder, place, _WORD)


@_instruction(types.void, arrays=2)
def copy16(builder: Any, source: Any, target: Any) -> None:
    """``copy16(source, at, target, start)`` copies 16 bytes; an item has at least four."""
    _store(builder, _load(builder, source, ir.VectorType(_WORD, 2)), target)


@_instruction(types.uint32, arrays=1)
def least16(builder: Any, place: Any) -> Any:
    """The least of ``array[index : index + 16]``, uint32; all must exist."""
    vector = ir.VectorType(_HALF, 16)
    least = builder.module.declare_intrinsic(
        "llvm.vector.reduce.umin.v16i32", (), ir.FunctionType(_HALF, [vector])
    )
    return builder.call(least, [_load(builder, place, vector)])


@_instruction(types.uint64, types.uint64, types.uint64, arrays=1)
def among64(builder: Any, place: Any, first: Any, count: Any) -> Any:
    """A bit for each of ``array[index : index + 64]``, bytes which all must exist.

    It is 1 where the byte is one of ``first``, ``first + 1`` ... of so many.
    """
    vector = ir.VectorType(_BYTE, 32)
    first, count = (_all_lanes(builder, number, vector) for number in (first, count))
    bits_of_all = ir.Constant(_WORD, 0)
    for part in range(2):  # the compiler halves them where a processor compares less at once
        start = builder.gep(place, [ir.Constant(_HALF, 32 * part)], source_etype=_BYTE)
        letters = _load(builder, start, vector)
        inside = builder.icmp_unsigned("<", builder.sub(letters, first), count)
        bits = builder.zext(builder.bitcast(inside, ir.IntType(32)), _WORD)
        bits_of_all = builder.or_(bits_of_all, builder.shl(bits, ir.Constant(_WORD, 32 * part)))
    return bits_of_all


def _all_lanes(builder: Any, number: Any, vector: Any) -> Any:
    lanes = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(lanes, builder.trunc(number, _BYTE), ir.Constant(_HALF, 0))
    zeros = ir.Constant(ir.VectorType(_HALF, 32), [0] * 32)
    return builder.shuffle_vector(one, lanes, zeros)


@_instruction(types.int64, types.int64, arrays=1)
def atomic_add(builder: Any, place: Any, number: Any) -> Any:
    """Add to ``array[index]``, an int64, in one step for all threads; return what it was.

    Whoever reads the sum by :func:`atomic_load` sees what this thread had written before.
    """
    pointer = builder.bitcast(place, _WORD.as_pointer())
    return builder.atomic_rmw("add", pointer, number, "seq_cst")


@_instruction(types.int64, arrays=1)
def atomic_load(builder: Any, place: Any) -> Any:
    """``array[index]``, an int64 that other threads may change meanwhile."""
    pointer = builder.bitcast(place, _WORD.as_pointer())
    return builder.load_atomic(pointer, "acquire", _WORD.width // 8, typ=_WORD)


@_instruction(types.void, arrays=1)
def prefetch(builder: Any, place: Any) -> None:
    """Have the line of ``array[index]`` fetched into the cache, and do not wait."""
    kinds = [place.type, _HALF, _HALF, _HALF]
    fetch = builder.module.declare_intrinsic(
        "llvm.prefetch", kinds[:1], ir.FunctionType(ir.VoidType(), kinds)
    )
    # To be read; into the nearest cache; data.
    builder.call(fetch, [place, *(ir.Constant(_HALF, choice) for choice in (0, 3, 1))])


def _load_at(bits: int) -> Any:
    """Return what reads so many bits of memory, at an address, as a little-endian uint64."""

    def add(builder: Any, address: Any) -> Any:
        value = _load(builder, builder.inttoptr(address, _BYTE.as_pointer()), ir.IntType(bits))
        return builder.zext(value, _WORD) if bits < _WORD.width else value

    return _instruction(types.uint64, types.uint64)(add)


load1_at, load2_at, load4_at, load8_at = map(_load_at, (8, 16, 32, 64))


@_instruction(types.void, types.uint64, arrays=1)
def store4(builder: Any, place: Any, number: Any) -> None:
    """Write the low four bytes of a uint64 into ``array[index : index + 4]``."""
    _store(builder, builder.trunc(number, _HALF), place)


@_instruction(types.void, types.uint64, types.int64, arrays=1)
def copy_from(builder: Any, place: Any, address: Any, size: Any) -> None:
    """Copy so many bytes of memory, from an address on, to ``array[index]`` and on."""
    copy: Any = cgutils.raw_memcpy
    copy(builder, place, builder.inttoptr(address, place.type), size, 1)
