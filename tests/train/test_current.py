"""The estimate of a training, and what its tokenizer is called until the reader names it."""

import pytest

from bpe import compiled
from bpe.algorithm.recipe import Recipe
from playground.train import current
from playground.train.corpus import Corpus


@pytest.mark.parametrize(
    ("text", "recipe", "seconds", "megabytes"),
    [
        ("a" * 20_000_000, Recipe(), 1, 20),
        ("中" * 6_666_667, Recipe(), 5, 220),
        ("中" * 6_666_667, Recipe(algorithm="character-bpe"), 6, 900),
        ("中" * 6_666_667, Recipe(algorithm="wordpiece", score="likelihood"), 80, 2600),
    ],
)
def test_the_estimate_is_that_of_the_measurements(text, recipe, seconds, megabytes, monkeypatch):
    monkeypatch.setattr(compiled, "ready", lambda part=None: True)
    takes, memory = current.estimate(Corpus("", (text,)), recipe)
    assert (round(takes), round(memory / 1e6)) == (seconds, megabytes)


@pytest.mark.parametrize(
    ("recipe", "name"),
    [
        (Recipe(), "typed · byte-level · 1,265"),
        (Recipe(pattern="o200k"), "typed · byte-level · o200k · 1,265"),
        (Recipe(pattern="regex:a|."), "typed · byte-level · own pattern · 1,265"),
        (Recipe(algorithm="character-bpe"), "typed · character-level </w> · 1,265"),
        (Recipe(algorithm="wordpiece"), "typed · WordPiece · 1,265"),
    ],
)
def test_a_tokenizer_is_named_after_its_recipe(recipe, name):
    assert current.usual_name(recipe, 1265, "typed") == name
