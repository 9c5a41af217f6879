"""What a recorded training holds, on the notes' examples and against the learners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm import basic, character
from bpe.algorithm.recipe import Recipe
from playground.merge_view import record

TIES = ["lexicographic", "first-seen", "smallest-ids"]
COUNTS = st.dictionaries(st.text("ab中", min_size=1, max_size=8), st.integers(1, 4), max_size=8)


def test_a_round_tells_counts_ties_and_what_the_last_merge_changed():
    events = record({b"low": 5, b"lower": 2}, Recipe(tie_break="first-seen"))
    low, lo = events.rounds[0], events.rounds[1]
    assert low.top[:2] == ((108, 111, 7, 7), (111, 119, 7, 7))
    assert (low.ties, low.tokens, low.vocabulary_size) == (2, 25, 256)
    assert lo.top[0] == (256, 119, 7, 0)
    assert (lo.ties, lo.tokens, lo.vocabulary_size) == (1, 18, 257)
    assert (lo.changed, lo.changed_total) == ((0, 1), 2)


def test_overlapping_pairs_are_counted_all_and_merged_from_the_left():
    events = record({b"aaa": 1}, Recipe())
    assert [merge.count for merge in events.merges] == [2, 1]
    assert [r.tokens for r in events.rounds] == [3, 2, 1]


@pytest.mark.parametrize("counts", [{}, {b"a": 3}, {"": 1}])
def test_words_without_a_pair_make_no_merge(counts):
    events = record(counts, Recipe())
    assert events.merges == ()
    assert len(events.rounds) == 1
    assert events.rounds[0].top == ()


@given(COUNTS, st.sampled_from([*TIES, "huggingface"]))
def test_bytes_merge_as_the_definition_says(counts, tie_break):
    recipe = Recipe(tie_break=tie_break)
    words = {word.encode(): count for word, count in counts.items()}
    vocabulary = [bytes([byte]) for byte in range(256)]
    learned = basic.train(words, vocabulary, 1_000, tie_break)
    assert list(record(words, recipe).merges) == list(learned)


@given(COUNTS, st.sampled_from(TIES), st.booleans())
def test_characters_merge_as_the_definition_says(counts, tie_break, prune):
    recipe = Recipe(algorithm="character-bpe", tie_break=tie_break, prune=prune)
    events = record(counts, recipe)
    symbols = dict(enumerate(events.symbols))
    told = []
    for merge, after in zip(events.merges, events.rounds[1:], strict=True):
        left, right = symbols[merge.left], symbols[merge.right]
        symbols[merge.new_id] = left + right
        removed = tuple(symbols[token] for token in after.removed)
        told.append((left, right, merge.count, after.vocabulary_size, removed))
    learned = character.learn(counts, recipe)
    assert told == [(m.left, m.right, m.count, m.vocabulary_size, m.removed) for m in learned]
