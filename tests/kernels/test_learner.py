"""The compiled learner makes the merges of the naive one, for every rule and every corner."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe import incremental, naive
from bpe.errors import BPEError
from bpe.kernels import learner
from bpe.kernels.word_counts import WordCounts
from bpe.pairs import TIE_BREAKS
from bpe.pretokenize import count_words
from bpe.recipe import Recipe

LECTURE = {b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}


small_words = st.dictionaries(
    st.text("ab中", min_size=1, max_size=20).map(str.encode), st.integers(1, 5), max_size=10
)


@settings(max_examples=400, deadline=None)
@given(
    words=small_words,
    tie_break=st.sampled_from(TIE_BREAKS),
    least=st.integers(1, 4),
    merges=st.none() | st.integers(0, 12),
    specials=st.sampled_from([(), ("<s>", "</s>")]),
)
def test_it_makes_the_merges_of_naive(words, tie_break, least, merges, specials):
    recipe = Recipe(
        tie_break=tie_break, min_frequency=least, merges=merges, special_tokens=specials
    )
    assert list(learner.learn(words, recipe)) == list(naive.learn(words, recipe))


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@pytest.mark.parametrize(
    "words",
    [
        {},
        {b"a": 3},
        {b"": 2, b"ab": 1},
        {b"aaaaaaaa": 2, b"aaaaaaa": 1, b"aaa": 3},
        {b"abababab": 1, b"bababab": 1},
        {bytes(range(256)): 1},
        LECTURE,
    ],
    ids=["nothing", "one byte", "empty word", "runs", "chains", "all bytes", "lecture"],
)
def test_corner_cases(words, tie_break):
    recipe = Recipe(tie_break=tie_break)
    assert list(learner.learn(words, recipe)) == list(naive.learn(words, recipe))


def test_pairs_that_spell_the_same_go_by_the_order_of_the_corpus():
    # “bab” + “b” and “ba” + “bb” are both “babb”; naive takes the pair it met first.
    words = {b"aabbabbabbb": 1, b"bababbbbabbab": 1, b"babbbababbabb": 1}
    recipe = Recipe(tie_break="lexicographic")
    assert list(learner.learn(words, recipe)) == list(naive.learn(words, recipe))


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_a_larger_corpus_against_the_incremental_learner(tie_break):
    random = np.random.default_rng(7)
    letters = random.zipf(1.4, 200_000) % 23 + 97
    cuts = np.sort(random.choice(len(letters), 30_000, replace=False))
    words: dict[bytes, int] = {}
    for word in np.split(letters.astype(np.uint8), cuts):
        words[word.tobytes()] = words.get(word.tobytes(), 0) + 1
    recipe = Recipe(tie_break=tie_break, merges=3000)
    assert list(learner.learn(words, recipe)) == list(incremental.learn(words, recipe))


def test_merges_come_while_the_training_goes_on():
    words = {bytes([a, b, c]) * 30: a + b for a in range(24) for b in range(24) for c in range(24)}
    arrivals = [time.perf_counter()]
    for _ in learner.learn(words, Recipe(merges=2000)):
        arrivals.append(time.perf_counter())
    assert len(set(np.round(arrivals, 2))) > 2
    assert max(np.diff(arrivals)) < 1


def test_a_corpus_that_does_not_fit_is_refused_with_the_numbers(monkeypatch):
    monkeypatch.setattr(learner, "available_memory", lambda: 10_000_000)
    with pytest.raises(BPEError, match=r"may take 32 MB of memory, and 10 MB are free"):
        next(learner.learn(LECTURE, Recipe()))


def test_the_estimate_grows_with_the_distinct_words():
    assert learner.estimated_memory(10**9) > 10**9
    assert learner.estimated_memory(LECTURE) == learner.estimated_memory(20)


def test_word_counts_are_a_mapping():
    counts = count_words(["low low lower", "低 低"], "gpt2")
    words = WordCounts.of(counts)
    assert list(words.items()) == list(counts.items())
    assert words == counts
    assert words[b" lower"] == 1
    assert b"absent" not in words
    assert WordCounts.of(words) is words
