"""The lecture's tables: token index, positions, counter, links and heap, as it prints them."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm import character
from bpe.algorithm.basic import count_pairs
from bpe.algorithm.recipe import TIE_BREAKS, Merge, Recipe
from bpe.teaching.tables import ChangesIndex, HeapEntry, tables, work
from bpe.text.pretokenize import count_words
from bpe.training.algorithms.byte_bpe import learn_by_recounting

TEXT = (
    "intj intj intj intj intj tech tech<|endoftext|>\n\nHéllò hôw <|endoftext|><|endoftext|> are ü?"
)
RECIPE = Recipe(special_tokens=("<|endoftext|>",))
BEFORE, FIRST, SECOND = islice(tables(TEXT, RECIPE), 3)


class TestBeforeTheFirstMerge:
    def test_a_space_at_the_end_is_the_place_96_that_the_lecture_prints(self):
        (before, *_) = tables(TEXT + " ", RECIPE)
        assert before.places[96] == (32, None, None)

    def test_pair_positions_as_printed(self):
        positions = {(left, right): list(places) for left, right, places in BEFORE.positions}
        assert positions == {
            (105, 110): [0, 5, 10, 15, 20], (110, 116): [1, 6, 11, 16, 21],
            (116, 106): [2, 7, 12, 17, 22], (32, 105): [4, 9, 14, 19], (32, 116): [24, 29],
            (116, 101): [25, 30], (101, 99): [26, 31], (99, 104): [27, 32], (72, 195): [49],
            (195, 169): [50], (169, 108): [51], (108, 108): [52], (108, 195): [53],
            (195, 178): [54], (32, 104): [56], (104, 195): [57], (195, 180): [58],
            (180, 119): [59], (32, 97): [88], (97, 114): [89], (114, 101): [90],
            (32, 195): [92], (195, 188): [93],
        }  # fmt: skip

    def test_previous_mirrors_next(self):
        for at, (_symbol, _previous, after) in enumerate(BEFORE.places):
            assert after is None or BEFORE.places[after][1] == at

    def test_the_heap_pops_the_most_frequent_and_then_the_greatest(self):
        first = [(116, 106, 5), (110, 116, 5), (105, 110, 5), (32, 105, 4)]
        assert BEFORE.heap[:4] == tuple(HeapEntry(*entry, stale=False) for entry in first)


def test_the_first_merge_changes_only_what_is_around_it():
    assert (FIRST.merge, FIRST.spelling[257]) == (Merge(116, 106, 257, 5), "tj")
    assert FIRST.changes.symbols == (2, 3, 7, 8, 12, 13, 17, 18, 22, 23)
    assert (FIRST.places[2], FIRST.places[3][0]) == ((257, 1, None), None)
    assert FIRST.changes.counts == ((110, 116), (116, 106), (110, 257))
    counts = {row[:2]: row[2] for row in FIRST.counts}
    assert (counts[110, 116], counts[110, 257]) == (0, 5)
    assert (116, 106) not in counts
    # Positions and the heap gain the new pair, and keep what is there of the old one.
    positions = {row[:2]: row[2] for row in FIRST.positions}
    assert positions[110, 257] == positions[110, 116] == (1, 6, 11, 16, 21)
    assert FIRST.changes.popped == ((116, 106, 5),)
    assert FIRST.changes.pushed == ((110, 257, 5),)
    assert HeapEntry(110, 116, 5, stale=True) in FIRST.heap
    assert SECOND.merge == Merge(110, 257, 258, 5)


small_texts = st.lists(st.sampled_from(["ab", "aab", " ", "b", "<s>", "中"]), max_size=12).map(
    "".join
)


@given(text=small_texts, tie_break=st.sampled_from(TIE_BREAKS))
def test_the_tables_always_describe_the_text(text, tie_break):
    recipe = Recipe(tie_break=tie_break, special_tokens=("<s>",))
    steps = list(tables(text, recipe))
    words = count_words([text], "gpt2", special_tokens=("<s>",))
    assert [step.merge for step in steps[1:]] == list(learn_by_recounting(words, recipe))
    for step in steps:
        places = step.places
        starts = [at for at, place in enumerate(places) if place[0] and place[1] is None]
        rows = []
        for at in starts:
            row = []
            while at is not None:
                symbol, _previous, at = places[at]
                row.append(symbol)
            rows.append((row, 1))
        counted = {row[:2]: row[2] for row in step.counts if row[2]}
        assert counted == count_pairs(rows)


@pytest.mark.parametrize("text", ["", "a", "<s>"])
def test_a_text_without_pairs_has_tables_and_no_merge(text):
    (only,) = tables(text, Recipe(special_tokens=("<s>",)))
    assert (only.merge, only.counts) == (None, ())


# What a merge changes, and how many neighbours two learners look at for it.


def test_the_first_merge_of_low_lower_lowest():
    recipe = Recipe(algorithm="character-bpe", merges=1)
    counts = {"low": 1, "lower": 1, "lowest": 1}
    words, meaning = character.numbered(counts, recipe)  # l o w </w> e r s t: 0 to 7
    index = ChangesIndex(words, meaning, recipe.tie_break)
    list(character.learn_from(index, character.initial_vocabulary(counts, recipe), recipe))
    assert (index.places, index.merged) == ((1, 5, 11), 3)
    assert index.former == {
        (1, 2): 3, (0, 1): 3, (0, 8): 0, (2, 3): 1, (8, 3): 0, (2, 4): 2, (8, 4): 0,
    }  # fmt: skip
    assert [index.counts.get(pair, 0) for pair in index.former] == [0, 0, 3, 0, 1, 0, 2]


def test_each_learner_looks_at_so_many_neighbours():
    first, second, *_ = work({b"a" * 10 + b"bc" + b"d" * 10: 1}, Recipe())
    # Nine pairs of d stand in the word of 22 letters; five merges have nine neighbours.
    assert (first, second[0]) == ((21, 9 + 5 + 4), 21 - 5)
    assert work({}, Recipe()) == []
