"""A corpus given as words with their counts trains as the texts that they were counted in."""

import numpy as np
import pytest

import bpe
from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import ALGORITHMS, Recipe
from bpe.errors import BPEError
from bpe.training.train import Training, count_words, train

TEXTS = ["看路，看天。看路灯。", "low lower lowest", "看天 low"]


@pytest.mark.parametrize("algorithm", ["byte-bpe", "character-bpe"])
@pytest.mark.parametrize("learner", ["naive", "incremental", "compiled", None])
def test_every_learner_gives_one_tokenizer_of_texts_and_of_counts(learner, algorithm):
    recipe = Recipe(algorithm=algorithm, merges=20)
    counts = count_words(TEXTS, recipe)
    expected = train(TEXTS, recipe)
    assert train(TEXTS, recipe, learner=learner) == expected
    for words in (counts, dict(counts)):
        assert train(words, recipe, learner=learner).merges == expected.merges


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "parity"])
def test_every_algorithm_counts_first_and_trains_then(algorithm):
    recipe = Recipe(algorithm=algorithm, vocabulary_size=320, prune=False)
    one, other = Training(TEXTS, recipe), Training(count_words(TEXTS, recipe), recipe)
    assert list(one) == list(other)
    text = "low lowest 看路"
    assert one.tokenizer().encode(text) == other.tokenizer().encode(text)


def test_words_as_text_are_their_bytes():
    recipe = Recipe(merges=3)
    assert train({"low": 5, "lower": 2}, recipe) == train({b"low": 5, b"lower": 2}, recipe)
    numbers = {"low": np.int64(5), "lower": np.int64(2)}
    assert train(numbers, recipe) == train({"low": 5, "lower": 2}, recipe)


def test_what_was_read_is_told():
    training = Training({"low": 5, "看": 2}, Recipe(merges=1))
    assert (training.documents, training.corpus_bytes) == (0, 5 * 3 + 2 * 3)
    other = Training({"low": 5, "看": 3}, Recipe(merges=1))
    assert training.corpus_digest != other.corpus_digest
    assert training.corpus_digest == Training({b"low": 5, "看": 2}, Recipe()).corpus_digest


@pytest.mark.parametrize("learner", ["naive", "incremental", "compiled"])
def test_counts_beyond_32_bits_are_exact(learner):
    words = {b"ab": 3 * 2**40 + 1, b"cd": 3 * 2**40, b"abcd": 2**33}
    tokenizer = train(words, Recipe(merges=2), learner=learner)
    assert [merge.count for merge in tokenizer.merges] == [3 * 2**40 + 1 + 2**33, 3 * 2**40 + 2**33]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"low": "many"}, "'low' with 'many'"),
        ({"low": -1}, "'low' with -1"),
        ({"low": 1.5}, "'low' with 1.5"),
        ({7: 1}, "7 with 1"),
        ({"low": 2**62, "lower": 1}, "too large"),
    ],
)
def test_what_is_no_count_is_refused(counts, message):
    with pytest.raises(BPEError, match=message):
        train(counts, Recipe(merges=1))


def test_the_public_value_is_a_mapping():
    counts = bpe.count_words(["low low"], Recipe(pattern="whitespace"))
    assert WordCounts.of(counts) is counts
    assert isinstance(counts.counts, np.ndarray)
    assert list(counts.items()) == [(b"low", 1), (b" low", 1)]
    assert counts == {b"low": 1, b" low": 1}
    assert (counts[b" low"], b"absent" in counts) == (1, False)
