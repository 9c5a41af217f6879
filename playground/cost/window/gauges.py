"""How a text and its answer fill each model's window, and how much more would fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.analysis.metrics import count_hanzi
from bpe.pricing import Gauge, Model, Room, TokenCount
from bpe.text import samples
from playground.cost import counting, drawing
from playground.cost.desk import Desk
from playground.ui import charts
from playground.ui.i18n import _, names_joined, plain


@dataclass(frozen=True)
class Row:
    """A model with the text's count, how it fills the window, and how much more would fit."""

    model: Model
    count: TokenCount
    gauge: Gauge
    room: Room | None

    @property
    def share(self) -> float | None:
        """The share of the window that the text fills, where the window is known."""
        return None if self.gauge.share is None else float(self.gauge.share)


def measure(chosen: Sequence[Model], text: str, *, reserve: int) -> list[Row]:
    """Count a text for each model, with ``reserve`` tokens kept free for the answer.

    The fullest window is first; those of unknown size are last.
    """
    counted = counting.count(chosen, text)
    per_hanzi, per_word = _rates(chosen)
    rows = []
    for model in chosen:
        gauge = pricing.gauge(model, counted[model.id].tokens, reserve=reserve)
        room = None
        if gauge.free is not None:
            room = pricing.room(
                gauge.free,
                tokens_per_hanzi=per_hanzi[model.id],
                tokens_per_word=per_word[model.id],
            )
        rows.append(Row(model, counted[model.id], gauge, room))
    return sorted(rows, key=lambda row: -1 if row.share is None else row.share, reverse=True)


def _rates(chosen: Sequence[Model]) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
    """Return tokens for each 汉字 and each English word, measured on our samples."""
    zh, en = samples.corpus("zh"), samples.corpus("en")
    hanzi, words = count_hanzi(zh), len(en.split())
    return (
        {name: Decimal(c.tokens) / hanzi for name, c in counting.count(chosen, zh).items()},
        {name: Decimal(c.tokens) / words for name, c in counting.count(chosen, en).items()},
    )


def show(desk: Desk, rows: Sequence[Row]) -> None:
    """Say where the text does not fit, or fits least, and draw the gauges."""
    known = [row for row in rows if row.share is not None]
    if known:
        st.markdown(_reading(desk, known))
        charts.show(
            _chart(_frame(desk, known)),
            alt_text=_("How much of each model's context window the text fills"),
        )


def _reading(desk: Desk, known: Sequence[Row]) -> str:
    over = [desk.names[row.model.id] for row in known if not row.gauge.fits]
    if over:
        return _("The text and the answer do **not** fit: {models}.").format(
            models=plain(names_joined(over))
        )
    fullest = known[0]
    return _(
        "It fits everywhere; the tightest is **{model}**, where it takes {percent} % of "
        "{window} tokens."
    ).format(
        model=plain(desk.names[fullest.model.id]),
        percent=f"{100 * (fullest.share or 0):.3g}",
        window=f"{fullest.gauge.window:,}",
    )


def _frame(desk: Desk, known: Sequence[Row]) -> pd.DataFrame:
    """Return a row for each model and part, text and answer, with its share of the window."""
    rows = [
        (desk.names[row.model.id], part, place, share, f"{100 * share:.3g} %")
        for row in known
        for place, (part, share) in enumerate(
            (
                (_("the text"), row.share or 0),
                (_("kept free for the answer"), row.gauge.reserved / (row.gauge.window or 1)),
            )
        )
    ]
    return pd.DataFrame(rows, columns=["model", "part", "place", "share", "shown"])


def _chart(frame: pd.DataFrame) -> Any:
    """Return the filled share of each model's window, with a line where it is full."""
    order, parts = (list(dict.fromkeys(frame[name])) for name in ("model", "part"))
    bars = (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.75})
        .encode(
            y=alt.Y("model:N", sort=order, axis=drawing.NAMES),
            x=alt.X(
                "share:Q",
                title=_("Share of context window"),
                axis=alt.Axis(format="~%", tickCount=5),
                stack=True,
            ),
            color=alt.Color(
                "part:N",
                sort=parts,
                scale=alt.Scale(domain=parts, range=list(drawing.PARTS[:2])),
                legend=alt.Legend(title=None, orient="top"),
            ),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("model:N", title=_("Model")),
                alt.Tooltip("part:N", title=_("Part")),
                alt.Tooltip("shown:N", title=_("Share of context window")),
            ],
        )
    )
    full = charts.line_at(1, _("the window is full"))
    return alt.layer(bars, full).properties(height=30 * len(order) + 130)
