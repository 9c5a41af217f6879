"""The table of a month: a request, a day and the month on each model, for each plan."""

from collections.abc import Sequence

import pandas as pd

from bpe.pricing import LABELS, PARTS, Comparison
from playground.cost import columns
from playground.cost.desk import Desk
from playground.cost.month.costs import PlanCosts
from playground.ui import tables
from playground.ui.i18n import _


def show(desk: Desk, costs: Sequence[PlanCosts]) -> None:
    """Draw the table, the cheapest month of each plan first."""
    frame = _frame(desk, costs)
    amounts: dict[str, str] = {
        "request": _("A request"),
        "day": _("A day"),
        "month": _("A month"),
        **{part: _("Month: {part}").format(part=_(LABELS[part])) for part in PARTS},
        "off_peak": _("Saving, all in cheap hours"),
        "saving": _("Saving against plan A"),
    }
    tables.show(
        frame,
        {
            **columns.model(),
            "plan": tables.text(_("Plan")),
            **{
                name: desk.money.column(label, frame[name])
                for name, label in amounts.items()
                if name in frame
            },
            "asked": tables.number(_("Input tokens")),
            "answered": tables.number(_("Output tokens")),
            "count": tables.text(_("Count")),
            **columns.price(),
        },
        alt_text=_("Cost of a request, a day and a month on each model, by parts of the bill"),
    )


def _frame(desk: Desk, costs: Sequence[PlanCosts]) -> pd.DataFrame:
    """Return a row for each plan and model; columns that no row has anything for are left out."""
    money = desk.money
    first = costs[0]
    frame = pd.DataFrame(
        [
            {
                "model": desk.names[name],
                "plan": each.plan.name,
                "request": money.number(month.per_request.total),
                "day": money.number(month.per_day.total),
                "month": money.number(month.per_month.total),
                **{part: money.number(month.per_month.part(part)) for part in PARTS},
                "off_peak": None
                if month.off_peak_saving is None
                else money.number(month.off_peak_saving),
                "saving": money.number(Comparison(first.months[name], month).saving),
                "asked": month.scenario.input_tokens,
                "answered": month.scenario.output_tokens,
                "count": each.badges[name],
                **columns.of_price(desk, month.model),
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
