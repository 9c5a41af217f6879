"""``bpe train --counts``: what a file of counted words says, and what of it is left out."""

import re
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bpe.algorithm.recipe import Recipe

if TYPE_CHECKING:
    from bpe.scale.pruning import Pruned

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)
_OPTIONS = {"special_tokens": "specials"}


def bytes_of(_context: click.Context, _parameter: click.Parameter, size: str | None) -> int | None:
    """Read a size such as ``4GB``."""
    if size is None:
        return None
    if not (match := _SIZE.fullmatch(size.strip())):
        raise click.BadParameter(f"“{size}” is not a size such as 4GB.")
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


def words_of(counts: str, at_least: int | None, memory: int | None) -> "Pruned":
    """Read a file of counts, without the words that are too rare or too many for the memory."""
    from bpe.scale import pruning

    if memory is not None:
        at_least = max(at_least or 1, pruning.floor_that_fits(counts, memory))
    return pruning.read(counts, at_least or 1)


def as_counted(pruned: "Pruned | None", **options: Any) -> dict[str, Any]:
    """Return how words are cut: as options say it, or else the file of counts."""
    counted = None if pruned is None else pruned.words.counted
    if counted is None:
        return options
    context = click.get_current_context()
    return {
        field: value
        if context.get_parameter_source(_OPTIONS.get(field, field)) is ParameterSource.COMMANDLINE
        else getattr(counted, field)
        for field, value in options.items()
    }


def left_out(pruned: "Pruned", recipe: Recipe, made: int, continued: bool) -> dict[str, Any]:
    """Return what is to be said of the words that were left out."""
    from bpe.scale import pruning

    if not pruned.left_out:
        return {}
    said: dict[str, Any] = {
        "words_that_occur_less_often_than": pruned.at_least,
        "words_left_out": pruned.left_out,
        "occurrences_left_out": pruned.occurrences,
    }
    if recipe.of_bytes and not continued:
        said["certain_merges"] = min(made, pruning.certain_merges(pruned, recipe))
    return said
