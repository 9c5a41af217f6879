"""The turns of a conversation one by one, as a chart and as a table."""

from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import altair as alt
import pandas as pd

from bpe.pricing import MEMORIES, Memory, Simulation
from playground.cost import layout
from playground.cost.context import PricingContext
from playground.ui import charts, fields, tables
from playground.ui.i18n import _

Remembered = Mapping[Memory, Simulation]
"""A conversation by what of it is sent again."""
WAYS = ("#6f6b66", "#4f7f78", "#8d6a9f")
"""Colours of the ways to remember a conversation."""

_POINTS = 1500
"""A line has no more of them than pixels."""
_DOTS = 300


def show_chart(context: PricingContext, remembered: Remembered) -> None:
    view = fields.segments(
        _("Chart"),
        {"cost": _("Cost of each turn"), "sum": _("Cost so far"), "tokens": _("Tokens sent")},
        key="turn_chart",
        label_visibility="collapsed",
    )
    frame = _frame(context, remembered, view)
    if len(frame) > _POINTS:
        frame = frame[frame["turn"] % (len(frame) // _POINTS + 1) == 1]
    title = _("Tokens") if view == "tokens" else context.money.name
    window = remembered["all"].model.context_window
    is_near = view == "tokens" and window and frame["value"].max() > window / 3
    charts.show(
        partial(_chart, frame, title, full=window if is_near else None),
        alt_text=_("Cost or length of each turn, for three ways to remember a conversation"),
    )


def _ways(remembered: Remembered) -> Mapping[str, Simulation]:
    return {
        _("everything"): remembered["all"],
        _("the last turns"): remembered["last turns"],
        _("a summary"): remembered["summary"],
    }


def _frame(context: PricingContext, remembered: Remembered, view: str) -> pd.DataFrame:
    rows: list[tuple[int, str, float, str]] = []
    for way, simulation in _ways(remembered).items():
        so_far = Decimal(0)
        for turn in simulation.turns:
            so_far += turn.cost
            if view == "tokens":
                value, shown = float(turn.usage.input_tokens), f"{turn.usage.input_tokens:,}"
            else:
                money = so_far if view == "sum" else turn.cost
                value, shown = float(money), context.money.text(money)
            rows.append((turn.number, way, value, shown))
    return pd.DataFrame(rows, columns=["turn", "way", "value", "shown"])


def _chart(frame: pd.DataFrame, title: str, *, full: int | None) -> Any:
    base = alt.Chart(frame).encode(
        x=alt.X("turn:Q", title=_("Turn"), axis=alt.Axis(format="d", tickMinStep=1)),
        y=alt.Y("value:Q", title=title, axis=layout.AMOUNT_AXIS),
        color=charts.colour("way:N", dict.fromkeys(frame["way"]), WAYS),
        tooltip=[
            alt.Tooltip("way:N", title=_("What is sent")),
            alt.Tooltip("turn:Q", title=_("Turn")),
            alt.Tooltip("shown:N", title=title),
        ],
    )
    layers = [base.mark_line(strokeWidth=2.5, interpolate="linear")]
    if len(frame) <= _DOTS:
        layers.append(base.mark_circle(size=22, opacity=1))
    if full is not None:
        layers.append(charts.line_at(full, _("the window is full"), axis="y"))
    return alt.layer(*layers).properties(height=320)


def show_table(context: PricingContext, remembered: Remembered) -> None:
    ways = [remembered[memory] for memory in MEMORIES]
    layout.show_rows(
        context,
        list(zip(*(way.turns for way in ways), strict=True)),
        {
            "turn": (tables.number(_("Turn"), pinned=True), lambda row: row[0].number),
            "cost": (_("Everything is sent"), lambda row: row[0].cost),
            "last": (_("The last turns only"), lambda row: row[1].cost),
            "summary": (_("A running summary"), lambda row: row[2].cost),
            "input": (tables.number(_("Input tokens")), lambda row: row[0].usage.input_tokens),
            "cached": (tables.number(_("of these cached")), lambda row: row[0].usage.cached_tokens),
            "written": (
                tables.number(_("of these written to the cache")),
                lambda row: row[0].usage.cache_write_tokens,
            ),
            "output": (tables.number(_("Output tokens")), lambda row: row[0].usage.output_tokens),
            "fits": (tables.text(_("Fits the window")), lambda row: layout.fits(row[0].fits)),
        },
        alt_text=_("Tokens and cost of each turn"),
        most_height=320,
    )
