"""The entropy beside contexts, held against counting them one by one in every text."""

import math
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe.analysis import branching
from bpe.analysis.branching import Branching


def entropy(counts):
    total = counts.total()
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def beside(texts, near, after):
    """Count what stands beside the longest context that was seen often enough, place by place."""
    for length in range(min(branching.LONGEST, len(near)), -1, -1):
        context = near[len(near) - length :] if after else near[:length]
        found = Counter()
        for text in texts:
            for at in range(len(text)):
                there = text[max(0, at - length) : at] if after else text[at + 1 : at + 1 + length]
                found[text[at]] += there == context
        if found.total() >= branching.SEEN or not length:
            return entropy(+found)
    raise AssertionError


TEXT = st.text("ab中\0\U0001f600\ud800", max_size=9)


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(TEXT, max_size=4), text=TEXT)
def test_counting_place_by_place_says_the_same(texts, text):
    parts = [part for whole in texts for part in whole.split("\0")]
    expected = [
        (beside(parts, text[:at], after=True), beside(parts, text[at:], after=False))
        for at in range(1, len(text))
    ]
    found = Branching(texts).gaps(text)
    assert [gap.next for gap in found] == pytest.approx([each for each, _ in expected])
    assert [gap.previous for gap in found] == pytest.approx([each for _, each in expected])


def test_a_large_corpus_is_counted_by_the_beginnings_of_its_documents(monkeypatch):
    monkeypatch.setattr(branching, "SAMPLE", 30)
    corpus = Branching(["ab" * 20, "中文" * 10])
    assert (corpus.counted, corpus.sampled) == (30, True)
    assert [gap.bits for gap in corpus.gaps("ab")] == [0.0]
    assert [gap.bits for gap in corpus.gaps("中文")] == [0.0]
    assert not Branching(["ab"]).sampled


def test_a_word_is_certain_inside_and_uncertain_at_its_ends():
    words = ("中国", "北京", "学习")
    corpus = Branching(["".join(row) for row in product(words, repeat=3)])
    gaps = corpus.gaps("中国北京")
    assert [gap.bits for gap in gaps] == pytest.approx([0, 2 * math.log2(3), 0])
