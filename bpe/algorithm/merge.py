"""A merge: what training yields, and what a byte-level tokenizer is made of."""

from typing import NamedTuple

BYTES = 256


class Merge(NamedTuple):
    """One step of training: the ids of the two parts, of the whole, and how often they met."""

    left: int
    right: int
    new_id: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
