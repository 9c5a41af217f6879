"""The fewest tokens and the number of cuts, held against all cuts of a word."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.analysis.cuts import fewest_tokens, ways_to_cut
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


@settings(max_examples=60, deadline=None)
@given(words=st.lists(st.text("abc中文", max_size=4), max_size=2))
def test_all_cuts_listed_say_the_same(words):
    text = " ".join(words)
    by_word = [list(every_cut(TRAINED, word.encode())) for word in TRAINED.pre_tokens(text)]
    ways = 1
    for cuts in by_word:
        ways *= len(cuts)
    assert ways_to_cut(TRAINED, text) == ways
    found = fewest_tokens(TRAINED, text)
    assert len(found) == sum(min(map(len, cuts)) for cuts in by_word)
    assert TRAINED.decode(found) == text


@pytest.mark.parametrize(
    ("name", "language", "percent"),
    [("o200k_base", "zh", 0.07), ("qwen3", "en", 0.41)],
)
def test_how_many_tokens_greedy_merges_cost_on_the_samples(name, language, percent):
    encoder = bpe.encoding(name)
    texts = [getattr(pair, language) for pair in samples.pairs()]
    few = sum(len(fewest_tokens(encoder, text)) for text in texts)
    many = sum(map(encoder.count, texts))
    assert 100 * (many / few - 1) == pytest.approx(percent, abs=0.01)


def test_what_does_not_merge_bytes_says_so():
    for cut in (fewest_tokens, ways_to_cut):
        with pytest.raises(bpe.BPEError, match="llama2 does not merge bytes, so other cuts"):
            cut(bpe.encoding("llama2"), "text")


def test_half_a_surrogate_pair_is_cut_as_what_stands_for_it():
    for cut in (fewest_tokens, ways_to_cut):
        assert cut(TRAINED, "ab\ud800") == cut(TRAINED, "ab\ufffd")
