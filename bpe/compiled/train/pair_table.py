"""The hash table from a pair of ids to a number, for learner and encoder.

Slots of two numbers lie side by side, so that a look-up reads one line of the cache::

    table    left << 32 | right,  number    EMPTY,  -    left << 32 | right,  number    ...

At least a quarter of the slots are empty, and their number is a power of two.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, inlined

EMPTY = np.int64(-1)

PairTable = npt.NDArray[np.int64]


def empty_pair_table(pairs: int) -> PairTable:
    slots = 16
    while 3 * slots < 4 * pairs:
        slots *= 2
    return np.full(2 * slots, EMPTY, np.int64)


@inlined
def pair_slot(table: PairTable, left: Int, right: Int) -> Int:
    """Return the index in ``table`` where the key of a pair is, or the empty one for it."""
    key = np.int64(left) << 32 | np.int64(right)
    mask = (len(table) >> 1) - 1
    slot = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while table[2 * slot] != key and table[2 * slot] != EMPTY:
        slot = (slot + 1) & mask
    return 2 * slot


@inlined
def enter_pair(table: PairTable, left: Int, right: Int, number: Int) -> None:
    slot = pair_slot(table, left, right)
    table[slot] = np.int64(left) << 32 | np.int64(right)
    table[slot + 1] = number
