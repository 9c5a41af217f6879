"""The fields of the form as a recipe, and examples that come to the merges that notes print."""

import json

import pytest

import bpe
from bpe.algorithm.recipe import Recipe
from playground.train.presets import OWN
from playground.train.recipe_form import recipe_of

FIELDS = {
    "algorithm": "byte-bpe", "size": 500, "merges": None, "specials": "", "character_specials": "",
    "normalise": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "recipe"),
    [
        ({}, {}),
        ({"size": None, "merges": 7}, {"vocabulary_size": None, "merges": 7}),
        ({"specials": "<a> <b>  <a>"}, {"special_tokens": ("<a>", "<b>")}),
        ({"character_specials": "<a>"}, {}),
        ({"normalise": ["NFKC", "lowercase"]}, {"normalisation": "NFKC+lowercase"}),
        (
            {"ties": "first-seen", "least": 2, "pattern": "none"},
            {"tie_break": "first-seen", "min_frequency": 2, "pattern": "none"},
        ),
        (
            {"algorithm": "character-bpe", "mark": True, "unk": True, "character_specials": "<a>"},
            {"algorithm": "character-bpe", "special_tokens": ("<a>",), "unknown": "<unk>"},
        ),
        (
            {"algorithm": "character-bpe", "mark": False, "prune": False},
            {"algorithm": "character-bpe", "end_of_word": "", "prune": False},
        ),
        (
            {"algorithm": "sentencepiece-bpe", "fallback": False},
            {"algorithm": "sentencepiece-bpe", "unknown": "<unk>"},
        ),
    ],
    ids=str,
)
def test_fields_become_a_recipe(changed, recipe):
    wanted = Recipe(**{"vocabulary_size": 500, **recipe})
    assert recipe_of(FIELDS | changed) == wanted


def test_nanjing():
    _label, text, recipe = OWN["nanjing"]
    tokenizer = bpe.train(text.split("\n"), recipe)
    made = [tokenizer.token_bytes(merge.new_id) for merge in tokenizer.merges]
    words = [token.encode() for token in ("长江", "大桥", "长江大桥")]
    assert [token for token in made if token in words] == words


def test_low_lower_newest_widest():
    _label, counts, recipe = OWN["low-newest"]
    words = [word for word, number in json.loads(counts).items() for _ in range(number)]
    made = [merge.new for merge in bpe.train(words, recipe).merges]
    assert made[:7] == ["es", "est", "est</w>", "lo", "low", "ne", "new"]
