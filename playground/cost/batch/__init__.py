"""Many prompts from a file: the length and cost of each, their sum, middle and tail."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from bpe.documents import samples
from bpe.pricing import Model
from playground import switching
from playground.cost import counting, layout, models
from playground.cost.batch import rows
from playground.cost.batch.rows import BatchTerms, PromptCosts
from playground.cost.context import PricingContext
from playground.ui import fields, settings, tables, uploads
from playground.ui.i18n import _, plain, sentences_joined

__all__ = ["Inputs", "choose", "show"]

FILES = (".csv", ".tsv", ".jsonl")


@dataclass(frozen=True)
class Inputs:
    """The prompts with a name that is theirs alone, the models, and what holds for every prompt."""

    texts: Sequence[str]
    name: str
    models: list[Model]
    terms: BatchTerms


def choose(context: PricingContext) -> Inputs:
    texts, name = _prompts()
    return Inputs(texts, name, models.choose(context), _terms())


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
    costs = [rows.price(context, model, counts[model.id], inputs.terms) for model in inputs.models]
    _headline(context, costs, own_limit=bool(inputs.terms.limit))
    _table(context, costs)
    longest = ((each.model, inputs.terms.usage(each.summary.longest)) for each in costs)
    layout.show_notes(
        context,
        layout.price_notes(context, longest, batch=inputs.terms.batch),
        models=inputs.models,
        reasoning=inputs.terms.reasoning,
    )
    rows.show(context, costs, inputs.texts[:done])
    switching.show(
        lambda: (inputs.texts[:done], _sides(context, costs, done)),
        key="batch_switch",
        currency=context.money.currency,
    )


def _sides(
    context: PricingContext, costs: Sequence[PromptCosts], done: int
) -> dict[str, switching.Side]:
    return {
        row.model.id: switching.Side(
            context.names[row.model.id],
            row.counts.tokens[:done],
            counting.badge(row.counts),
            row.costs[:done],
        )
        for row in costs
    }


def _prompts() -> tuple[Sequence[str], str]:
    """Draw the choice of prompts; return them, and a name for them that is theirs alone."""
    source = settings.segments(
        _("Prompts"), {"sample": _("our samples"), "file": _("from a file")}, key="rows_from"
    )
    if source == "sample":
        return [text for pair in samples.pairs() for text in (pair.zh, pair.en)], "samples"
    documents = uploads.documents(key="batch_files", suffixes=FILES)
    texts = [text for document in documents for text in document.texts]
    return texts, "-".join(document.digest for document in documents)


def _terms() -> BatchTerms:
    return BatchTerms(
        output=fields.whole(_("Answer to each, tokens"), "row_output", 300),
        reasoning=layout.reasoning_tokens("reasoning"),
        limit=fields.whole(
            _("Longest prompt allowed, tokens"),
            "limit",
            0,
            hint=_("0: what the model's context window leaves beside the answer."),
        ),
        batch=fields.switch(_("As batch jobs"), "batch_jobs"),
    )


def _headline(context: PricingContext, costs: Sequence[PromptCosts], *, own_limit: bool) -> None:
    over = [row for row in costs if row.summary.over]
    accepted = costs if own_limit else [row for row in costs if row not in over]
    if accepted:
        cheapest = min(accepted, key=lambda row: row.total)
        said = _("{prompts} prompts cost {money} on **{model}**.")
        if len(accepted) > 1:
            said = _("{prompts} prompts cost {money} on **{model}**, the least of {models} models.")
        ranges = {row.model.id: (row.low, row.total, row.high) for row in accepted}
        unsure = layout.ranges_sentence(context, layout.may_cost_less(ranges))
        said = said.format(
            prompts=f"{cheapest.summary.rows:,}",
            money=context.money.markdown(cheapest.total),
            model=plain(context.names[cheapest.model.id]),
            models=len(accepted),
        )
        st.markdown(sentences_joined(said, unsure) if unsure else said)
    if not over:
        return
    warning = _(
        "Some prompts are longer than the limit for {models} of {all} models; see the table."
    )
    if not own_limit:
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
            "tokens": (tables.number(_("Tokens")), lambda row: row.summary.total),
            "count": (tables.text(_("Count")), lambda row: counting.badge(row.counts)),
            "p50": (tables.number(_("Median (p50)")), lambda row: row.summary.p50),
            "p95": (p95, lambda row: row.summary.p95),
            "longest": (tables.number(_("Longest")), lambda row: row.summary.longest),
            "limit": (tables.number(_("Limit")), lambda row: row.summary.limit),
            "over": (tables.number(_("Over the limit")), lambda row: len(row.summary.over)),
            **layout.price_columns(context),
        },
        alt_text=_("Total cost, tokens, percentiles and prompts over the limit, for each model"),
    )
