"""Counting many texts for models, with their progress, and a way to stop and to go on."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from bpe.pricing import Model, TokenCount
from playground.cost import counting
from playground.ui import progress
from playground.ui.i18n import _

KEPT = 4
_COLUMNS = "counted columns"


@dataclass
class Column:
    """The counts of many texts for one model, in their order; it grows while they are counted."""

    tokens: "array[int]" = field(default_factory=lambda: array("q"))
    low: "array[int]" = field(default_factory=lambda: array("q"))
    high: "array[int]" = field(default_factory=lambda: array("q"))
    exact: bool = True

    def __len__(self) -> int:
        return len(self.high)

    def add(self, counted: TokenCount) -> None:
        """Append the count of the next text."""
        self.tokens.append(counted.tokens)
        self.low.append(counted.low)
        self.high.append(counted.high)
        self.exact = self.exact and counted.exactness == "exact"

    def taken(self, which: slice) -> "Column":
        """Return the counts of some of the texts."""
        return Column(self.tokens[which], self.low[which], self.high[which], self.exact)

    @property
    def badge(self) -> str:
        """Whether the sum is exact, or how far off it may be."""
        if self.exact:
            return _("exact")
        total = sum(self.tokens)
        off = max(sum(self.high) - total, total - sum(self.low))
        return _("estimate ±{percent} %").format(percent=-(-100 * off // (total or 1)))


def count(models: Sequence[Model], texts: Sequence[str], name: str) -> dict[str, Column]:
    """Return the counts of many texts for each model by id, all of the same length.

    ``name`` says which texts these are. What was counted before a click is kept, and counting goes
    on from there; after a click on Stop, only when the reader says so.
    """
    shelf: dict[object, dict[str, Column]] = st.session_state.setdefault(_COLUMNS, {})
    key = (name, *counting.counted_by(models))
    if key not in shelf:
        while len(shelf) >= KEPT:
            shelf.pop(next(iter(shelf)))
        shelf[key] = {model.id: Column() for model in models}
    columns = shelf[key]
    if models and counted(columns) < len(texts):
        progress.run(
            key,
            _count_on(models, texts, columns),
            stopped=_(
                "Stopped: {done} of {all} texts are counted, and only these are shown."
            ).format(done=f"{counted(columns):,}", all=f"{len(texts):,}"),
        )
    return columns


def counted(columns: Mapping[str, Column]) -> int:
    """Return how many texts are counted for all models."""
    return min(map(len, columns.values()), default=0)


def _count_on(
    models: Sequence[Model], texts: Sequence[str], columns: Mapping[str, Column]
) -> Iterator[tuple[float, str]]:
    for number in range(counted(columns), len(texts)):
        found = counting.count_anew(models, texts[number])
        for model_id, column in columns.items():
            column.add(found[model_id])
        yield (
            (number + 1) / len(texts),
            _("{done} of {all} texts counted").format(
                done=f"{number + 1:,}", all=f"{len(texts):,}"
            ),
        )
