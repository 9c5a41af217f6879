"""Instructions that Numba has no words for: several bytes at once, from any address."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import LINKED, Int, inlined

if not LINKED:
    from bpe.compiled import intrinsics  # only here: Numba takes long


def _instruction(name: str) -> Any:
    """Return what a kernel calls, and nothing where all kernels are compiled already."""
    return None if LINKED else getattr(intrinsics, name)


# trailing_zeros(number) is how many zero bits a uint64 ends with, 64 for zero.
trailing_zeros: Any = _instruction("trailing_zeros")

# ones(number) is how many bits of a uint64 are set.
ones: Any = _instruction("ones")

# load8(array, index) is array[index : index + 8] as one little-endian uint64; all eight must exist.
load8: Any = _instruction("load8")

# copy16(source, at, target, start) copies 16 bytes between arrays of items of at least four.
copy16: Any = _instruction("copy16")

# least16(array, index) is the least of array[index : index + 16], a uint32; all must exist.
least16: Any = _instruction("least16")

# among64(array, index, first, count) has a bit for each of array[index : index + 64], bytes which
# all must exist: 1 where it is one of first, first + 1 ... of so many.
among64: Any = _instruction("among64")

# prefetch(array, index) has the line of array[index] fetched into the cache, and does not wait.
prefetch: Any = _instruction("prefetch")

# load1_at(address) to load8_at(address) are as many bytes of memory as a little-endian uint64.
load1_at: Any = _instruction("load1_at")
load2_at: Any = _instruction("load2_at")
load4_at: Any = _instruction("load4_at")
load8_at: Any = _instruction("load8_at")

# store4(array, index, number) writes the low four bytes of a uint64 into array[index : index + 4].
store4: Any = _instruction("store4")

# copy_from(address, array, size) copies so many bytes of memory to the beginning of an array.
copy_from: Any = _instruction("copy_from")


@inlined
def low_bytes(array: npt.NDArray[np.uint8], place: Int, length: Int) -> Int:
    """Return ``length`` bytes (1 to 8) from ``place`` on as a number; eight bytes must exist."""
    return load8(array, place) & (np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - 8 * length))


@inlined
def hash_bytes(array: npt.NDArray[np.uint8], place: Int, length: Int, head: Int) -> Int:
    """Return a 64-bit hash of ``length`` bytes; seven more must exist behind them.

    ``head`` is the number of the first eight, or of all there are.
    """
    state = (head ^ np.uint64(length)) * np.uint64(0x9E3779B97F4A7C15)
    while length > 8:
        place += 8
        length -= 8
        state = (state ^ (state >> np.uint64(32)) ^ low_bytes(array, place, min(length, 8))) * (
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
