"""Whole numbers, as Python, NumPy and others have them."""

from operator import index
from typing import Any


def whole_number(value: Any, *, at_least: int | None = None) -> int | None:
    """Return a whole number that is large enough; ``None`` for all else, truth values included.

    >>> whole_number(3, at_least=1), whole_number(True, at_least=1), whole_number(3.0, at_least=1)
    (3, None, None)
    """
    try:
        number = index(value)
    except TypeError:
        return None
    too_small = at_least is not None and number < at_least
    return None if isinstance(value, bool) or too_small else number
