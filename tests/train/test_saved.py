"""What a tokenizer is called until the reader names it."""

import pytest

from bpe.algorithm.recipe import Recipe
from playground.train import current


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
    assert current.name(recipe, 1265, "typed") == name
