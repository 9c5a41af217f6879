"""What the processor can do and plain Numba cannot say: several bytes at once, from any address.

Vectors are LLVM's: it makes the widest instructions of the processor of them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from bpe.compiled.compiling import Int, inlined

_WORD, _HALF, _BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)


def _address(context: Any, builder: Any, array: Any, index: Any, target: Any) -> Any:
    """Return a pointer to ``target`` at ``array[index]``; both come as (type, value)."""
    (array_type, value), (index_type, number) = array, index
    structure = context.make_array(array_type)(context, builder, value)
    offset = context.cast(builder, number, index_type, types.intp)
    item = context.get_data_type(array_type.dtype)
    return builder.bitcast(
        builder.gep(structure.data, [offset], source_etype=item), target.as_pointer()
    )


def _load8(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index = zip(signature.args, arguments, strict=True)
        address = _address(context, builder, array, index, _WORD)
        return builder.load(address, align=1, typ=_WORD)

    return types.uint64(array, index), generate


def _copy16(typing_context: Any, source: Any, at: Any, target: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(_WORD, 2)
        origin, at, goal, start = zip(signature.args, arguments, strict=True)
        value = builder.load(_address(context, builder, origin, at, vector), align=1, typ=vector)
        builder.store(value, _address(context, builder, goal, start, vector), align=1)
        return context.get_dummy_value()

    return types.void(source, at, target, start), generate


def _least16(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index = zip(signature.args, arguments, strict=True)
        vector = ir.VectorType(_HALF, 16)
        address = _address(context, builder, array, index, vector)
        numbers = builder.load(address, align=1, typ=vector)
        least = builder.module.declare_intrinsic(
            "llvm.vector.reduce.umin.v16i32", (), ir.FunctionType(_HALF, [vector])
        )
        return builder.call(least, [numbers])

    return types.uint32(array, index), generate


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index = zip(signature.args, arguments, strict=True)
        address = _address(context, builder, array, index, _BYTE)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [address.type],
            ir.FunctionType(ir.VoidType(), [address.type, _HALF, _HALF, _HALF]),
        )
        # To be read; into the nearest cache; data.
        builder.call(fetch, [address, *(ir.Constant(_HALF, choice) for choice in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, index), generate


def _trailing_zeros(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


# trailing_zeros(number) is how many zero bits a uint64 ends with, 64 for zero.
trailing_zeros: Any = intrinsic(_trailing_zeros)

# load8(array, index) is array[index : index + 8] as one little-endian uint64; all eight must exist.
load8: Any = intrinsic(_load8)

# copy16(source, at, target, start) copies 16 bytes between arrays of items of at least four.
copy16: Any = intrinsic(_copy16)

# least16(array, index) is the least of array[index : index + 16], a uint32; all must exist.
least16: Any = intrinsic(_least16)

# prefetch(array, index) has the line of array[index] fetched into the cache, and does not wait.
prefetch: Any = intrinsic(_prefetch)


@inlined
def low_bytes(array: npt.NDArray[np.uint8], at: Int, length: Int) -> Int:
    """Return ``length`` bytes (1 to 8) from ``at`` on as a number; eight bytes must exist."""
    return load8(array, at) & (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - 8 * length))


@inlined
def hash_bytes(array: npt.NDArray[np.uint8], at: Int, length: Int, head: Int) -> Int:
    """Return a 64-bit hash of ``length`` bytes; seven more must exist behind them.

    ``head`` is the number of the first eight, or of all there are.
    """
    state = (head ^ np.uint64(length)) * np.uint64(0x9E3779B97F4A7C15)
    while length > 8:
        at += 8
        length -= 8
        state = (state ^ (state >> np.uint64(32)) ^ low_bytes(array, at, min(length, 8))) * (
            np.uint64(0xFF51AFD7ED558CCD)
        )
    return state ^ (state >> np.uint64(32))


@inlined
def same_bytes(
    a: npt.NDArray[np.uint8], at_a: Int, b: npt.NDArray[np.uint8], at_b: Int, length: Int
) -> Int:
    """Return whether two stretches of ``length`` bytes are equal; seven more must exist behind."""
    while length > 8:
        if load8(a, at_a) != load8(b, at_b):
            return False
        at_a += 8
        at_b += 8
        length -= 8
    return low_bytes(a, at_a, length) == low_bytes(b, at_b, length)
