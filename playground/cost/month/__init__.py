"""A month of steady traffic: what it costs on each model, and one plan against another."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from bpe.errors import BPEError
from bpe.pricing import Comparison, Sentence, words
from playground.cost import models, notes
from playground.cost.desk import Desk
from playground.cost.month import bills, hours, plan, table
from playground.cost.month.costs import PlanCosts, price
from playground.cost.month.hours import Hours
from playground.ui import fields
from playground.ui.i18n import _, error_text, plain


def section(desk: Desk) -> None:
    """Draw the plans on the left and their costs on the right."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        chosen = models.choose(desk)
        plans = [plan.choose("a", language="zh")]
        if st.toggle(_("Hold another plan against it"), key="against", bind="query-params"):
            plans.append(plan.choose("b", language="en", cached=50))
        busy = hours.choose(chosen)
        budget = fields.amount(
            _("Budget for the month, {currency}").format(currency=desk.money.name),
            "budget",
            most=1e12,
            step=100.0,
            empty=_("none"),
        )
    with right:
        if not chosen:
            models.ask_for_one()
            return
        try:
            costs = [price(desk, each, chosen, busy) for each in plans]
        except BPEError as error:
            st.error(error_text(error))
            return
        st.markdown(_reading(desk, costs[0], budget))
        bills.show(desk, costs, budget)
        hours.show_clock(desk, costs[0].months, busy)
        if len(costs) == 2:
            _comparison(desk, *costs)
        table.show(desk, costs)
        _notes(desk, costs, busy)


def _reading(desk: Desk, costs: PlanCosts, budget: float | None) -> str:
    """Say in words what a plan costs at the least and at the most, and what the budget allows."""
    months = sorted(costs.months.values(), key=lambda month: month.per_month.total)
    least, most = months[0], months[-1]
    said = _("Plan {plan}: {requests} requests a month cost {least} on **{cheapest}**").format(
        plan=costs.plan.name,
        requests=f"{costs.plan.requests * costs.plan.days:,}",
        least=desk.money.words(least.per_month.total),
        cheapest=plain(desk.names[least.model.id]),
    )
    if len(months) > 1:
        said += _(" and {most} on **{dearest}**").format(
            most=desk.money.words(most.per_month.total), dearest=plain(desk.names[most.model.id])
        )
    said += _(".")
    if budget:
        within = [m for m in months if float(desk.money.amount(m.per_month.total)) <= budget]
        said += "\n\n" + _("{within} of {all} models stay within the budget.").format(
            within=len(within), all=len(months)
        )
    return said


def _comparison(desk: Desk, first: PlanCosts, second: PlanCosts) -> None:
    """Say on which model the second plan changes most."""
    compared = [Comparison(first.months[name], second.months[name]) for name in first.months]
    most = max(compared, key=lambda pair: abs(pair.saving))
    said = _("Plan B saves most on **{model}**: {money} a month ({percent} %).")
    if most.saving < 0:
        said = _("Plan B costs more, most on **{model}**: {money} a month ({percent} %).")
    st.markdown(
        said.format(
            model=plain(desk.names[most.a.model.id]),
            money=desk.money.words(abs(most.saving)),
            percent=f"{100 * abs(most.saving_share or Decimal(0)):.0f}",
        )
    )


def _notes(desk: Desk, costs: Sequence[PlanCosts], busy: Hours) -> None:
    """Say what the prices leave open; about weekends, only where a request comes in dear hours."""
    weekend = Sentence(words.WEEKEND)
    chosen = [month.model for month in costs[0].months.values()]
    notes.below(
        desk,
        (
            (month.model, note)
            for each in costs
            for month in each.months.values()
            for note in (*month.notes, *month.model.notes)
            if note.template != weekend.template
        ),
    )
    notes.stale(desk, chosen)
    if not desk.free_weekends:
        notes.below(
            desk,
            (
                (model, weekend)
                for model in chosen
                if model.weekends_off_peak_from
                and hours.peak_share(model, busy, free_weekends=False)
            ),
        )
