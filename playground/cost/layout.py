"""What the sections share beside their figures: table columns, chart axes, and notes below."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import altair as alt
import streamlit as st

from bpe import pricing
from bpe.pricing import Model, Sentence, Usage, is_stale
from playground.cost.context import PricingContext
from playground.ui import fields, tables
from playground.ui.i18n import _, names_joined, plain, sentence

BILL_COLOURS = ("#4f7f78", "#9cc0b4", "#c9b27c", "#8d6a9f")
"""Colours of the parts of a bill: input, cached, written to the cache, output."""

MODEL_AXIS = alt.Axis(labelLimit=230, title=None)
AMOUNT_AXIS = alt.Axis(format=",~r", tickCount=5)
"""The axis of money, and of tokens."""


def model_column() -> dict[str, Any]:
    """Return the heading of the models' names, which stay in view while the rest is scrolled."""
    return {"model": tables.text(_("Model"), pinned=True)}


def price_columns() -> dict[str, Any]:
    """Return the headings of :func:`price_cells`."""
    return {
        "changed": tables.tick(_("Price changed by hand")),
        "date": tables.text(_("Price date")),
        "source": tables.link(_("Price source"), _("source")),
    }


def price_cells(context: PricingContext, model: Model) -> dict[str, Any]:
    """Return the cells of day and source of a model's price, and of prices changed by hand."""
    changed = {"changed": bool(context.overrides.get(model.id))} if context.overrides else {}
    return changed | {
        "date": price_day(context, model),
        "source": model.sources[0] if model.sources else None,
    }


def price_day(context: PricingContext, model: Model) -> str:
    """Return the day of a model's price, what it is the day of, and whether it is old by now."""
    day, kind = model.price_day(context.when)
    said = {
        "price": _("{day} (this price)"),
        "since": _("{day} (in force since)"),
        "list": _("{day} (the list)"),
    }[kind].format(day=day)
    is_old = is_stale(model, context.now.date())
    return f"{said} · {_('older than 30 days')}" if is_old else said


def fits(known: bool | None) -> str:
    return {True: _("yes"), False: _("no"), None: _("unknown")}[known]


Note = tuple[Model, Sentence]


def note_lines(context: PricingContext, notes: Iterable[Note]) -> list[str]:
    """Return notes in Markdown, each once with the names of all models that it holds for."""
    about: dict[str, list[str]] = {}
    for model, note in notes:
        names = about.setdefault(sentence(note), [])
        if context.names[model.id] not in names:
            names.append(context.names[model.id])
    return [
        _("{models}: {note}").format(models=plain(names_joined(names)), note=plain(text))
        for text, names in about.items()
    ]


def show_notes(
    context: PricingContext,
    notes: Iterable[Note],
    *,
    models: Iterable[Model] = (),
    reasoning: int | None = None,
    more: Iterable[str] = (),
) -> None:
    """Draw what the amounts leave open, in a closed box with the number of notes.

    Beside ``notes`` these are old prices of ``models``, and that no ``reasoning`` is counted.
    """
    lines = [*note_lines(context, notes), *more]
    if old := _stale(context, models):
        lines.append(_("Prices older than 30 days: {models}.").format(models=old))
    if reasoning == 0:
        lines.append(
            _(
                "Models that think write reasoning tokens first, often several times as many as "
                "the answer has, and bill them as output. None are counted here; enter them in the "
                "settings."
            )
        )
    if lines:
        with st.expander(_("Notes ({count})").format(count=len(lines)), icon=":material/info:"):
            st.caption("\n".join(f"- {line}" for line in lines))


def price_notes(
    context: PricingContext, usages: Iterable[tuple[Model, Usage]], *, batch: bool = False
) -> Iterator[Note]:
    """Yield the notes on one request to each model at this moment."""
    for model, usage in usages:
        bill = pricing.cost(model, usage, batch=batch, terms=context.terms(model))
        for note in (*bill.notes, *model_notes(context, model)):
            yield model, note


def model_notes(context: PricingContext, model: Model) -> tuple[Sentence, ...]:
    """Return the notes on all prices of a model, and how they were converted.

    In yuan, a line above everything says that dollars were converted.
    """
    in_yuan = context.money.currency == "CNY"
    return model.notes if in_yuan else model.notes + model.prices.conversion_note(context.rate)


def reasoning_tokens(key: str) -> int:
    return fields.whole(
        _("Reasoning tokens before each answer"),
        key,
        0,
        hint=_("Billed as output, though nobody sees them. 0: a model that answers at once."),
    )


def may_cost_less(costs: Mapping[str, tuple[Decimal, Decimal, Decimal]]) -> list[str]:
    """Return which of these may cost less than the cheapest, within the ranges of estimates.

    ``costs`` has the cost of each at the low end, at the count itself, and at the high end.
    """
    if not costs:
        return []
    cheapest = min(costs, key=lambda name: costs[name][1])
    return [
        name for name, cost in costs.items() if name != cheapest and cost[0] < costs[cheapest][2]
    ]


def ranges_sentence(context: PricingContext, models: Iterable[str]) -> str:
    """Return a sentence on models that may cost less than the one named, if there are any."""
    names = [context.names[model] for model in models]
    if not names:
        return ""
    return _("Within the ranges of the estimates it may cost less on {models}.").format(
        models=plain(names_joined(names))
    )


def refused_sentence(context: PricingContext, models: Iterable[Model]) -> str:
    """Return a sentence on models that refuse the requests as too long, if there are any."""
    names = [context.names[model.id] for model in models]
    if not names:
        return ""
    return _("Refused, as a request is longer than the model takes: {models}.").format(
        models=plain(names_joined(names))
    )


def _stale(context: PricingContext, models: Iterable[Model]) -> str:
    """Return the names of models whose prices are older than a month, with their days."""
    today = context.now.date()
    old = {
        _("{model} ({day})").format(model=context.names[model.id], day=model.price_date)
        for model in models
        if is_stale(model, today) and not context.overrides.get(model.id)
    }
    return plain(names_joined(sorted(old)))


def show_unknown_windows(context: PricingContext, models: Iterable[Model]) -> None:
    missing = [context.names[model.id] for model in models if model.context_window is None]
    if missing:
        st.info(
            _("The context window is not known for: {models}.").format(
                models=plain(names_joined(missing))
            ),
            icon=":material/help:",
        )
