"""What a month costs on each model: the parts of the bill as a chart, all amounts as a table."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import altair as alt
import pandas as pd

from bpe.pricing import LABELS, PARTS, BillPart, Model, Month, MonthComparison
from playground.cost import layout
from playground.cost.context import PricingContext
from playground.cost.month.plan import PlanCosts
from playground.ui import charts, tables
from playground.ui.i18n import _


def show_chart(context: PricingContext, costs: Sequence[PlanCosts], budget: float | None) -> None:
    charts.show(
        partial(
            _chart,
            _bill_frame(context, costs),
            _("{currency} a month").format(currency=context.money.name),
            budget,
        ),
        alt_text=_("Cost of the month on each model, by parts of the bill"),
    )


def _parts() -> dict[str, str]:
    return {
        "input": _("Input"),
        "cached_input": _("Cached input"),
        "cache_write": _("Cache write"),
        "output": _("Output"),
    }


def _bill_frame(context: PricingContext, costs: Sequence[PlanCosts]) -> pd.DataFrame:
    money = context.money
    return pd.DataFrame(
        [
            {
                "model": context.names[name],
                "plan": each.plan.name,
                "part": _parts()[part],
                "place": place,
                "cost": float(month.per_month.part(part)),
                "money": money.text(month.per_month.part(part)),
                "total": float(month.per_month.total),
                "total_money": _total(context, month),
            }
            for each in costs
            for name, month in each.months.items()
            for place, part in enumerate(PARTS)
        ]
    )


def _total(context: PricingContext, month: Month) -> str:
    total = context.money.text(month.per_month.total)
    return f"{total} · {_('refused')}" if month.fits is False else total


def _chart(data: pd.DataFrame, title: str, budget: float | None) -> Any:
    order = list(dict.fromkeys(data.sort_values("total")["model"]))
    several = data["plan"].nunique() > 1
    place: dict[str, Any] = {"y": alt.Y("model:N", sort=order, axis=layout.MODEL_AXIS)}
    if several:
        place["yOffset"] = alt.YOffset("plan:N")
    bars = (
        alt.Chart(data)
        .mark_bar(height={"band": 0.8})
        .encode(
            **place,
            x=alt.X("cost:Q", title=title, axis=layout.AMOUNT_AXIS),
            color=charts.colour("part:N", _parts().values(), layout.BILL_COLOURS, columns=2),
            order=alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("model:N", title=_("Model")),
                alt.Tooltip("plan:N", title=_("Plan")),
                alt.Tooltip("part:N", title=_("Part of the bill")),
                alt.Tooltip("money:N", title=title),
            ],
        )
    )
    totals = (
        alt.Chart(data.drop_duplicates(["model", "plan"]))
        .mark_text(align="left", dx=4)
        .encode(**place, x=alt.X("total:Q", title=title), text="total_money:N")
    )
    layers = [bars, totals]
    if budget:
        layers.append(charts.line_at(budget, _("budget")))
    return alt.layer(*layers).properties(height=(52 if several else 30) * len(order) + 130)


def show_table(context: PricingContext, costs: Sequence[PlanCosts]) -> None:
    first = costs[0].months
    rows = [(each, month) for each in costs for month in each.months.values()]
    rows.sort(key=lambda row: (row[0].plan.name, row[1].per_month.total))
    several: dict[str, tables.Column] = {}
    saving: dict[str, tables.Column] = {}
    if len(costs) > 1:
        several["plan"] = tables.text(_("Plan")), lambda row: row[0].plan.name
        saving["saving"] = (
            _("Saving against plan A"),
            lambda row: MonthComparison(first[row[1].model.id], row[1]).saving,
        )

    def part(name: BillPart) -> tables.Column:
        label = _("Month: {part}").format(part=_(LABELS[name]))
        return label, lambda row: row[1].per_month.part(name)

    layout.show_rows(
        context,
        rows,
        {
            **layout.model_column(context, _model),
            **several,
            "request": (_("A request"), lambda row: row[1].per_request.total),
            "day": (_("A day"), lambda row: row[1].per_day.total),
            "month": (_("A month"), lambda row: row[1].per_month.total),
            **{name: part(name) for name in PARTS},
            "off_peak": (_("Saving, all off-peak"), lambda row: row[1].off_peak_saving),
            **saving,
            "asked": (tables.number(_("Input tokens")), lambda row: row[1].scenario.input_tokens),
            "answered": (
                tables.number(_("Output tokens")),
                lambda row: row[1].scenario.output_tokens,
            ),
            "fits": (tables.text(_("Fits the window")), lambda row: layout.fits(row[1].fits)),
            "count": (tables.text(_("Count")), lambda row: row[0].badges[row[1].model.id]),
            **layout.price_columns(context, _model),
        },
        alt_text=_("Cost of a request, a day and a month on each model, by parts of the bill"),
        optional=["off_peak"],
    )


def _model(row: tuple[PlanCosts, Month]) -> Model:
    return row[1].model
