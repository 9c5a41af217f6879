"""Counting texts for models.

Counts are cached in the session, so that a click on something else does not count again. Many texts
are counted with their progress, and a way to stop and to resume.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cache

import streamlit as st

from bpe import pricing
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.pricing import Count, Model, Sentence, messages
from playground.ui import caches, progress
from playground.ui.i18n import _

_COUNT_BYTES, _COLUMN_BYTES = 500, 24
"""About how much memory the count of a text for one model takes, alone and among many."""
SHORT = 5_000
"""Up to how many characters a count is there at once."""


def count(models: Sequence[Model], text: str) -> dict[str, Count]:
    def make() -> dict[str, Count]:
        # A spinner begins a thread, which takes longer than counting a page of text.
        waiting = st.spinner(_("Counting tokens…"), show_time=True)
        with waiting if len(text) > SHORT else nullcontext():
            return pricing.count_for_all(models, text, _encoders())

    size = 4 * len(text) + _COUNT_BYTES * len(models)
    key = ("token counts", text, *(model.id for model in models))
    return caches.cached(key, make, memory=size)


def _encoders() -> Callable[[str], Encoder]:
    """Return what finds encoders, where a click stops the work, and holds them meanwhile.

    There may be more of them than the server keeps: each would be loaded again for each text.
    """

    @cache
    def find(name: str) -> Encoder:
        progress.checkpoint()
        return catalog.encoding(name)

    return find


def badge(counted: Count) -> str:
    if counted.exactness == "exact":
        return _("exact")
    return _("estimate ±{percent}%").format(percent=counted.error_percent)


@dataclass
class CountColumn:
    """The counts of many texts for one model, in their order; it grows while they are counted."""

    tokens: "array[int]" = field(default_factory=lambda: array("q"))
    low: "array[int]" = field(default_factory=lambda: array("q"))
    high: "array[int]" = field(default_factory=lambda: array("q"))
    exact: bool = True

    def __len__(self) -> int:
        return len(self.high)

    def add(self, counted: Count) -> None:
        self.tokens.append(counted.tokens)
        self.low.append(counted.low)
        self.high.append(counted.high)
        self.exact = self.exact and counted.exactness == "exact"

    @property
    def total(self) -> Count:
        """All of them together."""
        method = messages.METHOD_OF_MANY if self.exact else messages.METHOD_STAND_INS
        return Count(sum(self.tokens), sum(self.low), sum(self.high), Sentence(method))


def count_many(models: Sequence[Model], texts: Sequence[str], name: str) -> dict[str, CountColumn]:
    """Return the counts of many texts for each model by id, all of the same length.

    ``name`` says which texts these are. Counts made before a click are cached, and counting
    resumes there; after a click on Stop, only when the reader says so.
    """
    key = (name, *(model.id for model in models))
    columns = caches.cached(
        ("counted columns", *key),
        lambda: {model.id: CountColumn() for model in models},
        memory=_COLUMN_BYTES * len(texts) * len(models),
    )
    if models and number_counted(columns) < len(texts):
        progress.run(
            key,
            _count_on(models, texts, columns),
            stopped=_(
                "Stopped: {done} of {all} texts are counted, and only these are shown."
            ).format(done=f"{number_counted(columns):,}", all=f"{len(texts):,}"),
        )
    return columns


def number_counted(columns: Mapping[str, CountColumn]) -> int:
    return min(map(len, columns.values()), default=0)


def _count_on(
    models: Sequence[Model], texts: Sequence[str], columns: Mapping[str, CountColumn]
) -> Iterator[tuple[float, str]]:
    find = _encoders()
    for number in range(number_counted(columns), len(texts)):
        counts = pricing.count_for_all(models, texts[number], find)
        for model_id, column in columns.items():
            column.add(counts[model_id])
        yield (
            (number + 1) / len(texts),
            _("{done} of {all} texts counted").format(
                done=f"{number + 1:,}", all=f"{len(texts):,}"
            ),
        )
