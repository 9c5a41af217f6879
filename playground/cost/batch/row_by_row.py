"""The prompts one by one: how long they are and what each costs, and a file of them all."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from playground.cost import drawing
from playground.cost.batch.prompts import Row
from playground.cost.desk import Desk
from playground.ui import charts, settings, tables
from playground.ui.i18n import _

SHOWN = 20_000
"""More rows than this are only downloaded: nobody reads them, and each takes memory twice."""

_BEGINNING = 200
"""Characters of a prompt that the table has."""
_BINS = 40


def show(desk: Desk, rows: Sequence[Row], texts: Sequence[str]) -> None:
    """Draw the choice of a model, its prompts one by one, and the download for all models."""
    by_id = {row.model.id: row for row in rows}
    names = {name: desk.names[name] for name in by_id}
    row = by_id[settings.select(_("Row by row on"), names, key="rows_model")]
    charts.show(
        _lengths(row.counts.tokens, _marks(row)),
        alt_text=_("How many prompts have how many tokens, with middle, 95th percentile and limit"),
    )
    _table(desk, row, texts)
    st.download_button(
        _("Download all rows as csv"),
        data=lambda: as_csv(desk, rows, texts),
        file_name="prompts.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _marks(row: Row) -> dict[str, int]:
    """Return the lengths to mark by their names; the limit where it is not far away."""
    summary = row.summary
    marks = {
        _("middle (p50): {tokens}").format(tokens=f"{summary.p50:,}"): summary.p50,
        _("p95: {tokens}").format(tokens=f"{summary.p95:,}"): summary.p95,
    }
    if summary.limit is not None and summary.limit <= 2 * summary.longest:
        marks[_("limit: {tokens}").format(tokens=f"{summary.limit:,}")] = summary.limit
    return marks


def _lengths(counts: Sequence[int], marks: Mapping[str, int]) -> Any:
    """Return how many prompts have how many tokens, with lines at ``marks``."""
    width = max(1, -(-max([*counts, 1]) // _BINS))
    sizes = pd.Series([count // width for count in counts]).value_counts().sort_index()
    frame = pd.DataFrame(
        {
            "start": sizes.index * width,
            "end": (sizes.index + 1) * width,
            "last": (sizes.index + 1) * width - 1,
            "prompts": sizes.to_numpy(),
            "floor": 0,
        }
    )
    bars = (
        alt.Chart(frame)
        .mark_bar(color=drawing.PARTS[0], binSpacing=1)
        .encode(
            x=alt.X("start:Q", title=_("Tokens"), axis=alt.Axis(format=",d", tickMinStep=1)),
            x2="end:Q",
            y2="floor:Q",
            y=alt.Y("prompts:Q", title=_("Prompts"), axis=alt.Axis(format="d", tickMinStep=1)),
            tooltip=[
                alt.Tooltip("start:Q", title=_("From tokens"), format=",d"),
                alt.Tooltip("last:Q", title=_("To tokens"), format=",d"),
                alt.Tooltip("prompts:Q", title=_("Prompts"), format=",d"),
            ],
        )
    )
    lines = [
        charts.line_at(tokens, name, lift=6 + 13 * place)  # a line of text above the one before
        for place, (name, tokens) in enumerate(marks.items())
    ]
    return alt.layer(bars, *lines).properties(height=330, padding={"top": 20 + 13 * len(marks)})


def _table(desk: Desk, row: Row, texts: Sequence[str]) -> None:
    over = set(row.summary.over)
    frame = pd.DataFrame(
        [
            {
                "number": place + 1,
                "tokens": row.counts.tokens[place],
                "cost": desk.money.number(row.costs[place]),
                "over": place in over,
                "text": text[:_BEGINNING],
            }
            for place, text in enumerate(texts[:SHOWN])
        ]
    )
    tables.show(
        frame,
        {
            "number": tables.number(_("Row")),
            "tokens": tables.number(_("Tokens")),
            "cost": desk.money.column(_("Cost"), frame["cost"]),
            "over": tables.tick(_("Over the limit")),
            "text": tables.text(_("Begins"), width="large"),
        },
        alt_text=_("Tokens and cost of each prompt"),
        most_height=300,
    )
    if len(texts) > SHOWN:
        st.caption(
            _("The first {shown} of {all} rows; the download has all.").format(
                shown=f"{SHOWN:,}", all=f"{len(texts):,}"
            )
        )


def as_csv(desk: Desk, rows: Sequence[Row], texts: Sequence[str]) -> bytes:
    """Return every prompt with its tokens and its cost on each model, unrounded."""
    written = io.StringIO(newline="")
    table = csv.writer(written)
    heading = ["row", "prompt"]
    for row in rows:
        heading += [f"{row.model.id} tokens", f"{row.model.id} {desk.money.currency}"]
        heading.append(f"{row.model.id} over limit")
    table.writerow(heading)
    over = [set(row.summary.over) for row in rows]
    for place, text in enumerate(texts):
        line: list[object] = [place + 1, text]
        for row, too_long in zip(rows, over, strict=True):
            line += [row.counts.tokens[place], f"{desk.money.amount(row.costs[place]):f}"]
            line.append("yes" if place in too_long else "no")
        table.writerow(line)
    return written.getvalue().encode("utf-8-sig")
