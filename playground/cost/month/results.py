"""What a month costs on each model: the parts of the bill as a chart, all amounts as a table."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import altair as alt
import pandas as pd

from bpe.pricing import LABELS, PARTS, Month, MonthComparison
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
    """Return the total as it stands beside its bar; the window may be too short for a request."""
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
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=list(_parts().values()), range=list(layout.BILL_COLOURS)),
                legend=alt.Legend(title=None, orient="top", columns=2),
            ),
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
    frame = _table_frame(context, costs)
    amounts: dict[str, str] = {
        "request": _("A request"),
        "day": _("A day"),
        "month": _("A month"),
        **{part: _("Month: {part}").format(part=_(LABELS[part])) for part in PARTS},
        "off_peak": _("Saving, all off-peak"),
        "saving": _("Saving against plan A"),
    }
    tables.show(
        frame,
        {
            **layout.model_column(),
            "plan": tables.text(_("Plan")),
            **context.money.columns(frame, amounts),
            "asked": tables.number(_("Input tokens")),
            "answered": tables.number(_("Output tokens")),
            "fits": tables.text(_("Fits the window")),
            "count": tables.text(_("Count")),
            **layout.price_columns(),
        },
        alt_text=_("Cost of a request, a day and a month on each model, by parts of the bill"),
    )


def _table_frame(context: PricingContext, costs: Sequence[PlanCosts]) -> pd.DataFrame:
    """Return a row for each plan and model; columns that no row has anything for are left out."""
    first = costs[0]
    frame = pd.DataFrame(
        [
            {
                "model": context.names[name],
                "plan": each.plan.name,
                "request": float(month.per_request.total),
                "day": float(month.per_day.total),
                "month": float(month.per_month.total),
                **{part: float(month.per_month.part(part)) for part in PARTS},
                "off_peak": None if month.off_peak_saving is None else float(month.off_peak_saving),
                "saving": float(MonthComparison(first.months[name], month).saving),
                "asked": month.scenario.input_tokens,
                "answered": month.scenario.output_tokens,
                "fits": layout.fits(month.fits),
                "count": each.badges[name],
                **layout.price_cells(context, month.model),
            }
            for each in costs
            for name, month in each.months.items()
        ]
    ).sort_values(["plan", "month"], ignore_index=True)
    if len(costs) == 1:
        frame = frame.drop(columns=["plan", "saving"])
    if frame["off_peak"].isna().all():
        frame = frame.drop(columns="off_peak")
    return frame
