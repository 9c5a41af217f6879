"""A month of steady traffic on each model: in Chinese against English, or by a plan or two."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import streamlit as st

from bpe.pricing import Model, MonthComparison, Scenario, Sentence, messages
from playground.cost import languages, layout, models
from playground.cost.context import PricingContext
from playground.cost.month import hours, plan, results
from playground.cost.month.hours import BusyHours
from playground.cost.month.plan import PlanCosts, TrafficPlan
from playground.ui import fields, restorable, settings
from playground.ui.i18n import _, plain, sentences_joined

__all__ = ["Inputs", "choose", "show"]


@dataclass(frozen=True)
class Plans:
    """The models, one plan or two, the hours of the requests, and a budget if there is one."""

    models: list[Model]
    plans: list[TrafficPlan]
    busy: BusyHours
    budget: float | None


Inputs = languages.Inputs | Plans

_OF_A_PLAN = (
    "a_source", "a_input", "a_output", "a_requests", "a_reasoning", "a_cached", "a_batch",
    "a_written", "a_days", "against", "budget",
)  # fmt: skip


def choose(context: PricingContext) -> Inputs:
    of = settings.segments(
        _("What is compared"),
        {"languages": _("Chinese against English"), "plan": _("A plan of my own")},
        key="month_of",
        default="plan" if _asks_for_a_plan() else "languages",
    )
    return _plans(context) if of == "plan" else _both_languages(context)


def _asks_for_a_plan() -> bool:
    """Return whether a link has a value of a plan: older links do not say that they are of one."""
    return any(key in st.query_params or restorable.pending(key) is not None for key in _OF_A_PLAN)


def _both_languages(context: PricingContext) -> languages.Inputs:
    inputs = languages.choose_texts(context)
    with st.container(border=True):
        traffic = plan.choose_traffic("both")
    busy = hours.choose(inputs.models)

    def scenario(model: Model) -> Scenario:
        peak_share = hours.peak_share(model, busy, context.free_weekends)
        return traffic.scenario((0, 0), inputs.reasoning, peak_share)

    return replace(inputs, requests=traffic.requests * traffic.days, month=scenario)


def _plans(context: PricingContext) -> Plans:
    chosen = models.choose(context)
    plans = [plan.choose("a", language="zh")]
    if fields.switch(_("Compare with another plan"), "against"):
        plans.append(plan.choose("b", language="en", cached=50))
    busy = hours.choose(chosen)
    budget = fields.amount(
        _("Budget for the month, {currency}").format(currency=context.money.name),
        "budget",
        most=1e12,
        step=100.0,
        empty=_("none"),
    )
    return Plans(chosen, plans, busy, budget)


def show(context: PricingContext, inputs: Inputs) -> None:
    if isinstance(inputs, Plans):
        _show_plans(context, inputs)
    else:
        languages.show(context, inputs)


def _show_plans(context: PricingContext, inputs: Plans) -> None:
    if not inputs.models:
        models.ask_for_one()
        return
    costs = [plan.price(context, each, inputs.models, inputs.busy) for each in inputs.plans]
    st.markdown(_reading(context, costs[0], inputs.budget))
    results.show_chart(context, costs, inputs.budget)
    hours.show_clock(context, costs[0].months, inputs.busy)
    if len(costs) == 2 and (said := _comparison(context, *costs)):
        st.markdown(said)
    results.show_table(context, costs)
    layout.show_notes(
        context,
        _notes(context, costs, inputs.busy),
        models=inputs.models,
        reasoning=max(each.reasoning for each in inputs.plans),
    )


def _reading(context: PricingContext, costs: PlanCosts, budget: float | None) -> str:
    refused = layout.refused_sentence(context, costs.refused)
    if not costs.accepted:
        return refused
    least, most = costs.accepted[0], costs.accepted[-1]
    said = _("Plan {plan}: {requests} requests a month cost {least} on **{cheapest}**").format(
        plan=costs.plan.name,
        requests=f"{costs.plan.traffic.requests * costs.plan.traffic.days:,}",
        least=context.money.markdown(least.per_month.total),
        cheapest=plain(context.names[least.model.id]),
    )
    if len(costs.accepted) > 1:
        said += _(
            ", the cheapest, and {most} on **{highest}**, the most expensive of {models} models"
        ).format(
            most=context.money.markdown(most.per_month.total),
            highest=plain(context.names[most.model.id]),
            models=len(costs.accepted),
        )
    said += _(".")
    ranges = {month.model.id: costs.ranges[month.model.id] for month in costs.accepted}
    unsure = layout.ranges_sentence(context, layout.may_cost_less(ranges))
    paragraphs = [sentences_joined(*filter(None, (said, unsure, refused)))]
    if budget:
        within = [month for month in costs.accepted if month.per_month.total <= budget]
        paragraphs.append(
            _("{within} of {all} models stay within the budget.").format(
                within=len(within), all=len(costs.months)
            )
        )
    return "\n\n".join(paragraphs)


def _comparison(context: PricingContext, first: PlanCosts, second: PlanCosts) -> str:
    """Say on which model the second plan changes most; one that refuses either does not count."""
    refused = {*first.refused, *second.refused}
    compared = [
        MonthComparison(month, second.months[name])
        for name, month in first.months.items()
        if month.model not in refused
    ]
    if not compared:
        return ""
    most = max(compared, key=lambda pair: abs(pair.saving))
    if len(compared) == 1:
        said = _("Plan B saves {money} a month on **{model}** ({percent}%).")
        if most.saving < 0:
            said = _("Plan B costs {money} a month more on **{model}** ({percent}%).")
    elif most.saving < 0:
        said = _(
            "Plan B costs more, most on **{model}** of {models} models: {money} a month "
            "({percent}%)."
        )
    else:
        said = _(
            "Plan B saves most on **{model}**, of {models} models: {money} a month ({percent}%)."
        )
    return said.format(
        model=plain(context.names[most.a.model.id]),
        models=len(compared),
        money=context.money.markdown(abs(most.saving)),
        percent=f"{100 * abs(most.saving_share or Decimal(0)):.0f}",
    )


def _notes(
    context: PricingContext, costs: Sequence[PlanCosts], busy: BusyHours
) -> list[layout.Note]:
    """Return what the prices leave open; of weekends, only where a request is in peak hours."""
    weekend = Sentence(messages.WEEKEND)
    notes = [
        (month.model, note)
        for each in costs
        for month in each.months.values()
        for note in (*month.notes, *layout.model_notes(context, month.model))
        if note.template != weekend.template
    ]
    if not context.free_weekends:
        notes += [
            (month.model, weekend)
            for month in costs[0].months.values()
            if month.model.weekends_off_peak_from
            and hours.peak_share(month.model, busy, free_weekends=False)
        ]
    return notes
