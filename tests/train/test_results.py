"""What the page says of a training: its tables, why it ended, and the lab report."""

import pytest

from bpe.algorithm.recipe import Recipe
from bpe.training.train import Training
from playground.train import report, results
from playground.train.corpus import Corpus
from playground.train.job import Trained

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def trained(corpus, **recipe) -> Trained:
    training = Training(corpus, Recipe(**recipe))
    merges = tuple(training)
    return Trained(
        training.tokenizer(), training.recipe, training.corpus_digest, merges,
        training.stop_reason, 1, training.corpus_bytes, 0.0, training.learner, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("recipe", "merges"),
    [
        ({}, [("u", "g", "ug", 20), ("u", "n", "un", 16), ("h", "ug", "hug", 15)]),
        (
            {"algorithm": "character-bpe", "end_of_word": "", "unknown": None},
            [("u", "g", "ug", 20), ("u", "n", "un", 16), ("h", "ug", "hug", 15)],
        ),
        (
            {"algorithm": "wordpiece", "tie_break": "first-seen"},
            [("##u", "##g", "##ug", 20), ("##u", "##n", "##un", 16), ("h", "##ug", "hug", 15)],
        ),
        (
            {"algorithm": "sentencepiece-bpe", "tie_break": "first-seen"},
            [("u", "g", "ug", 20), ("▁", "p", "▁p", 17), ("u", "n", "un", 16)],
        ),
    ],
)
def test_the_merges_of_every_algorithm_are_listed_with_their_counts_and_ids(recipe, merges):
    found = trained(HUGS, merges=3, **recipe)
    table = results.merges_table(found)
    assert list(table[["left", "right", "new", "count"]].itertuples(index=False)) == merges
    assert list(table["number"]) == [1, 2, 3]
    encoder = found.tokenizer
    assert list(table["id"]) == sorted(table["id"])
    assert encoder.token_bytes(table["id"].iloc[0]) == b"ug"


def test_the_pieces_of_unigram_are_listed_the_likeliest_first():
    texts = ["low lower lowest low " * 5]
    recipe = {"algorithm": "unigram", "vocabulary_size": 24, "unknown": "<unk>"}
    table = results.pieces_table(trained(texts, **recipe))
    assert "▁low" in set(table["piece"])
    assert list(table["score"]) == sorted(table["score"], reverse=True)


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ({"min_frequency": 9, "merges": 3}, "no pair occurs often enough"),
        ({"vocabulary_size": 256}, "leaves no room"),
        ({"algorithm": "character-bpe", "vocabulary_size": 3}, "the characters alone are more"),
        (
            {"algorithm": "unigram", "vocabulary_size": 3, "unknown": "<unk>"},
            "Every piece is a single character",
        ),
        ({"merges": 3}, None),
    ],
)
def test_it_says_why_nothing_was_learned(recipe, said):
    why = results.nothing_learned(trained(["low lower"], **recipe))
    assert why == said or said in why


def test_the_lab_report_says_what_was_trained_and_what_came_of_it():
    texts = ("|low| low 中文 中文",)
    written = report.markdown(trained(texts, vocabulary_size=262), Corpus("typed", texts), "a|b`c")
    for line in (
        "# `a¦bˋc`",
        "| Chinese characters | 26.7% |",
        "| Ids fit into 16 bits | yes |",
        "| Longest token | `中文` |",
        "| Merges | 6 |",
    ):
        assert line in written
