"""The algorithms that can be trained: one module each, found by the name in the recipe.

A module has a class :data:`ALGORITHM`, which says how words are counted, what is learned from them,
and which tokenizer that makes (:class:`bpe.training.algorithms.base.Algorithm`).
"""

from importlib import import_module
from typing import cast

from bpe.algorithm.recipe import Recipe
from bpe.training.algorithms.base import Algorithm


def named(name: str) -> type[Algorithm]:
    """Return an algorithm of :data:`bpe.algorithm.recipe.ALGORITHMS`."""
    module = import_module(f"{__name__}.{name.replace('-', '_')}")  # where it is first asked for
    return cast(type[Algorithm], module.ALGORITHM)


def algorithm_of(recipe: Recipe) -> Algorithm:
    """Return the algorithm of a recipe, ready to train by it."""
    return named(recipe.algorithm)(recipe)
