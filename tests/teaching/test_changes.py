"""What a merge changes, and how many neighbours two learners look at for it."""

from bpe.algorithm import character
from bpe.algorithm.recipe import Recipe
from bpe.teaching.tables import Change, ChangesIndex, Work, work


def test_the_first_merge_of_low_lower_lowest():
    recipe = Recipe(algorithm="character-bpe", merges=1)
    counts = {"low": 1, "lower": 1, "lowest": 1}
    words, meaning = character.numbered(counts, recipe)  # l o w </w> e r s t: 0 to 7
    index = ChangesIndex(words, meaning, recipe.tie_break)
    list(character.learn_from(index, character.initial_vocabulary(counts, recipe), recipe))
    assert (index.places, index.merged) == ((1, 5, 11), 3)
    assert index.changes == (
        Change(1, 2, 3, 0),
        Change(0, 1, 3, 0),
        Change(0, 8, 0, 3),
        Change(2, 3, 1, 0),
        Change(8, 3, 0, 1),
        Change(2, 4, 2, 0),
        Change(8, 4, 0, 2),
    )


def test_each_learner_looks_at_so_many_neighbours():
    first, second, *_ = work({b"a" * 10 + b"bc" + b"d" * 10: 1}, Recipe())
    # Nine pairs of d stand in the word of 22 letters; five merges have nine neighbours.
    assert first == Work(21, 9 + 5 + 4)
    assert second.recounted == 21 - 5


def test_without_a_pair_there_is_no_work():
    assert work({}, Recipe()) == []
