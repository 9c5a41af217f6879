"""What the page says of a training: its tables, and why it ended."""

import re

import pytest

from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.teaching.lessons import LESSONS
from bpe.training.train import Training
from playground.train import explorer, job, picture, presets, results
from playground.train.corpus import Corpus, sampled
from playground.train.job import Trained

HUGS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


def trained(corpus, **recipe) -> Trained:
    training = Training(corpus, Recipe(**recipe))
    tokenizer = training.finished()
    return Trained(
        tokenizer, tokenizer.training, training.stop_reason, training.corpus_bytes, 0.0,
        training.learner, usage=None, sampled=False,
    )  # fmt: skip


UG, UN, HUG = ("u", "g", "ug", 20), ("u", "n", "un", 16), ("h", "ug", "hug", 15)


@pytest.mark.parametrize(
    ("recipe", "merges"),
    [
        ({}, [UG, UN, HUG]),
        ({"algorithm": "character-bpe", "end_of_word": "", "unknown": None}, [UG, UN, HUG]),
        (
            {"algorithm": "wordpiece"},
            [("##u", "##g", "##ug", 20), ("##u", "##n", "##un", 16), ("h", "##ug", "hug", 15)],
        ),
        ({"algorithm": "sentencepiece-bpe"}, [UG, ("▁", "p", "▁p", 17), UN]),
    ],
)
def test_the_merges_of_every_algorithm_are_listed_with_their_counts_and_ids(recipe, merges):
    found = trained(HUGS, merges=3, tie_break="first-seen", **recipe)
    table = results.merges_table(found)
    assert list(table[["left", "right", "new", "count"]].itertuples(index=False)) == merges
    assert list(table["number"]) == [1, 2, 3]
    assert list(table["id"]) == sorted(table["id"])
    assert found.tokenizer.token_bytes(table["id"].iloc[0]) == b"ug"


def test_the_pieces_of_unigram_are_listed_the_likeliest_first():
    texts = ["low lower lowest low " * 5]
    recipe = {"algorithm": "unigram", "vocabulary_size": 24, "unknown": "<unk>"}
    table = results.pieces_table(trained(texts, **recipe))
    assert "▁low" in set(table["piece"])
    assert list(table["score"]) == sorted(table["score"], reverse=True)


@pytest.mark.parametrize("algorithm", ["byte-bpe", "wordpiece", "sentencepiece-bpe", "unigram"])
def test_the_size_at_first_teaches_an_algorithm_something_on_our_samples(algorithm):
    size = presets.size_for(algorithm)
    recipe = {"algorithm": algorithm, "vocabulary_size": size, "min_frequency": 2}
    found = trained(sampled()["both"], **recipe)
    assert found.tokenizer.vocabulary_size == size
    assert results.why_it_ended(found) == ""


CHARACTERS = {"algorithm": "character-bpe", "unknown": "<unk>"}
UNIGRAM = {"algorithm": "unigram", "unknown": "<unk>"}


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ({"min_frequency": 9, "merges": 3}, "no pair occurs often enough"),
        ({"vocabulary_size": 256}, "leaves no room"),
        (
            {**CHARACTERS, "vocabulary_size": 3},
            "The alphabet alone has 7 entries, which is more than the 3 asked for.",
        ),
        ({**UNIGRAM, "vocabulary_size": 3}, "The alphabet alone has"),
        ({"min_frequency": 2}, "no pair was left that occurs often enough"),
        ({"merges": 3}, "at the number of merges asked for"),
        ({**UNIGRAM, "vocabulary_size": 900}, "no more pieces than these"),
        ({"vocabulary_size": 258}, ""),
        ({**UNIGRAM, "vocabulary_size": 8}, ""),
    ],
)
def test_it_says_why_nothing_was_learned_or_less_than_was_asked_for(recipe, said):
    why = results.why_it_ended(trained(["low lower"], **recipe))
    assert why == said or (said and said in why)


def test_what_left_a_vocabulary_of_characters_adds_up():
    found = trained([samples.corpus("zh")], vocabulary_size=2000, min_frequency=2, **CHARACTERS)
    left, line = results.about_characters(found)
    said = re.search(
        r"began with (\S+) entries and has (\S+) after (\S+) merges: .*; (\S+) did", left
    )
    assert said
    start, size, made, removed = (int(number.replace(",", "")) for number in said.groups())
    assert start + made - removed == size == found.tokenizer.vocabulary_size
    assert made == len(found.record.merges)
    assert "a Chinese line without spaces is one word" in line
    whole = trained(["low lower"], merges=3, prune=False, algorithm="character-bpe")
    assert [*results.about_characters(whole), *results.about_characters(trained(["看路"]))] == []


@pytest.mark.parametrize(
    ("text", "recipe", "entries"),
    [
        (LESSONS["six-lines"].text, {"vocabulary_size": 21, "prune": False}, 21),
        ("AA AA AA", {"normalisation": "lowercase", "special_tokens": ("a",)}, 3),
    ],
    ids=["smaller than 256", "a character as special token"],
)
def test_a_vocabulary_of_characters_is_explored(text, recipe, entries):
    found = job.train(Corpus("typed", (text,)), Recipe(**CHARACTERS, **recipe))
    assert found.tokenizer.vocabulary_size == entries
    assert explorer.model(found.tokenizer, found.usage)["sizes"][-1] == entries
    assert not any("Chinese line" in said for said in results.about_characters(found))


def test_only_the_beginning_of_a_long_training_is_played():
    short = Corpus("typed", ("low",))
    assert picture.played(short, picture.MOST_MERGES) is None
    assert picture.played(short, 1243) == "The first 1,000 of 1,243 merges are played."
    long = Corpus("typed", ("low" * picture.MOST_CHARACTERS,))
    assert "a training on its first 100,000 characters" in (picture.played(long, 1) or "")
