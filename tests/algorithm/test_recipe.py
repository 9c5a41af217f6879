"""A recipe is checked when it is made, and named by what it decides."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm.recipe import TIE_BREAKS_OF_ALL, Recipe
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "magic"}, "no algorithm “magic”.*byte-bpe, character-bpe"),
        ({"score": "likelihood"}, "a score of WordPiece alone"),
        ({"algorithm": "wordpiece", "score": "beauty"}, "no score of pairs “beauty”"),
        ({"tie_break": "coin"}, "no tie-break rule “coin”"),
        ({"tie_break": "huggingface", "algorithm": "character-bpe"}, "plain byte-level BPE alone"),
        ({"tie_break": "huggingface", "algorithm": "superwords"}, "plain byte-level BPE alone"),
        ({"pattern": "gpt9"}, "no split pattern “gpt9”.*gpt2, cl100k"),
        ({"normalisation": "NFX"}, "no normalisation “NFX”"),
        ({"normalisation": "NFC+"}, "no normalisation “”"),
        ({"vocabulary_size": 255}, "too small.*need 256"),
        ({"vocabulary_size": 256, "special_tokens": ("<s>",)}, "need 257"),
        ({"vocabulary_size": 12.5}, "vocabulary size must be a whole number"),
        ({"vocabulary_size": True}, "vocabulary size must be a whole number"),
        ({"merges": -1}, "number of merges must be a whole number of at least 0, not -1"),
        ({"min_frequency": 0}, "minimum frequency must be a whole number of at least 1"),
        ({"min_frequency": None}, "minimum frequency must be a whole number"),
        ({"special_tokens": "<s>"}, "special tokens as a list, not as one string or a set"),
        ({"special_tokens": {"<a>", "<b>"}}, "Give the special tokens as a list"),
        ({"special_tokens": None}, "Give the special tokens as a list"),
        ({"algorithm": "superwords", "share": True}, "A share is a number from 0 to 1, not True"),
        ({"algorithm": "parity", "share": 2}, "A share is a number from 0 to 1, not 2"),
        ({"share": 0.5}, "a choice of superwords and of parity alone"),
        ({"special_tokens": ("",)}, "at least one character"),
        ({"special_tokens": ("<s>", "<s>")}, "listed twice"),
        ({"special_tokens": ("\ud800",)}, "half of a surrogate pair"),
        ({"unknown": "\ud800"}, "half of a surrogate pair"),
        ({"end_of_word": "\ud800"}, "half of a surrogate pair"),
        ({"pattern": ["gpt2"]}, "given by their names"),
        ({"algorithm": ["byte-bpe"]}, "no algorithm"),
        ({"prune": "yes"}, "pruning either true or false"),
        ({"end_of_word": None}, "end of a word must be text"),
        ({"unknown": ""}, "unknown token must be text"),
    ],
)
def test_a_wrong_value_says_what_to_do(options, message):
    with pytest.raises(BPEError, match=message):
        Recipe(**options)


def test_integers_of_numpy_are_numbers_as_any_other():
    recipe = Recipe(merges=np.int64(3), min_frequency=np.int32(1), vocabulary_size=np.uint16(300))
    assert recipe == Recipe(merges=3, min_frequency=1, vocabulary_size=300)
    assert Recipe.from_json(json.loads(json.dumps(recipe.as_json()))) == recipe


def test_limits_meet():
    assert Recipe(vocabulary_size=300, special_tokens=("<s>",)).merge_limit == 43
    assert Recipe(vocabulary_size=300, merges=10).merge_limit == 10
    assert Recipe().merge_limit is None


@pytest.mark.parametrize(
    "ask",
    [
        lambda recipe: recipe.first_merge_id,
        lambda recipe: recipe.merge_limit,
        lambda recipe: recipe.stop_reason(3),
    ],
)
def test_what_counts_256_bytes_cannot_be_asked_of_characters(ask):
    with pytest.raises(TypeError, match="Only a byte-level vocabulary"):
        ask(Recipe(algorithm="character-bpe", vocabulary_size=25))


recipes = st.builds(
    Recipe,
    vocabulary_size=st.none() | st.integers(300, 400),
    merges=st.none() | st.integers(0, 9),
    pattern=st.sampled_from(list(PATTERNS)),
    special_tokens=st.lists(st.text(min_size=1), max_size=3, unique=True).map(tuple),
    tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
    prune=st.booleans(),
)
recipes |= st.builds(
    Recipe,
    algorithm=st.sampled_from(["superwords", "parity"]),
    share=st.none() | st.sampled_from([0, 0.5, 0.8, 1]),
)


@given(recipes, recipes)
def test_the_digest_tells_recipes_apart(one, other):
    assert (one.digest == other.digest) == (one == other)


def test_wordpiece_without_a_score_is_what_it_was_when_there_was_no_choice():
    old = {"algorithm": "wordpiece", "vocabulary_size": 400, "tie_break": "first-seen"}
    recipe = Recipe.from_json(old)
    assert recipe.score == "likelihood"
    assert Recipe.from_json({**Recipe().as_json(), **old}) == recipe  # as a link is read
    assert "score" not in recipe.as_json()
    assert recipe.digest == "95a3e4c5ee5b036c"
    assert Recipe(**old).score == "frequency"
    assert Recipe.from_json(Recipe(**old).as_json()) == Recipe(**old)
    assert Recipe(**old).digest != recipe.digest


def test_digests_of_plain_recipes_stay_as_they_were():
    assert Recipe(merges=20, pattern="o200k").digest == "df1ab75a0cda9a83"


@given(recipes)
def test_json_gives_the_recipe_back(recipe):
    assert Recipe.from_json(recipe.as_json()) == recipe


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "not an object"),
        ({"colour": 1, "merges": 2}, "unknown fields: colour"),
        ({"special_tokens": "<s>"}, "as a list"),
        ({"parity": 2}, "A share is a number from 0 to 1, not 2"),
        ({"merges": "many"}, "number of merges must be a whole number"),
    ],
)
def test_broken_json_is_refused(values, message):
    with pytest.raises(BPEError, match=message):
        Recipe.from_json(values)


@pytest.mark.parametrize(
    ("old", "today"),
    [
        ({"superwords": 0.5}, {"algorithm": "superwords", "share": 0.5}),
        ({"parity": 0, "languages": ["zh", "en"]}, {"algorithm": "parity", "share": 0}),
        ({"start": "gpt2"}, {}),
    ],
)
def test_recipes_that_said_results_are_read_as_wishes(old, today):
    recipe = Recipe(merges=20)
    assert Recipe.from_json({**recipe.as_json(), **old}) == replace(recipe, **today)


def test_a_name_of_another_library_is_answered_with_ours():
    with pytest.raises(TypeError, match="no field vocab_size. Write it as: vocabulary_size"):
        Recipe(vocab_size=300)
    with pytest.raises(TypeError, match="no field colour. Write it as: algorithm, vocabulary_size"):
        Recipe(colour=1)
