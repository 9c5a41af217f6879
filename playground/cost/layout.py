"""Shared by the sections beside their figures: table columns, chart axes, and notes below."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any

import altair as alt
import streamlit as st

from bpe import pricing
from bpe.pricing import Model, Sentence, messages
from playground.cost.price_settings import PricingContext
from playground.ui import fields, tables
from playground.ui.i18n import _, names_joined, plain, sentence, sentences_joined
from playground.ui.tables import Column

MODEL_AXIS = alt.Axis(labelLimit=230, title=None)
AMOUNT_AXIS = alt.Axis(format=",~r", tickCount=5)
"""The axis of money, and of tokens."""


def show_rows(
    context: PricingContext, rows: Sequence[Any], columns: Mapping[str, Column], **more: Any
) -> None:
    """Draw a table as :func:`tables.show_rows` does, with amounts in the currency of the page."""
    tables.show_rows(rows, columns, money=context.money.column, **more)


def model_column(
    context: PricingContext, model: Callable[[Any], Model] = attrgetter("model")
) -> dict[str, Column]:
    heading = tables.text(_("Model"), pinned=True)
    return {"model": (heading, lambda row: context.names[model(row).id])}


def price_columns(
    context: PricingContext, model: Callable[[Any], Model] = attrgetter("model")
) -> dict[str, Column]:
    source = tables.link(_("Price source"), _("source"))
    return {
        "date": (tables.text(_("Price date")), lambda row: price_day(context, model(row))),
        "source": (source, lambda row: next(iter(model(row).sources), None)),
    }


def limits_column(model: Callable[[Any], Model] = attrgetter("model")) -> Column:
    heading = tables.link(_("Source of limits"), _("source"))
    return heading, lambda row: next(iter(model(row).limits_source or ()), None)


def price_day(context: PricingContext, model: Model) -> str:
    day, kind = model.price_day(context.when)
    text = {
        "price": _("{day} (this price)"),
        "since": _("{day} (in force since)"),
        "list": _("{day} (the list)"),
    }[kind].format(day=day)
    if model.valid_until is not None:
        ended = model.price_has_ended(context.when)
        until = _("ended {day}") if ended else _("until {day}")
        text = f"{text} · {until.format(day=model.valid_until)}"
    is_old = model.is_stale(context.now.date())
    return f"{text} · {_('older than 30 days')}" if is_old else text


def fits(answer: bool | None) -> str:
    return {True: _("yes"), False: _("no"), None: _("unknown")}[answer]


Note = tuple[Model, Sentence]

_OF_HOURS = (messages.PEAK, messages.OFF_PEAK, messages.MIXED_HOURS)


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


def show_hours(
    context: PricingContext, bills: Iterable[tuple[Model, Iterable[Sentence]]]
) -> list[Note]:
    """Say of which hours the prices of amounts are, where that matters; return the other notes.

    These are those on each bill of a model, and those on all of its prices.
    """
    notes = [
        (model, note)
        for model, of_bill in bills
        for note in (*of_bill, *model_notes(context, model))
    ]
    of_hours = [note for note in notes if note[1].template in _OF_HOURS]
    if of_hours:
        st.caption("  \n".join(note_lines(context, of_hours)))
    return [note for note in notes if note not in of_hours]


def show_notes(
    context: PricingContext,
    notes: Iterable[Note],
    models: Iterable[Model],
    *,
    reasoning: int,
    more: Iterable[str] = (),
) -> None:
    """Draw what the amounts leave open, in a closed box with the number of notes.

    Beside ``notes`` these are old prices of ``models``, and that no ``reasoning`` is counted.
    """
    lines = [*note_lines(context, notes), *more]
    today = context.now.date()
    if old := {
        _("{model} ({day})").format(model=context.names[model.id], day=model.price_date)
        for model in models
        if model.is_stale(today)
    }:
        names = plain(names_joined(sorted(old)))
        lines.append(_("Prices older than 30 days: {models}.").format(models=names))
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


def model_notes(context: PricingContext, model: Model) -> tuple[Sentence, ...]:
    """Return the notes on all prices of a model, and how they were converted.

    In yuan, a line above everything says that dollars were converted.
    """
    in_yuan = context.money.currency == "CNY"
    return model.notes if in_yuan else model.notes + model.prices.conversion_note(context.rate)


def frame_notes(context: PricingContext, models: Iterable[Model]) -> list[str]:
    """Say what a chat adds on each model, with the source of the rule where one is known."""
    frames = [(model, pricing.frame_of(model)) for model in models]
    notes = (
        (model, frame.rule if frame else Sentence(messages.CHAT_UNKNOWN)) for model, frame in frames
    )
    sources = [frame.source for _model, frame in frames if frame][:1]
    links = [f"[{_('The rule at its source')}]({source})" for source in sources]
    return note_lines(context, notes) + links


def reasoning_tokens() -> int:
    return fields.whole(
        _("Reasoning tokens before each answer"), "reasoning", 0,
        hint=_("Billed as output, though nobody sees them. 0: a model that answers at once."),
    )  # fmt: skip


def cheapest_and_dearest(
    context: PricingContext, volume: str, ranges: Mapping[str, tuple[Decimal, Decimal, Decimal]]
) -> str:
    """Say on which models so much costs least and most, and where estimates leave that open.

    ``ranges`` has the cost on each at the low end, at the count itself, and at the high end.
    """
    cheap, *others = sorted(ranges, key=lambda name: ranges[name][1])
    dear = others[-1] if others else cheap
    template = _("It costs {few} {volume} on **{cheap}**.")
    if others:
        template = _(
            "It costs {few} {volume} on **{cheap}**, the cheapest of {models} models, and {many} "
            "on **{dear}**, the dearest."
        )
    said = template.format(
        few=context.money.markdown(ranges[cheap][1]), many=context.money.markdown(ranges[dear][1]),
        cheap=plain(context.names[cheap]), dear=plain(context.names[dear]),
        volume=volume, models=len(ranges),
    )  # fmt: skip
    unsure = [context.names[name] for name in others if ranges[name][0] < ranges[cheap][2]]
    if not unsure:
        return said
    less = _("Within the ranges of the estimates it may cost less on {models}.")
    return sentences_joined(said, less.format(models=plain(names_joined(unsure))))
