"""The estimate of a training, and what its tokenizer is called until the reader names it."""

import pytest

from bpe import compiled
from bpe.algorithm.recipe import Recipe
from bpe.training.algorithms import algorithm_of
from playground.train import current


@pytest.mark.parametrize(
    ("hanzi", "recipe", "seconds", "megabytes"),
    [
        (0.0, Recipe(), 1, 20),
        (1.0, Recipe(), 5, 220),
        (1.0, Recipe(algorithm="character-bpe"), 6, 900),
        (1.0, Recipe(algorithm="wordpiece", score="likelihood"), 80, 2600),
    ],
)
def test_the_estimate_is_that_of_the_measurements(hanzi, recipe, seconds, megabytes, monkeypatch):
    monkeypatch.setattr(compiled, "ready", lambda part=None: True)
    takes, memory = algorithm_of(recipe).effort(20_000_000, 6_666_667, hanzi)
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
