"""What the processor can do and plain Numba cannot say: eight bytes at once, from any address."""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from bpe.kernels.compiling import Int, inlined


def _load8(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type, index_type = signature.args
        structure = context.make_array(array_type)(context, builder, arguments[0])
        offset = context.cast(builder, arguments[1], index_type, types.intp)
        address = builder.gep(structure.data, [offset], source_etype=ir.IntType(8))
        word = ir.IntType(64)
        return builder.load(builder.bitcast(address, word.as_pointer()), align=1, typ=word)

    return types.uint64(array, index), generate


def _trailing_zeros(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


# trailing_zeros(number) is how many zero bits a uint64 ends with, 64 for zero.
trailing_zeros: Any = intrinsic(_trailing_zeros)

# load8(array, index) is array[index : index + 8] as one little-endian uint64; all eight must exist.
load8: Any = intrinsic(_load8)


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
