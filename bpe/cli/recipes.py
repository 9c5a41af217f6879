"""What commands take of a recipe, and the recipes of papers, which are more than one option."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from bpe.algorithm.recipe import TIE_BREAKS, Recipe
from bpe.cli.input import Refused
from bpe.cli.streaming import Corpus
from bpe.encoders.trained import Tokenizer
from bpe.text.pretokenize import PATTERNS
from bpe.training.research import train_parity

Command = TypeVar("Command", bound=Callable[..., Any])

_RECIPE = (
    click.option(
        "--pattern",
        default="gpt2",
        show_default=True,
        help="How text is split into pre-tokens, which no merge reaches across: "
        f"{', '.join(PATTERNS)}; or “regex:” and an expression of your own.",
    ),
    click.option("--special", "specials", multiple=True, help="A special token; may be repeated."),
    click.option(
        "--tie-break",
        type=click.Choice(TIE_BREAKS),
        default="lexicographic",
        show_default=True,
        help="Which of several equally frequent pairs is merged first.",
    ),
    click.option(
        "--min-frequency",
        type=int,
        default=1,
        show_default=True,
        help="Stop when no pair occurs so often.",
    ),
    click.option(
        "--normalisation",
        default="none",
        show_default=True,
        help="What is done to text first: NFC, NFKC, lowercase, strip-punctuation, joined by +.",
    ),
)
_RESEARCH = (
    click.option(
        "--whole-characters",
        is_flag=True,
        help="No token holds the end of one character and the beginning of the next.",
    ),
    click.option(
        "--superwords",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="This share of the merges within words, such as 0.8; the others reach across.",
    ),
    click.option(
        "--parity",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Each FILE is a language, and all say the same: after this share of the merges, each "
        "is made for the language that has the most tokens.",
    ),
)


def recipe_options(command: Command) -> Command:
    """Give a command the options that say how text is cut and which pair is merged."""
    for option in reversed(_RECIPE):
        command = option(command)
    return command


def research_options(command: Command) -> Command:
    """Give a command the options of recipes of papers."""
    for option in reversed(_RESEARCH):
        command = option(command)
    return command


def check_research(
    recipe: Recipe, superwords: float | None, parity: float | None, others: Sequence[str]
) -> None:
    """Refuse what does not go together; ``others`` are options that were given."""
    if superwords is None and parity is None:
        return
    option = "--superwords" if parity is None else "--parity"
    if parity is not None and superwords is not None:
        others = ["--superwords", *others]
    if not recipe.of_bytes:
        others = ["--algorithm", *others]
    if others:
        raise click.UsageError(f"{option} and {others[0]} cannot go together.")


def of_languages(
    files: Sequence[str], recipe: Recipe, share: float, name: str, **reading: Any
) -> tuple[Tokenizer, dict[str, int]]:
    """Train on a language in each file or folder; return how many merges each one chose, too."""
    if len(files) < 2:
        raise Refused("For --parity name the text of each language: two files or folders at least.")
    languages = {file: tuple(Corpus([file], None, (), **reading)) for file in files}
    tokenizer, chosen = train_parity(languages, recipe, global_share=share, name=name)
    return tokenizer, {file: chosen.count(file) for file in files}
