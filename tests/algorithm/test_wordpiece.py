"""WordPiece's merges: by score, slowly and fast."""

import pytest

from bpe.algorithm.character import learn as learn_by_count
from bpe.algorithm.recipe import Recipe
from bpe.algorithm.wordpiece import (
    initial_vocabulary,
    learn,
    scored_pairs,
    split_word,
)
from bpe.compiled.train.symbols import learn_pieces

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
LEARNERS = pytest.mark.parametrize("learner", [learn, learn_pieces])


def recipe(**options) -> Recipe:
    usual = {"tie_break": "first-seen", "score": "likelihood"}
    return Recipe(algorithm="wordpiece", **{**usual, **options})


def test_the_first_symbols():
    assert initial_vocabulary(HUGS, recipe(unknown="[UNK]")) == (
        "[UNK]", "h", "##u", "##g", "p", "##n", "b", "##s",
    )  # fmt: skip


def test_every_pair_with_u_has_the_same_score_as_u_is_in_every_word():
    scores = {
        (pair.left, pair.right): pair.score
        for pair in scored_pairs([(split_word(word), count) for word, count in HUGS.items()])
    }
    assert scores == {
        ("h", "##u"): 1 / 36,
        ("##u", "##g"): 1 / 36,
        ("p", "##u"): 1 / 36,
        ("##u", "##n"): 1 / 36,
        ("b", "##u"): 1 / 36,
        ("##g", "##s"): 1 / 20,
    }


@LEARNERS
def test_it_first_picks_what_bpe_picks_late(learner):
    (first, *_) = learner(HUGS, recipe(merges=1))
    assert (first.left, first.right, first.new) == ("##g", "##s", "##gs")
    assert (first.count, first.left_count, first.right_count) == (5, 20, 5)
    (by_count, *_) = learn_by_count(
        HUGS, Recipe(algorithm="character-bpe", end_of_word="", merges=1)
    )
    assert (by_count.new, by_count.count) == ("ug", 20)


@LEARNERS
@pytest.mark.parametrize(
    ("options", "merges"),
    [
        ({"merges": 3, "score": "frequency"}, {"##ug": 20, "##un": 16, "hug": 15}),
        ({"vocabulary_size": 10}, {"##gs": 5, "hu": 15, "hugs": 5}),
        ({"merges": 2, "min_frequency": 10}, {"hu": 15, "hug": 15}),
    ],
)
def test_by_frequency_it_picks_what_bpe_does_and_by_likelihood_what_is_frequent_enough(
    learner, options, merges
):
    assert {merge.new: merge.count for merge in learner(HUGS, recipe(**options))} == merges
