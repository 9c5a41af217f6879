"""How many merges rare words, left out, could not have changed; see :mod:`bpe.scale.pruning`."""

import numpy as np
import numpy.typing as npt

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import BYTES, Recipe
from bpe.algorithm.whole_characters import joinable
from bpe.compiled.train import merging
from bpe.compiled.train.learner import CompiledTraining, in_alphabet
from bpe.text.byte_alphabet import IN_ORDER


def certain_merges(words: WordCounts, lost: npt.NDArray[np.int64], recipe: Recipe) -> int:
    """Return what :func:`bpe.scale.pruning.certain_merges_slowly` returns.

    It may be less where rare pairs, which have no row, might come first.
    """
    if recipe.tie_break == "huggingface":
        words, lost = in_alphabet(words), lost[np.ix_(IN_ORDER, IN_ORDER)]
    training = CompiledTraining(recipe)
    for _ in training.prepare(words):
        pass
    if not lost.any():
        for _ in training.merge_up_to(training.last_id):
            pass
        return int(training.progress[merging.NEXT_ID]) - training.first_id
    spelled = {byte: bytes([byte]) for byte in range(BYTES)}
    first = np.zeros(training.last_id, np.int64)  # the first and the last byte of each id
    first[:BYTES] = np.arange(BYTES)
    last = first.copy()
    unseen = int(lost.max())
    for new in range(training.first_id, training.last_id):
        pairs = training.pairs
        count = int(training.progress[merging.PAIR_COUNT])
        left, right = pairs.left[:count].copy(), pairs.right[:count].copy()
        may_lack = lost[last[left], first[right]]
        most = np.where(may_lack > 0, pairs.total[:count] + may_lack, 0)
        most_without_row = training.floor - 1 + unseen
        for _ in training.merge_up_to(new + 1):
            pass
        if training.progress[merging.NEXT_ID] == new:
            return new - training.first_id
        vocabulary = training.vocabulary
        merged = int(vocabulary.left[new]), int(vocabulary.right[new])
        best = int(vocabulary.total[new])
        rivals = (
            (int(left[row]), int(right[row])) for row in np.flatnonzero(most >= best).tolist()
        )
        if most_without_row >= best or any(
            pair != merged
            and (not recipe.whole_characters or joinable(spelled[pair[0]], spelled[pair[1]]))
            for pair in rivals
        ):
            return new - training.first_id
        spelled[new] = spelled[merged[0]] + spelled[merged[1]]
        first[new], last[new] = first[merged[0]], last[merged[1]]
    return training.last_id - training.first_id
