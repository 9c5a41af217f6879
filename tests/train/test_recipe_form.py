"""What the fields of the form hold, as a recipe."""

import pytest

from bpe.algorithm.recipe import Recipe
from playground.train.recipe_form import recipe_of

FIELDS = {
    "algorithm": "byte-bpe", "size": 500, "merges": None, "specials": "", "character_specials": "",
    "normalise": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "recipe"),
    [
        ({}, Recipe(vocabulary_size=500)),
        ({"size": None, "merges": 7}, Recipe(merges=7)),
        ({"specials": "<a> <b>  <a>"}, Recipe(vocabulary_size=500, special_tokens=("<a>", "<b>"))),
        ({"character_specials": "<a>"}, Recipe(vocabulary_size=500)),
        (
            {"normalise": ["NFKC", "lowercase"]},
            Recipe(vocabulary_size=500, normalisation="NFKC+lowercase"),
        ),
        ({"ties": "first-seen", "least": 2, "pattern": "none"},
         Recipe(vocabulary_size=500, tie_break="first-seen", min_frequency=2, pattern="none")),
        (
            {"algorithm": "character-bpe", "mark": True, "unk": True, "character_specials": "<a>"},
            Recipe(algorithm="character-bpe", vocabulary_size=500, special_tokens=("<a>",),
                   end_of_word="</w>", unknown="<unk>"),
        ),
        (
            {"algorithm": "character-bpe", "mark": False, "prune": False},
            Recipe(algorithm="character-bpe", vocabulary_size=500, end_of_word="", prune=False),
        ),
        (
            {"algorithm": "sentencepiece-bpe", "fallback": False},
            Recipe(algorithm="sentencepiece-bpe", vocabulary_size=500, unknown="<unk>"),
        ),
    ],
    ids=str,
)  # fmt: skip
def test_fields_become_a_recipe(changed, recipe):
    assert recipe_of(FIELDS | changed).digest == recipe.digest
