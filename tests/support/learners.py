"""The compiled learner in its corners, which ordinary words do not reach."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bpe.compiled.train import learner


@contextmanager
def interrupted() -> Iterator[None]:
    """Interrupt every kernel after a few places, in the middle of words and rounds.

    Pairs are expected to be so frequent that they run out, and rare ones have to be found again.
    """
    budgets = {"_LEAST_BUDGET": 1, "_FIRST_BUDGET": 3, "_MOST_BUDGET": 3}
    floor = {"_FLOOR_DIVISOR": 1, "_FLOOR_FALLS_BY": 2}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**budgets, **floor}.items():
            patch.setattr(learner, name, value)
        yield
