"""Instructions that Numba has no words for: several bytes at once, from any address."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import LINKED, Int, inlined

if not LINKED:
    from bpe.compiled import intrinsics  # only here: Numba takes long


def _instruction(name: str) -> Any:
    """Return what kernels call, and nothing where all of them are compiled already."""
    return None if LINKED else getattr(intrinsics, name)


trailing_zeros, ones = map(_instruction, ("trailing_zeros", "ones"))
load8, copy16, copy_from = map(_instruction, ("load8", "copy16", "copy_from"))
least16, among64, prefetch = map(_instruction, ("least16", "among64", "prefetch"))
load1_at, load2_at, load4_at, load8_at = (_instruction(f"load{size}_at") for size in (1, 2, 4, 8))
atomic_add, atomic_load = map(_instruction, ("atomic_add", "atomic_load"))
store4 = _instruction("store4")


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
