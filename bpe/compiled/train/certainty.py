"""How many merges rare words, left out, could not have changed; see :mod:`bpe.scale.pruning`."""

import numpy as np
import numpy.typing as npt

from bpe.compiled.train import merging
from bpe.compiled.train.learner import CompiledTraining
from bpe.training.counts import WordCounts
from bpe.training.recipe import BYTES, Recipe


def certain_merges(words: WordCounts, lost: npt.NDArray[np.int64], recipe: Recipe) -> int:
    """Return what :func:`bpe.scale.pruning.certain_merges_slowly` returns."""
    training = CompiledTraining(recipe)
    for _ in training.prepare(words):
        pass
    first = np.zeros(training.last_id, np.int64)  # the first and the last byte of each id
    first[:BYTES] = np.arange(BYTES)
    last = first.copy()
    unseen = int(lost.max(initial=0))
    while (new := int(training.progress[merging.NEXT_ID])) < training.last_id:
        pairs = training.pairs
        count = int(training.progress[merging.PAIR_COUNT])
        left, right, total = pairs.left[:count], pairs.right[:count], pairs.total[:count]
        if not count:
            break
        best = int(total.argmax())
        certain = int(total[best])
        above = total + lost[last[left], first[right]]
        above[best] = 0
        # A pair without a row occurs less often than the floor among the words that are here.
        others = max(int(above.max()), training.floor - 1 + unseen)
        if certain < recipe.min_frequency or certain <= others:
            break
        first[new], last[new] = first[left[best]], last[right[best]]
        for _ in training.merge_up_to(new + 1):
            pass
    return int(training.progress[merging.NEXT_ID]) - recipe.first_merge_id
