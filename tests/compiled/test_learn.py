"""The compiled learner makes the merges of the naive one, for every rule and every corner."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe import limits
from bpe.algorithm import character, incremental, wordpiece
from bpe.algorithm.recipe import TIE_BREAKS, TIE_BREAKS_OF_ALL, Recipe
from bpe.compiled.train import learner, symbols
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.text.pretokenize import count_words
from bpe.training.algorithms.byte_bpe import learn_by_recounting
from tests.support.learners import interrupted

LECTURE = {b"low": 5, b"lower": 2, b"newest": 6, b"widest": 3}


small_words = st.dictionaries(
    st.text("ab中", min_size=1, max_size=20).map(str.encode), st.integers(1, 5), max_size=10
)


@pytest.fixture(params=[1, 2, 3])
def threads(request, monkeypatch):
    """Have so many threads share the words and all rounds of two places and more."""
    monkeypatch.setattr(learner, "num_threads", lambda: request.param)
    monkeypatch.setattr(learner, "WORTH_A_THREAD", 1)


def zipfian_words(letters: int, words: int) -> dict[bytes, int]:
    random = np.random.default_rng(7)
    text = random.zipf(1.4, letters) % 23 + 97
    cuts = np.sort(random.choice(letters, words, replace=False))
    counts: dict[bytes, int] = {}
    for word in np.split(text.astype(np.uint8), cuts):
        counts[word.tobytes()] = counts.get(word.tobytes(), 0) + 1
    return counts


@pytest.mark.usefixtures("threads")
@settings(max_examples=100, deadline=None)
@given(
    words=small_words,
    recipe=st.builds(
        Recipe,
        tie_break=st.sampled_from(TIE_BREAKS),
        min_frequency=st.integers(1, 4),
        merges=st.none() | st.integers(1, 12),
    ),
)
@example(words={}, recipe=Recipe())
@example(words={b"a": 3}, recipe=Recipe())
@example(words={b"": 2, b"ab": 1}, recipe=Recipe())
@example(words={bytes(range(256)): 1}, recipe=Recipe())
@example(words={b"aaaaaaaa": 2, b"aaaaaaa": 1, b"aaa": 3}, recipe=Recipe())
# “bab” + “b” and “ba” + “bb” are both “babb”; naive takes the pair it met first.
@example(words={b"aabbabbabbb": 1, b"bababbbbabbab": 1, b"babbbababbabb": 1}, recipe=Recipe())
def test_every_word_and_interruption_and_a_falling_floor_make_the_same_merges(words, recipe):
    slow = list(learn_by_recounting(words, recipe))
    assert list(learner.learn(words, recipe)) == slow
    with interrupted():
        assert list(learner.learn(words, recipe)) == slow


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_rare_pairs_are_found_again_among_grown_symbols(tie_break, monkeypatch):
    monkeypatch.setattr(learner, "num_threads", lambda: 3)
    monkeypatch.setattr(learner, "WORTH_A_THREAD", 100)
    monkeypatch.setattr(learner, "_FLOOR_DIVISOR", 1)
    monkeypatch.setattr(learner, "_FLOOR_FALLS_BY", 2)
    indexed = []
    index = learner.CompiledTraining._index
    monkeypatch.setattr(
        learner.CompiledTraining, "_index", lambda self: indexed.append(self.floor) or index(self)
    )
    words = zipfian_words(20_000, 3_000)
    recipe = Recipe(tie_break=tie_break, merges=1500, min_frequency=2)
    assert list(learner.learn(words, recipe)) == list(incremental.learn(words, recipe))
    assert indexed == [13, 6, 3, 2]


@settings(max_examples=200, deadline=None)
@given(
    words=st.dictionaries(st.text("ab#", max_size=14), st.integers(1, 4), max_size=8),
    end=st.sampled_from(["", "a", "ab", "</w>"]),
    options=st.fixed_dictionaries(
        {
            "tie_break": st.sampled_from(TIE_BREAKS_OF_ALL),
            "min_frequency": st.integers(1, 4),
            "merges": st.none() | st.integers(0, 12),
            "vocabulary_size": st.none() | st.integers(1, 12),
        }
    ),
    score=st.sampled_from(["frequency", "likelihood"]),
)
def test_symbols_that_several_merges_spell_are_those_of_the_slow_learners(
    words, end, options, score
):
    of_characters = Recipe(algorithm="character-bpe", end_of_word=end, **options)
    of_pieces = Recipe(algorithm="wordpiece", score=score, **options)
    pieces = list(wordpiece.learn(words, of_pieces))
    with interrupted():
        made = list(symbols.learn_characters(words, of_characters))
        assert list(symbols.learn_pieces(words, of_pieces)) == pieces
    assert made == list(character.learn(words, of_characters))
    assert made == list(character.learn_incrementally(words, of_characters))


@pytest.mark.parametrize("tie_break", TIE_BREAKS_OF_ALL)
def test_symbols_of_a_larger_corpus_against_the_incremental_learner(tie_break):
    words = {word.decode(): n for word, n in zipfian_words(100_000, 15_000).items()}
    recipe = Recipe(algorithm="character-bpe", tie_break=tie_break, merges=3000)
    slow = list(character.learn_incrementally(words, recipe))
    assert list(symbols.learn_characters(words, recipe)) == slow


class TestProgress:
    words = zipfian_words(60_000, 9_000)
    recipe = Recipe(merges=400)

    def test_every_phase_is_told_and_only_moves_forward(self, monkeypatch):
        monkeypatch.setattr(learner, "_MOST_BUDGET", 10_000)
        told = []
        merges = list(learner.learn(self.words, self.recipe, on_progress=told.append))
        assert len(merges) == 400
        for phase in ("indexing", "merging"):
            steps = [progress for progress in told if progress.phase == phase]
            assert len(steps) > 5
            assert [step.done for step in steps] == sorted(step.done for step in steps)
            assert steps[-1].share == 1
        assert [progress.phase for progress in told] == sorted(progress.phase for progress in told)

    def test_it_is_told_within_one_heavy_merge(self, monkeypatch):
        monkeypatch.setattr(learner, "_MOST_BUDGET", 1_000)
        monkeypatch.setattr(learner, "_LEAST_BUDGET", 1_000)
        monkeypatch.setattr(learner, "_FIRST_BUDGET", 1_000)
        told = []
        words = {bytes([a, b]) + b"ab" * 20: 1 for a in range(40) for b in range(40)}
        first = next(learner.learn(words, Recipe(), on_progress=told.append))
        assert first.count == 20 * 1600
        assert sum(progress == ("merging", 0, None) for progress in told) > 20


def test_a_corpus_that_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: 10_000_000)
    with pytest.raises(BPEError, match=r"needs some 30 MB of memory"):
        next(learner.learn(LECTURE, Recipe()))


def test_a_training_ends_before_it_takes_more_memory_than_there_is(monkeypatch):
    """The system would kill the process otherwise, with all that it does for others."""
    words = count_words([samples.corpus("zh")], "gpt2")
    recipe = Recipe(vocabulary_size=3000)
    everything = list(learner.learn(words, recipe))
    monkeypatch.setattr(learner, "_LEAST_MEMORY", 0)
    monkeypatch.setattr(learner, "_LEAST_PAIRS", 3)
    monkeypatch.setattr(limits, "available_memory", lambda: 500_000)
    found = []
    with pytest.raises(BPEError, match=r"needs some \d MB of memory"):
        found.extend(learner.learn(words, recipe))
    assert 0 < len(found) < len(everything)
    assert found == everything[: len(found)]
