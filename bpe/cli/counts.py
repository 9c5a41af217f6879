"""``bpe train --counts``: what a file of counted words says, and what of it is left out."""

import re
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bpe.algorithm.recipe import Recipe
from bpe.cli.input import Refused

if TYPE_CHECKING:
    from bpe.scale.pruning import Pruned

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)
_CUT = ("algorithm", "pattern", "special_tokens", "normalisation")


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


def as_counted(
    counts: str | None, pruned: "Pruned | None", choices: dict[str, Any]
) -> dict[str, Any]:
    """Return the choices of a recipe; words are cut as options or else the file of counts say.

    A file that does not say it is refused without such an option.
    """
    if pruned is None:
        return choices
    context = click.get_current_context()
    said = {
        name for name in _CUT if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    counted = pruned.words.counted
    if counted is None and not said:
        raise Refused(
            f"“{counts}” does not say how its words were cut. Say it: --pattern, and --algorithm, "
            "--special and --normalisation if need be."
        )
    known = {} if counted is None else {name: getattr(counted, name) for name in _CUT}
    return {**choices, **{name: known[name] for name in known.keys() - said}}


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
