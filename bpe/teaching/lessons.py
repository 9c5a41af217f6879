"""The worked examples of course notes, from ``lessons.toml``, and words as the notes count them.

Where a note prints what its own algorithm does not give, the figure says both, and why. Titles and
sentences are messages of an interface, which has them in other languages too.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import regex

from bpe.algorithm.recipe import Recipe
from bpe.training.algorithms import algorithm_of

# Letters and digits in a row, with what an apostrophe joins to them; or one sign, or one space.
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|\s|[^\s\p{L}\p{M}\p{N}]")


@dataclass(frozen=True)
class Figure:
    """Something that a note prints, and what the algorithm gives."""

    what: str
    given: str
    """By the algorithm, on the text and the recipe of the lesson."""
    printed: str | None
    """By the note; ``None`` where it leaves it to the reader."""
    why: str = ""
    """Why they differ, where they do; or what to see where nothing is printed."""

    @property
    def differs(self) -> bool:
        return self.printed is not None and self.printed != self.given


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A worked example: what it starts from, and its figures. What it does not need is empty."""

    code: str
    title: str
    text: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Words with their numbers of occurrences, where the note gives no text."""
    recipe: Recipe | None = None
    word_list: tuple[str, ...] = ()
    """A vocabulary of whole words; the number of each is its place."""
    merges: tuple[tuple[str, str], ...] = ()
    """A list of merges to encode by, in its order."""
    ranks: tuple[tuple[str, str, int], ...] = ()
    """Pairs with the ranks that a large tokenizer has for them."""
    figures: tuple[Figure, ...] = ()

    def word_counts(self) -> Mapping[Any, int]:
        """Return the words that the recipe trains on: texts of characters, or bytes."""
        if self.recipe is None or self.counts:
            return self.counts
        algorithm = algorithm_of(self.recipe)
        return algorithm.count_words([self.text], lambda progress: None, "naive", None)

    def messages(self) -> Iterator[str]:
        yield self.title
        for figure in self.figures:
            yield from filter(None, (figure.what, figure.why))


def _lesson(row: dict[str, Any]) -> Lesson:
    recipe = row.pop("recipe", None)
    figures = [
        Figure(entry["what"], entry.get("given", printed), printed, entry.get("why", ""))
        for entry in row.pop("figures")
        for printed in [entry.get("printed")]
    ]
    listed = {
        name: tuple(tuple(entry) if isinstance(entry, list) else entry for entry in value)
        for name, value in row.items()
        if isinstance(value, list)
    }
    return Lesson(
        **{**row, **listed},
        recipe=None if recipe is None else Recipe.from_json(recipe),
        figures=tuple(figures),
    )


_FILE = files(__package__).joinpath("lessons.toml").read_text("utf-8")
LESSONS = {row["code"]: _lesson(row) for row in tomllib.loads(_FILE)["lessons"]}


def split_words(text: str) -> list[str]:
    """Return the words, signs and spaces of ``text``; joined they are the text.

    Chinese has no spaces between words: all of a clause is one "word".

    >>> split_words("hello world!"), split_words("我一把把把把住了。")
    (['hello', ' ', 'world', '!'], ['我一把把把把住了', '。'])
    """
    parts: list[str] = _WORD.findall(text)
    return parts
