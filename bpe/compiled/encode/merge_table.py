"""The hash table of an encoder, from two ids to the priority of their merge.

Most of the time of merging is waiting for this table, so a slot is a single number::

    bits     63 ... 44   43 ... 24   23 ... 0
             left id     right id    priority          all bits set: an empty slot

At least half of the slots are empty, and their number is a power of two.
"""

import numpy as np
import numpy.typing as npt

from bpe.compiled.compiling import Int, inlined

MOST_IDS = 1 << 20
NO_PRIORITY = 0x7FFFFFFF

_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_PRIORITY = np.uint64(0xFFFFFF)
_PRIORITY_BITS = np.uint64(24)

MergeTable = npt.NDArray[np.uint64]


def empty_merge_table(merges: int) -> MergeTable:
    slots = 16
    while slots < 2 * merges:
        slots *= 2
    return np.full(slots, _EMPTY, np.uint64)


@inlined
def merge_slot(table: MergeTable, left: Int, right: Int) -> Int:
    """Return the index of the slot of a pair, or of the empty one for it."""
    key = np.uint64(left) << np.uint64(20) | np.uint64(right)
    mask = len(table) - 1
    slot = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while table[slot] != _EMPTY and table[slot] >> _PRIORITY_BITS != key:
        slot = (slot + 1) & mask
    return slot


@inlined
def priority_in(table: MergeTable, left: Int, right: Int) -> Int:
    """Return the priority of a pair, or :data:`NO_PRIORITY`."""
    found = table[merge_slot(table, np.int64(left), np.int64(right))]
    return np.int64(NO_PRIORITY) if found == _EMPTY else np.int64(found & _PRIORITY)


@inlined
def enter_merge(table: MergeTable, left: Int, right: Int, priority: Int) -> None:
    """Enter a pair, unless it is there already."""
    slot = merge_slot(table, left, right)
    if table[slot] == _EMPTY:
        table[slot] = (
            np.uint64(left) << np.uint64(44)
            | np.uint64(right) << _PRIORITY_BITS
            | np.uint64(priority)
        )


def merges_in(table: MergeTable) -> npt.NDArray[np.int64]:
    """Return left id, right id and priority of each pair, a row for each, by priority."""
    used = table[table != _EMPTY]
    ids = np.uint64(MOST_IDS - 1)
    columns = (used >> np.uint64(44), used >> _PRIORITY_BITS & ids, used & _PRIORITY)
    rows = np.stack(columns, axis=1).astype(np.int64)
    return rows[np.argsort(rows[:, 2])]
