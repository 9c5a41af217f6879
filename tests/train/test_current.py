"""The estimate that the form shows, without the page."""

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
        ("中" * 6_666_667, Recipe(algorithm="character-bpe"), 80, 2600),
    ],
)
def test_the_estimate_is_that_of_the_measurements(text, recipe, seconds, megabytes, monkeypatch):
    monkeypatch.setattr(compiled, "ready", lambda part=None: True)
    takes, memory = current.estimate(Corpus("", (text,)), recipe)
    assert (round(takes), round(memory / 1e6)) == (seconds, megabytes)
