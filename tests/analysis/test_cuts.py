"""The fewest tokens, the number of cuts and cuts at random, held against all cuts of a word."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.analysis.cuts import fewest_tokens, random_cut, ways_to_cut
from bpe.documents import samples

TRAINED = bpe.train(["abab abcabc 中文 中文中 aab"], bpe.Recipe(merges=20))


def every_cut(encoder, data):
    """All rows of ids whose bytes are these, in an order of its own."""
    if not data:
        yield []
    for end in range(1, len(data) + 1):
        token = encoder.token_to_id(data[:end])
        if token is not None:
            yield from ([token, *rest] for rest in every_cut(encoder, data[end:]))


def drawn_slowly(encoder, text, dropout, random):
    """The definition: at each step, the first pair by rank that is not left out."""
    found = []
    for word in map(str.encode, encoder.pre_tokens(text)):
        row = [word[at : at + 1] for at in range(len(word))]
        while True:
            ranks = enumerate(encoder.pair_rank(*pair) for pair in pairwise(row))
            pairs = sorted((rank, at) for at, rank in ranks if rank is not None)
            at = next((at for _, at in pairs if random.random() >= dropout), None)
            if at is None:
                break
            row[at : at + 2] = [row[at] + row[at + 1]]
        found += map(encoder.token_to_id, row)
    return found


@settings(max_examples=60, deadline=None)
@given(words=st.lists(st.text("abc中文", max_size=4), max_size=2), seed=st.integers(0, 99))
def test_all_cuts_listed_say_the_same(words, seed):
    text = " ".join(words)
    by_word = [list(every_cut(TRAINED, word.encode())) for word in TRAINED.pre_tokens(text)]
    ways = 1
    for cuts in by_word:
        ways *= len(cuts)
    assert ways_to_cut(TRAINED, text) == ways
    found = fewest_tokens(TRAINED, text)
    assert len(found) == sum(min(map(len, cuts)) for cuts in by_word)
    assert TRAINED.decode(found) == text
    for dropout in (0.0, 0.3, 1.0):
        drawn = random_cut(TRAINED, text, dropout, Random(seed))
        assert TRAINED.decode(drawn) == text
        if dropout == 0.3:
            assert drawn == drawn_slowly(TRAINED, text, dropout, Random(seed))
        else:
            assert drawn == (TRAINED.encode(text) if not dropout else list(text.encode()))


@pytest.mark.parametrize(
    ("name", "language", "percent"),
    [
        ("o200k_base", "zh", 0.07),
        ("o200k_base", "en", 0.0),
        ("qwen3", "zh", 0.55),
        ("qwen3", "en", 0.41),
    ],
)
def test_how_many_tokens_greedy_merges_cost_on_the_samples(name, language, percent):
    encoder = bpe.encoding(name)
    texts = [getattr(pair, language) for pair in samples.pairs()]
    few = sum(len(fewest_tokens(encoder, text)) for text in texts)
    many = sum(map(encoder.count, texts))
    assert 100 * (many / few - 1) == pytest.approx(percent, abs=0.01)


def test_what_does_not_merge_bytes_says_so():
    for cut in (fewest_tokens, ways_to_cut, lambda *given: random_cut(*given, 0, Random(1))):
        with pytest.raises(bpe.BPEError, match="llama2 does not merge bytes, so other cuts"):
            cut(bpe.encoding("llama2"), "text")


@pytest.mark.parametrize("name", ["glm4", "llama3"])
def test_nothing_left_out_is_what_the_encoder_does_also_where_it_takes_words_whole(name):
    encoder = bpe.encoding(name)
    assert random_cut(encoder, "вичай", 0, Random(1)) == encoder.encode("вичай")


@pytest.mark.parametrize("dropout", [-1, 2, float("nan")])
def test_a_dropout_that_is_no_share_is_refused(dropout):
    with pytest.raises(bpe.BPEError, match="A share is a number from 0 to 1, not"):
        random_cut(TRAINED, "text", dropout, Random(1))


def test_half_a_surrogate_pair_is_cut_as_what_stands_for_it():
    for cut in (fewest_tokens, ways_to_cut, lambda *given: random_cut(*given, 0.5, Random(1))):
        assert cut(TRAINED, "ab\ud800") == cut(TRAINED, "ab\ufffd")


def test_a_long_word_is_cut_at_random_in_near_linear_time():
    assert len(random_cut(bpe.encoding("o200k_base"), "a" * 100_000, 0.1, Random(1))) < 30_000
