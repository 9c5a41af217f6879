"""The options of a recipe, one definition for all commands."""

from collections.abc import Callable
from functools import wraps
from typing import Any, get_args

import click

from bpe.algorithm.recipe import ALGORITHMS, TIE_BREAKS, Score
from bpe.cli.input import Command, Option, stacked
from bpe.cli.tokenizers import complete_pattern
from bpe.text.pretokenize import PATTERNS

_CUT: dict[str, Option] = {
    "pattern": click.option(
        "--pattern",
        default="gpt2",
        show_default=True,
        shell_complete=complete_pattern,
        help="How text is split into pre-tokens, which no merge reaches across: "
        f"{', '.join(PATTERNS)}; or “regex:” and an expression of your own.",
    ),
    "special_tokens": click.option(
        "--special",
        "special_tokens",
        multiple=True,
        metavar="TEXT",
        help="A special token; may be repeated.",
    ),
    "normalisation": click.option(
        "--normalisation",
        default="none",
        show_default=True,
        help="What is done to text first: NFC, NFKC, lowercase, strip-punctuation, joined by +.",
    ),
}
_ALGORITHM: dict[str, Option] = {
    "algorithm": click.option(
        "--algorithm",
        type=click.Choice(list(ALGORITHMS)),
        default="byte-bpe",
        show_default=True,
        help="BPE of bytes, or another algorithm. Superwords reach across words; for parity each "
        "FILE is a language, all say the same, and each merge is for the one with the most tokens.",
    ),
}
_MERGED: dict[str, Option] = {
    "tie_break": click.option(
        "--tie-break",
        type=click.Choice(TIE_BREAKS),
        default="lexicographic",
        show_default=True,
        help="Which of several equally frequent pairs is merged first.",
    ),
    "min_frequency": click.option(
        "--min-frequency",
        type=int,
        default=1,
        show_default=True,
        help="Stop when no pair occurs so often.",
    ),
}
_TRAINED: dict[str, Option] = {
    "vocabulary_size": click.option(
        "--vocab-size",
        "vocabulary_size",
        type=int,
        help="How many tokens there will be: 256 bytes, special tokens, and merges; by default "
        "4000.",
    ),
    "merges": click.option("--merges", type=int, help="How many merges are made at the most."),
    "unknown": click.option(
        "--unknown", help="For characters: the token of unseen ones, such as <unk>."
    ),
    "score": click.option(
        "--score",
        type=click.Choice(get_args(Score)),
        default="frequency",
        show_default=True,
        help="Of WordPiece: whether the most frequent pair is merged, or, as is taught, the one "
        "that its parts let expect least.",
    ),
    "share": click.option(
        "--share",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Of the merges, made within words by superwords (0.8), for all languages together by "
        "parity (0), before the others.",
    ),
    "whole_characters": click.option(
        "--whole-characters",
        is_flag=True,
        help="No token holds the end of one character and the beginning of the next.",
    ),
}


def _gathered(options: dict[str, Option]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_choices(**given: Any) -> Any:
            return command(choices={name: given.pop(name) for name in options}, **given)

        return stacked(*options.values())(with_choices)  # type: ignore[no-any-return]

    return decorate


cut_options = _gathered({**_ALGORITHM, **_CUT})
"""Gives a command ``choices``: how words are cut, for any algorithm."""
merge_options = _gathered({**_CUT, **_MERGED})
"""Gives a command ``choices``: how words of bytes are cut, and which pair is merged."""
recipe_options = _gathered({**_TRAINED, **_ALGORITHM, **_CUT, **_MERGED})
"""Gives a command ``choices``: all of a recipe."""
