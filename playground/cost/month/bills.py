"""The chart of a month: the bill of each model by its parts, both plans, and the budget."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from bpe.pricing import PARTS
from playground.cost import drawing
from playground.cost.desk import Desk
from playground.cost.month.costs import PlanCosts
from playground.ui import charts
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _


def show(desk: Desk, costs: Sequence[PlanCosts], budget: float | None) -> None:
    """Draw the bills; ``budget`` is in the currency of the desk."""
    charts.show(
        _chart(
            _frame(desk, costs), _("{currency} a month").format(currency=desk.money.name), budget
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


def _frame(desk: Desk, costs: Sequence[PlanCosts]) -> pd.DataFrame:
    """Return a row for each plan, model and part of the bill."""
    money = desk.money
    return pd.DataFrame(
        [
            {
                "model": desk.names[name],
                "plan": each.plan.name,
                "part": _parts()[part],
                "place": place,
                "cost": money.number(month.per_month.part(part)),
                "money": money.text(month.per_month.part(part)),
                "total": money.number(month.per_month.total),
                "total_money": money.text(month.per_month.total),
            }
            for each in costs
            for name, month in each.months.items()
            for place, part in enumerate(PARTS)
        ]
    )


def _chart(data: pd.DataFrame, title: str, budget: float | None) -> Any:
    """Return a stacked bar for each model and plan, with a line at the budget if there is one."""
    order = list(dict.fromkeys(data.sort_values("total")["model"]))
    several = data["plan"].nunique() > 1
    place: dict[str, Any] = {"y": alt.Y("model:N", sort=order, axis=drawing.NAMES)}
    if several:
        place["yOffset"] = alt.YOffset("plan:N")
    bars = (
        alt.Chart(data)
        .mark_bar(height={"band": 0.8})
        .encode(
            **place,
            x=alt.X("cost:Q", title=title, axis=drawing.AMOUNTS),
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=list(_parts().values()), range=list(drawing.PARTS)),
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
        .mark_text(align="left", dx=4, color=REFERENCE)
        .encode(**place, x=alt.X("total:Q", title=title), text="total_money:N")
    )
    layers = [bars, totals]
    if budget:
        layers.append(charts.line_at(budget, _("budget")))
    return alt.layer(*layers).properties(height=(52 if several else 30) * len(order) + 130)
