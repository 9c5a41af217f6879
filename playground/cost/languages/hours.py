"""The hours in which requests come, by which DeepSeek bills them."""

from collections.abc import Sequence
from datetime import time
from decimal import Decimal

import streamlit as st

from bpe.pricing import Model, TrafficCost, messages
from playground.cost.context import PricingContext
from playground.ui import state
from playground.ui.i18n import _, plain
from playground.ui.state import Field

BusyHours = tuple[int, int]
"""From one full hour of the day in Beijing to another, of 0 to 24."""

WORKDAYS = Decimal(5) / 7
DEFAULT: BusyHours = (9, 18)


def choose(chosen: Sequence[Model]) -> BusyHours:
    if not any(model.prices.has_hours for model in chosen):
        return DEFAULT
    start, end = st.slider(
        _("Hours in which requests come, in Beijing"),
        0,
        24,
        DEFAULT,
        format="%d:00",
        help=_("They matter to DeepSeek only, which charges more in the busy hours of Beijing."),
        **Field("hours", DEFAULT, state.span(0, 24)).bound(),
    )
    return int(start), int(end)


def peak_share(model: Model, busy: BusyHours, free_weekends: bool) -> Decimal:
    """Return the share of requests in peak hours, if they come evenly between two hours.

    With free weekends, two days of seven have no peak hours.
    """
    start, end = busy
    if end <= start:
        return Decimal(0)
    overlap = Decimal(0)
    for since, until in _peaks(model):
        overlap += max(Decimal(0), min(until, Decimal(end)) - max(since, Decimal(start)))
    share = overlap / (end - start)
    weekly = free_weekends and model.weekends_off_peak_from is not None
    return share * WORKDAYS if weekly else share


def say_what_waiting_saves(context: PricingContext, months: Sequence[TrafficCost]) -> None:
    for month in months:
        if month.model.prices.has_hours and month.model.ended != messages.STALE_ROW:
            st.caption(saving(context, month))


def saving(context: PricingContext, month: TrafficCost) -> str:
    template = _("{model}: in off-peak hours alone, such a month would cost {money} less.")
    return template.format(
        model=plain(context.names[month.model.id]),
        money=context.money.markdown(month.total - (month.all_off_peak or Decimal(0))),
    )


def _peaks(model: Model) -> list[tuple[Decimal, Decimal]]:
    """Return the peak hours; one that ends at midnight ends at 24."""
    return [(_hour(since), _hour(until) or Decimal(24)) for since, until in model.prices.peak_hours]


def _hour(moment: time) -> Decimal:
    return Decimal(moment.hour) + Decimal(moment.minute) / 60
