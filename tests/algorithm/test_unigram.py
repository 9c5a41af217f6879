"""The sums over a lattice are those over all cuts of each word, and kernels give the same."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm import unigram
from bpe.algorithm.unigram import LONGEST, Lattice

WORDS = st.dictionaries(st.text("ab中", min_size=1, max_size=9), st.integers(1, 4), min_size=1)


def all_cuts(word: str, pieces: dict[str, float]):
    """Yield each way to cut a word into pieces, with their likelihoods multiplied."""
    if not word:
        yield [], 1.0
    for size in range(1, len(word) + 1):
        for rest, likelihood in all_cuts(word[size:], pieces) if word[:size] in pieces else ():
            yield [word[:size], *rest], pieces[word[:size]] * likelihood


@given(words=WORDS, seed=st.integers(0, 9))
def test_expected_is_what_all_cuts_have_and_spelled_the_best_of_the_others(words, seed):
    lattice = Lattice(words)
    likelihood = np.random.default_rng(seed).random(len(lattice.counts)) + 0.01
    pieces = dict(zip(lattice.pieces(), likelihood, strict=True))
    expected: Counter[str] = Counter(dict.fromkeys(pieces, 0.0))
    for word, count in words.items():
        cuts = [*all_cuts(word, pieces)]
        total = math.fsum(likely for _, likely in cuts)
        for cut, likely in cuts:
            expected.update({piece: cut.count(piece) * likely / total * count for piece in {*cut}})
    assert lattice.expected(likelihood) == pytest.approx([expected[each] for each in pieces], 1e-9)
    spelled = [max((p for c, p in all_cuts(w, pieces) if c != [w]), default=0.0) for w in pieces]
    assert lattice.spelled(likelihood) == pytest.approx(spelled, 1e-9)


@pytest.mark.parametrize("most", [2**63, 0], ids=["sorted in place", "too many for that"])
@given(words=WORDS)
def test_it_begins_with_all_parts_that_repeat_by_themselves(most, words):
    words = {**words, max(words) * 4: 2}
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for start in range(len(word)):
            for end in range(start + 1, min(start + LONGEST, len(word)) + 1):
                counts[word[start:end]] += count
    within = {part for whole in counts for part in (whole[1:], whole[:-1])
              if counts[part] == counts[whole]}  # fmt: skip
    wanted = {p: n for p, n in counts.items() if len(p) == 1 or (n > 1 and p not in within)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unigram, "_MOST", most)
        lattice = Lattice(words)
    pieces = dict(zip(lattice.pieces(), lattice.counts, strict=True))
    assert pieces == wanted
    assert list(pieces) == sorted(wanted, key=lambda piece: (len(piece), piece))


@given(words=WORDS, copies=st.integers(1, 300), size=st.integers(0, 40))
def test_kernels_fit_the_same_pieces_with_the_same_scores(words, copies, size):
    kernels = pytest.importorskip("bpe.compiled.train")
    words = {**words, max(words) * copies: 1}  # also so long that its likelihood is no number
    fitted = [
        unigram.fit(Lattice(words, each), size, lambda progress: None) for each in (None, kernels)
    ]
    assert fitted[0] == fitted[1]
    assert all(-21 < score <= 0 for _, score in fitted[0])
