"""Options of a recipe, and the corpus of a training: texts in parts, or counted words."""

import re
from collections.abc import Collection, Iterator
from typing import Any, get_args

import click
from click.core import ParameterSource

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.recipe import ALGORITHMS, TIE_BREAKS, Score
from bpe.cli.input import Inputs, Option, Refused, gathered
from bpe.text.cuts import Cutter, between_words
from bpe.text.digests import CorpusDigest
from bpe.text.pretokenize import PATTERNS

PART = 1 << 22
"""Characters of a text that are read at once."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)

_OPTIONS: dict[str, Option] = {
    "vocabulary_size": click.option(
        "--vocab-size",
        "vocabulary_size",
        type=int,
        help="How many tokens there will be, with bytes and special tokens; by default 4000.",
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
    "algorithm": click.option(
        "--algorithm",
        type=click.Choice(list(ALGORITHMS)),
        default="byte-bpe",
        show_default=True,
        help="BPE of bytes, or another algorithm. Superwords reach across words; for parity each "
        "FILE is a language, all say the same, and each merge is for the one with the most tokens.",
    ),
    "pattern": click.option(
        "--pattern",
        default="gpt2",
        show_default=True,
        help="How text is split into pre-tokens, which no merge reaches across: "
        f"{', '.join(PATTERNS)}; or “regex:” and an expression of your own.",
    ),
    "special_tokens": click.option(
        "--special", "special_tokens", multiple=True, help="A special token; may be repeated."
    ),
    "normalisation": click.option(
        "--normalisation",
        default="none",
        show_default=True,
        help="What is done to text first: NFC, NFKC, lowercase, strip-punctuation, joined by +.",
    ),
    "tie_break": click.option(
        "--tie-break",
        type=click.Choice(TIE_BREAKS),
        default="lexicographic",
        show_default=True,
        help="Which of several equally frequent pairs is merged first.",
    ),
    "min_frequency": click.option(
        "--min-frequency", default=1, help="Stop when no pair occurs so often."
    ),
}
_CUTS = ("algorithm", "pattern", "special_tokens", "normalisation")
_MERGED = (*_CUTS[1:], "tie_break", "min_frequency")

cut_options = gathered("choices", dict, {name: _OPTIONS[name] for name in _CUTS})
"""Gives a command ``choices``: how words are cut, for any algorithm."""
merge_options = gathered("choices", dict, {name: _OPTIONS[name] for name in _MERGED})
"""Gives a command ``choices``: how words of bytes are cut, and which pair is merged."""
recipe_options = gathered("choices", dict, _OPTIONS)
"""Gives a command ``choices``: all of a recipe."""


class InputTexts:
    """The texts of what a command reads, which iterating reads.

    Long texts are cut by ``cutter``, outside of ``special_tokens``, where training sees no
    difference; without a cutter they are whole. ``digest`` is that of the documents read.
    """

    def __init__(
        self, inputs: Inputs, cutter: Cutter | None = None, special_tokens: Collection[str] = ()
    ) -> None:
        self._inputs = inputs
        self._cutter = cutter
        self._special_tokens = special_tokens
        self._bytes_read = 0
        self.digest = CorpusDigest()

    def __iter__(self) -> Iterator[str]:
        empty = True
        for file in self._inputs.files:
            for document in self._inputs.documents(file, self._on_read):
                blocks = self.digest.reading(document)
                for part in between_words(blocks, self._cutter, self._special_tokens, PART):
                    if part:
                        empty = False
                        yield part
        if empty:
            names = ", ".join(file.name for file in self._inputs.files[:3])
            raise Refused(f"There is no text in {names}.")

    def _on_read(self, size: int) -> None:
        self._bytes_read += size

    def share(self) -> float | None:
        """Return which share of all bytes is read, ``None`` where their number is not known."""
        sizes = [file.size for file in self._inputs.files if file.size is not None]
        has_sizes = len(sizes) == len(self._inputs.files) and any(sizes)
        return min(self._bytes_read / sum(sizes), 1.0) if has_sizes else None


def bytes_of(_context: click.Context, _parameter: click.Parameter, size: str | None) -> int | None:
    """Read a size such as ``4GB``."""
    if size is None:
        return None
    if not (match := _SIZE.fullmatch(size.strip())):
        raise click.BadParameter(f"“{size}” is not a size such as 4GB.")
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))


def words_of(
    counts: str, at_least: int | None = None, memory: int | None = None
) -> tuple[WordCounts, dict[str, int]]:
    """Read a file of counts, without the words that are too rare or too many for the memory.

    Of those that are left out, say how many they are.
    """
    from bpe.scale import count_files  # only here: fsspec and Arrow take long

    floor = at_least or 1
    if memory is not None:
        floor = max(floor, count_files.floor_that_fits(counts, memory))
    words, left_out, occurrences = count_files.read_without_rare(counts, floor)
    numbers = {
        "words_that_occur_less_often_than": floor,
        "words_left_out": left_out,
        "occurrences_left_out": occurrences,
    }
    return words, numbers if left_out else {}


def as_counted(counts: str, words: WordCounts, choices: dict[str, Any]) -> dict[str, Any]:
    """Return the choices of a recipe; words are cut as options or else the file of counts say.

    A file that does not say it is refused without such an option.
    """
    options = options_of_cuts()
    counted = words.counted
    if counted is None and not options:
        raise Refused(
            f"“{counts}” does not say how its words were cut. Say it: --pattern, and --algorithm, "
            "--special and --normalisation if need be."
        )
    settings = {} if counted is None else {name: getattr(counted, name) for name in _CUTS}
    return {**choices, **{name: settings[name] for name in settings.keys() - options}}


def options_of_cuts() -> set[str]:
    """Return which options of the command line say how words are cut."""
    context = click.get_current_context()
    return {
        name for name in _CUTS if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
