"""Learn from more words than memory holds: leave the rarest out, and say what that may change.

The rule: words that occur less often than ``at_least`` are left out. The bound: two symbols that
meet in a word that was left out meet at two bytes, the last of one and the first of the other. So
a pair occurs at most as often more than counted as these two bytes do in all the words left out. A
merge is *certain*, the merge of all words, if no other pair of which something was left out could
occur as often. The first merge that is not certain may differ, and with it all that follow.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from bpe import compiled
from bpe.algorithm.basic import count_pairs, merge_pair
from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import BYTES, Recipe
from bpe.algorithm.whole_characters import joinable
from bpe.errors import BPEError
from bpe.scale import count_files
from bpe.training.algorithms.byte_bpe import learn_by_recounting

MOST_COUNTED = 1_000
"""Up to this count :func:`floor_that_fits` looks for a floor."""


@dataclass(frozen=True)
class Pruned:
    """The words that are left, and what is known of the others."""

    words: WordCounts
    at_least: int
    left_out: int
    """How many different words were left out."""
    occurrences: int
    """How often they occur together."""
    lost: npt.NDArray[np.int64] = field(repr=False)
    """How often each byte stands before each other byte in them: int64[256, 256]."""


def read(url: str, at_least: int) -> Pruned:
    """Read a file of counts without the words that occur less often than ``at_least``.

    Memory holds the words that are left, and one part of the others.
    """
    if at_least < 1:
        raise BPEError("A word occurs at least once; leave out from 2 on.")
    lost = np.zeros((BYTES, BYTES), np.int64)
    left_out = occurrences = 0

    def keep(words: WordCounts) -> npt.NDArray[np.bool_]:
        nonlocal left_out, occurrences
        rare = words.counts < at_least
        left_out += int(rare.sum())
        occurrences += int(words.counts[rare].sum())
        _add_pairs(words, rare, lost)
        return ~rare

    words = count_files.read(url, keep=keep)
    if left_out and words.counted is not None:
        name = f"{words.counted.digest} without words below {at_least}"
        digest = hashlib.sha256(name.encode()).hexdigest()[:16]
        words = replace(words, counted=replace(words.counted, digest=digest))
    return Pruned(words, at_least, left_out, occurrences, lost)


def _add_pairs(words: WordCounts, rare: npt.NDArray[np.bool_], lost: npt.NDArray[np.int64]) -> None:
    lengths = np.diff(words.offsets)
    weights = np.repeat(np.where(rare, words.counts, 0), lengths)
    weights[words.offsets[1:] - 1] = 0  # the last byte of a word has none behind it
    here = np.flatnonzero(weights)
    np.add.at(lost, (words.text[here], words.text[here + 1]), weights[here])


def floor_that_fits(url: str, memory: int) -> int:
    """Return the least count of words such that training on those that have it fits into memory.

    ``memory`` is in bytes; training takes :func:`bpe.compiled.train.learner.estimated_memory`.
    Raises :class:`BPEError` where words of every count up to :data:`MOST_COUNTED` are too many.
    """
    from bpe.compiled.train.learner import estimated_memory  # only here: its kernels take long

    sizes = np.zeros(MOST_COUNTED + 1, np.int64)  # bytes of the words of each count
    with count_files.opened(url) as file:
        for _, words in file.parts():
            counts = np.minimum(words.counts, MOST_COUNTED)
            np.add.at(sizes, counts, np.diff(words.offsets))
    bytes_left = np.cumsum(sizes[::-1])[::-1]
    for at_least in range(1, MOST_COUNTED + 1):
        if estimated_memory(int(bytes_left[at_least])) <= memory:
            return at_least
    raise BPEError(
        "The words that occur {most} times or more alone need {needed} MB to train on, and "
        "{memory} MB are given. Train on counts of a part of the corpus.",
        most=f"{MOST_COUNTED:,}",
        needed=f"{estimated_memory(int(bytes_left[-1])) >> 20:,}",
        memory=f"{memory >> 20:,}",
    )


def certain_merges(pruned: Pruned, recipe: Recipe) -> int:
    """Return how many of the first merges are those of all words, whatever was left out."""
    if compiled.available():
        from bpe.compiled.train import certainty  # only here: its kernels take long

        return certainty.certain_merges(pruned.words, pruned.lost, recipe)
    return certain_merges_slowly(pruned, recipe)


def certain_merges_slowly(pruned: Pruned, recipe: Recipe) -> int:
    """The definition: before each merge, count all pairs and look for one that might come first.

    Pairs of which nothing was left out are in the order that the recipe gives them, ties included.
    """
    words: list[tuple[Sequence[int], int]] = list(pruned.words.items())
    spelled = {byte: bytes([byte]) for byte in range(BYTES)}
    unseen = int(pruned.lost.max())  # a pair that no word here has occurs up to as often
    done = 0
    for left, right, new, best in learn_by_recounting(pruned.words, recipe):
        rivals = [unseen]
        for pair, count in count_pairs(words).items():
            parts = spelled[pair[0]], spelled[pair[1]]
            lost = int(pruned.lost[parts[0][-1], parts[1][0]])
            allowed = not recipe.whole_characters or joinable(*parts)
            if lost and allowed and pair != (left, right):
                rivals.append(count + lost)
        if max(rivals) >= best:
            break
        spelled[new] = spelled[left] + spelled[right]
        words = [(merge_pair(word, (left, right), new), count) for word, count in words]
        done += 1
    return done
