"""Prompts on a model: what each and all cost, one by one as a chart and a table, and as a file."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.pricing import Model, Summary, Usage
from playground.cost import layout
from playground.cost.context import PricingContext
from playground.cost.counting import CountColumn
from playground.ui import charts, settings, tables
from playground.ui.i18n import _

SHOWN = 20_000
"""The table has at most so many rows, as each takes memory twice; the download has all."""

_BEGINNING = 200
"""Characters of a prompt that the table has."""
_BINS = 40


@dataclass(frozen=True)
class BatchTerms:
    """What holds for every prompt. A ``limit`` of 0 is what the window leaves beside the answer."""

    output: int
    reasoning: int
    limit: int
    batch: bool

    def usage(self, prompt: int) -> Usage:
        """Return the tokens of a request with a prompt of this length."""
        return Usage(prompt, output_tokens=self.output, reasoning_tokens=self.reasoning)


@dataclass(frozen=True)
class PromptCosts:
    """A model with the counts and costs of all prompts."""

    model: Model
    counts: CountColumn
    summary: Summary
    costs: Sequence[Decimal]
    low: Decimal
    """What all prompts cost at the low end of their counts."""
    high: Decimal

    @property
    def total(self) -> Decimal:
        return sum(self.costs, Decimal(0))


def price(
    context: PricingContext, model: Model, counts: CountColumn, terms: BatchTerms
) -> PromptCosts:
    """Return the costs of the prompts; those of one length cost the same and are priced once."""
    most = terms.limit or pricing.gauge(model, 0, reserve=terms.output + terms.reasoning).free
    lengths = sorted({*counts.tokens, *counts.low, *counts.high})
    costs = pricing.row_costs(
        model,
        lengths,
        output_tokens=terms.output,
        reasoning_tokens=terms.reasoning,
        batch=terms.batch,
        terms=context.terms(model),
    )
    by_length = dict(zip(lengths, costs, strict=True))
    return PromptCosts(
        model,
        counts,
        pricing.summarise(counts.tokens, limit=most),
        [by_length[tokens] for tokens in counts.tokens],
        sum((by_length[tokens] for tokens in counts.low), Decimal(0)),
        sum((by_length[tokens] for tokens in counts.high), Decimal(0)),
    )


def show(context: PricingContext, rows: Sequence[PromptCosts], texts: Sequence[str]) -> None:
    by_id = {row.model.id: row for row in rows}
    names = {name: context.names[name] for name in by_id}
    row = by_id[settings.select(_("Row by row on"), names, key="rows_model")]
    charts.show(
        partial(_lengths, row.counts.tokens, _marks(row)),
        alt_text=_("How many prompts have how many tokens, with median, 95th percentile and limit"),
    )
    _table(context, row, texts)
    st.download_button(
        _("Download all rows as csv"),
        data=lambda: as_csv(context, rows, texts),
        file_name="prompts.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _marks(row: PromptCosts) -> dict[str, int]:
    """Return the lengths to mark by their names; the limit where it is not far away."""
    summary = row.summary
    marks = {
        _("median (p50): {tokens}").format(tokens=f"{summary.p50:,}"): summary.p50,
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
        .mark_bar(color=layout.BILL_COLOURS[0], binSpacing=1)
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


def _table(context: PricingContext, row: PromptCosts, texts: Sequence[str]) -> None:
    over = set(row.summary.over)
    layout.show_rows(
        context,
        range(len(texts[:SHOWN])),
        {
            "number": (tables.number(_("Row")), lambda place: place + 1),
            "tokens": (tables.number(_("Tokens")), lambda place: row.counts.tokens[place]),
            "cost": (_("Cost"), lambda place: row.costs[place]),
            "over": (tables.tick(_("Over the limit")), lambda place: place in over),
            "text": (
                tables.text(_("Begins"), width="large"),
                lambda place: texts[place][:_BEGINNING],
            ),
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


def as_csv(context: PricingContext, rows: Sequence[PromptCosts], texts: Sequence[str]) -> bytes:
    """Return every prompt with its tokens and its cost on each model, unrounded."""
    written = io.StringIO(newline="")
    table = csv.writer(written)
    heading = ["row", "prompt"]
    for row in rows:
        heading += [f"{row.model.id} tokens", f"{row.model.id} {context.money.currency}"]
        heading.append(f"{row.model.id} over limit")
    table.writerow(heading)
    over = [set(row.summary.over) for row in rows]
    for place, text in enumerate(texts):
        line: list[object] = [place + 1, tables.no_formula(text)]
        for row, too_long in zip(rows, over, strict=True):
            line += [row.counts.tokens[place], f"{row.costs[place]:f}"]
            line.append("yes" if place in too_long else "no")
        table.writerow(line)
    return written.getvalue().encode("utf-8-sig")
