"""The models that a link names: those there are, and an error for each other name."""

from bpe import pricing
from playground.cost import models


def test_names_are_found_and_unknown_ones_are_errors():
    table = pricing.data.table()
    found, errors = models.find(table, ["openai/gpt-4", "openai/gpt-999", "openai/gpt-5"])
    assert [model.id for model in found] == ["openai/gpt-4", "openai/gpt-5"]
    assert ["gpt-999" in str(error) for error in errors] == [True]


def test_no_names_are_no_models():
    assert models.find(pricing.data.table(), []) == ([], [])
