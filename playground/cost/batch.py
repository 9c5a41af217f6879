"""Many prompts from a file: the length and cost of each, their sum, middle and tail."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.analysis.metrics import percentile
from bpe.documents import samples
from bpe.pricing import Count, Model, Usage
from playground.cost import counting, layout, models
from playground.cost.chat import longest_input
from playground.cost.counting import CountColumn
from playground.cost.languages import comparing
from playground.cost.languages.inputs import Content, answer_field
from playground.cost.price_settings import PricingContext
from playground.ui import fields, tables, uploads
from playground.ui.i18n import _

SHOWN = 20_000
"""The table has at most so many rows, as each takes memory twice; the download has all."""

_BEGINNING = 200
"""Characters of a prompt that the table has."""


@dataclass(frozen=True)
class Inputs:
    """The prompts with a name that is theirs alone, the models, and what holds for every prompt."""

    texts: Sequence[str]
    name: str
    models: list[Model]
    answer: Content
    reasoning: int
    batch: bool

    def usage(self, prompt: int, answer: int) -> Usage:
        tier = "batch" if self.batch else ""
        return Usage(prompt, output_tokens=answer, reasoning_tokens=self.reasoning, tier=tier)


@dataclass(frozen=True)
class PromptCosts:
    """A model with the counts and costs of all prompts.

    No prompt may be longer than ``limit``, what the window leaves beside the answer. Each has an
    ``answer`` as long. ``low`` and ``high`` are the costs of all at the ends of their ranges.
    """

    model: Model
    counts: CountColumn
    answer: Count
    costs: Sequence[Decimal]
    low: Decimal
    high: Decimal
    limit: int | None

    @property
    def total(self) -> Decimal:
        return sum(self.costs, Decimal(0))

    @cached_property
    def over(self) -> set[int]:
        """The places of the prompts that are too long."""
        if self.limit is None:
            return set()
        return {place for place, n in enumerate(self.counts.tokens) if n > self.limit}

    @cached_property
    def ordered(self) -> list[int]:
        return sorted(self.counts.tokens)


def price(
    context: PricingContext, model: Model, counts: CountColumn, inputs: Inputs
) -> PromptCosts:
    """Return the costs of the prompts; those of one length cost the same and are priced once."""
    is_english = isinstance(inputs.answer, tuple) and inputs.answer[1] == "words"
    answer = comparing.length([model], inputs.answer, "en" if is_english else "zh")[model.id]
    terms = context.terms

    def costs_of(prompts: Sequence[int], output: int) -> list[Decimal]:
        money = {
            tokens: pricing.cost(model, inputs.usage(tokens, output), terms).total
            for tokens in {*prompts}
        }
        return [money[tokens] for tokens in prompts]

    low, high = (
        sum(costs_of(prompts, output), Decimal(0))
        for prompts, output in ((counts.low, answer.low), (counts.high, answer.high))
    )
    costs = costs_of(counts.tokens, answer.tokens)
    limit = longest_input(model, answer.tokens + inputs.reasoning)
    return PromptCosts(model, counts, answer, costs, low, high, limit)


def _show_rows(context: PricingContext, rows: Sequence[PromptCosts], texts: Sequence[str]) -> None:
    by_id = {row.model.id: row for row in rows}
    names = {name: context.names[name] for name in by_id}
    row = by_id[fields.select(_("Show each prompt for"), names, key="rows_model")]
    layout.show_rows(
        context,
        range(len(texts[:SHOWN])),
        {
            "number": (tables.number(_("Row")), lambda place: place + 1),
            "tokens": (tables.number(_("Tokens")), lambda place: row.counts.tokens[place]),
            "cost": (_("Cost"), lambda place: row.costs[place]),
            "over": (tables.tick(_("Over the limit")), lambda place: place in row.over),
            "text": (
                tables.text(_("Begins"), width="large"),
                lambda place: texts[place][:_BEGINNING],
            ),
        },
        alt_text=_("Tokens and cost of each prompt"),
        most_height=300,
    )
    tables.download(
        _("Download all rows as csv"), lambda: as_csv(context, rows, texts), "prompts.csv"
    )
    if len(texts) > SHOWN:
        st.caption(
            _("The first {shown} of {all} rows; the download has all.").format(
                shown=f"{SHOWN:,}", all=f"{len(texts):,}"
            )
        )


def as_csv(context: PricingContext, rows: Sequence[PromptCosts], texts: Sequence[str]) -> bytes:
    """Return every prompt with its tokens and its cost on each model, unrounded."""
    places = range(len(texts))
    columns: dict[str, Any] = {"row": [place + 1 for place in places], "prompt": texts}
    for row in rows:
        name = row.model.id
        columns[f"{name} tokens"] = row.counts.tokens[: len(texts)]
        columns[f"{name} {context.money.currency}"] = [f"{row.costs[place]:f}" for place in places]
        columns[f"{name} over limit"] = ["yes" if place in row.over else "no" for place in places]
    return tables.as_csv(pd.DataFrame(columns))


FILES = (".csv", ".tsv", ".jsonl")


def choose(context: PricingContext) -> Inputs:
    texts, name = _prompts()
    return Inputs(
        texts,
        name,
        models.choose(context),
        answer_field("row_answer", "row_tokens"),
        layout.reasoning_tokens(),
        fields.switch(_("As batch jobs"), "batch_jobs"),
    )


def show(context: PricingContext, inputs: Inputs) -> None:
    if not inputs.texts:
        st.info(
            _("Upload a csv or jsonl file with a prompt in each row."),
            icon=":material/upload_file:",
        )
        return
    if not inputs.models:
        models.ask_for_one()
        return
    counts = counting.count_many(inputs.models, inputs.texts, inputs.name)
    done = counting.number_counted(counts)
    if not done:
        return
    costs = [price(context, model, counts[model.id], inputs) for model in inputs.models]
    _headline(context, costs)
    of_longest = (
        pricing.cost(each.model, inputs.usage(each.ordered[-1], each.answer.tokens), context.terms)
        for each in costs
    )
    notes = layout.show_hours(context, ((bill.model, bill.notes) for bill in of_longest))
    _table(context, costs)
    layout.show_notes(context, notes, inputs.models, reasoning=inputs.reasoning)
    _show_rows(context, costs, inputs.texts[:done])


def _prompts() -> tuple[Sequence[str], str]:
    """Draw the choice of prompts; return them, and a name for them that is theirs alone."""
    source = fields.segments(
        _("Prompts"), {"sample": _("Our samples"), "file": _("From a file")}, key="rows_from"
    )
    if source == "sample":
        return [text for pair in samples.pairs() for text in (pair.zh, pair.en)], "samples"
    documents = uploads.documents(key="batch_files", suffixes=FILES)
    texts = [text for document in documents for text in document.texts]
    return texts, "-".join(document.digest for document in documents)


def _headline(context: PricingContext, costs: Sequence[PromptCosts]) -> None:
    over = [row for row in costs if row.over]
    accepted = [row for row in costs if row not in over]
    if accepted:
        volume = _("for {prompts} prompts").format(prompts=f"{len(accepted[0].costs):,}")
        ranges = {row.model.id: (row.low, row.total, row.high) for row in accepted}
        st.markdown(layout.cheapest_and_dearest(context, volume, ranges))
    if not over:
        return
    warning = _(
        "{models} of {all} models refuse some of these prompts as longer than their context "
        "window, and their totals are never billed; see the table."
    )
    st.warning(warning.format(models=len(over), all=len(costs)), icon=":material/expand:")


def _table(context: PricingContext, costs: Sequence[PromptCosts]) -> None:
    p95 = tables.number("p95", help=_("95% of the prompts are no longer."))
    layout.show_rows(
        context,
        sorted(costs, key=lambda row: row.total),
        {
            **layout.model_column(context),
            "total": (_("Total"), lambda row: row.total),
            "each": (_("Mean of a prompt"), lambda row: row.total / len(row.costs)),
            "tokens": (tables.number(_("Tokens")), lambda row: row.counts.total.tokens),
            "count": (tables.text(_("Count")), lambda row: counting.badge(row.counts.total)),
            "answer": (tables.number(_("Answer to each, tokens")), lambda row: row.answer.tokens),
            "p50": (tables.number(_("Median (p50)")), lambda row: percentile(row.ordered, 50)),
            "p95": (p95, lambda row: percentile(row.ordered, 95)),
            "longest": (tables.number(_("Longest")), lambda row: row.ordered[-1]),
            "limit": (tables.number(_("Limit")), lambda row: row.limit),
            "over": (tables.number(_("Over the limit")), lambda row: len(row.over)),
            **layout.price_columns(context),
        },
        alt_text=_("Total cost, tokens, percentiles and prompts over the limit, for each model"),
    )
