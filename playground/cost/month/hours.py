"""The hours in which requests come, and the clock by which DeepSeek bills them."""

from collections.abc import Mapping, Sequence
from datetime import datetime, time
from decimal import Decimal
from itertools import pairwise
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe import pricing
from bpe.pricing import BEIJING, Model, Month
from playground.cost.desk import Desk
from playground.ui import charts
from playground.ui.charts import CHINESE, REFERENCE
from playground.ui.i18n import _, plain

Hours = tuple[int, int]
"""From one full hour of the day in Beijing to another, of 0 to 24."""

WORKDAYS = Decimal(5) / 7
_DEFAULT: Hours = (9, 18)
_DEAR, _CHEAP = "#b98a3e", "#7d93a8"


def choose(chosen: Sequence[Model]) -> Hours:
    """Draw the hours of the requests, where they matter to one of the models."""
    if not any(map(pricing.has_hours, chosen)):
        return _DEFAULT
    start, end = st.slider(
        _("Hours in which requests come, in Beijing"),
        0,
        24,
        _DEFAULT,
        format="%d:00",
        key="hours",
        bind="query-params",
        help=_("They matter to DeepSeek only, which charges more in the busy hours of Beijing."),
    )
    return int(start), int(end)


def peak_share(model: Model, busy: Hours, free_weekends: bool) -> Decimal:
    """Return the share of requests in dear hours, if they come evenly between two hours.

    With free weekends, two days of seven have no dear hours.
    """
    start, end = busy
    if end <= start:
        return Decimal(0)
    dear = Decimal(0)
    for since, until in _peaks(model):
        dear += max(Decimal(0), min(until, Decimal(end)) - max(since, Decimal(start)))
    share = dear / (end - start)
    weekly = free_weekends and model.weekends_off_peak_from is not None
    return share * WORKDAYS if weekly else share


def show_clock(desk: Desk, months: Mapping[str, Month], busy: Hours) -> None:
    """Draw the dear hours, and say what the cheap ones would save in these months by model."""
    clocked = [month for month in months.values() if pricing.has_hours(month.model)]
    if not clocked:
        return
    st.subheader(_("DeepSeek's clock"))
    here = desk.when.astimezone(BEIJING)
    charts.show(
        _day(_peaks(clocked[0].model), busy, here),
        alt_text=_("Dear and cheap hours of a day in Beijing, and the hours of your requests"),
    )
    for month in clocked:
        said = _(
            "**{model}**: {percent} % of these requests come in dear hours. All in cheap hours "
            "would save {money} a month."
        ).format(
            model=plain(desk.names[month.model.id]),
            percent=f"{100 * peak_share(month.model, busy, desk.free_weekends):.0f}",
            money=desk.money.words(month.off_peak_saving or Decimal(0)),
        )
        now = _("At {time} in Beijing the price is that of dear hours.")
        if _is_cheap_now(desk, month.model):
            now = _("At {time} in Beijing the price is that of cheap hours.")
        st.markdown(said + "  \n" + now.format(time=f"{here:%H:%M}"))


def _is_cheap_now(desk: Desk, model: Model) -> bool:
    free = desk.free_weekends and pricing.is_free_weekend(model, desk.when)
    return free or pricing.band_at(model, desk.when) == "off-peak"


def _peaks(model: Model) -> list[tuple[Decimal, Decimal]]:
    """Return the dear hours; one that ends at midnight ends at 24."""
    return [
        (_hour(since), _hour(until) or Decimal(24)) for since, until in pricing.peak_hours(model)
    ]


def _hour(moment: time) -> Decimal:
    return Decimal(moment.hour) + Decimal(moment.minute) / 60


def _day(peaks: Sequence[tuple[Decimal, Decimal]], busy: Hours, now: datetime) -> Any:
    """Return a day of Beijing hours: dear and cheap ones, the busy ones, and the hour it is."""
    names = {"peak": _("dear hours"), "off-peak": _("cheap hours")}
    edges = sorted({Decimal(0), Decimal(24), *(edge for peak in peaks for edge in peak)})
    bands = [
        {
            "start": float(start),
            "end": float(end),
            "band": names["peak" if any(s <= start < e for s, e in peaks) else "off-peak"],
        }
        for start, end in pairwise(edges)
    ]
    x = alt.X(
        "start:Q",
        scale=alt.Scale(domain=[0, 24]),
        title=_("Hour in Beijing"),
        axis=alt.Axis(values=list(range(0, 25, 3)), format="02d", grid=False),
    )
    y = alt.Y("bottom:Q", scale=alt.Scale(domain=[0, 1]), axis=None)
    day = (
        alt.Chart(pd.DataFrame(bands).assign(bottom=0.35, top=1))
        .mark_rect()
        .encode(
            x=x,
            x2="end:Q",
            y=y,
            y2="top:Q",
            color=alt.Color(
                "band:N",
                scale=alt.Scale(domain=list(names.values()), range=[_DEAR, _CHEAP]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=[alt.Tooltip("band:N", title=_("Price"))],
        )
    )
    work = pd.DataFrame([{"start": busy[0], "end": busy[1], "bottom": 0.05, "top": 0.2}])
    bar = alt.Chart(work).mark_rect(color=REFERENCE).encode(x=x, x2="end:Q", y=y, y2="top:Q")
    hand = (
        alt.Chart(pd.DataFrame([{"start": now.hour + now.minute / 60}]))
        .mark_rule(strokeWidth=2, color=CHINESE)
        .encode(x=x)
    )
    return (day + bar + hand).properties(height=140)
