"""The charts of two languages: what each model costs, and what it costs for how large a window."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from bpe.pricing.languages import LANGUAGES
from playground.cost.desk import Desk
from playground.cost.drawing import AMOUNTS, NAMES
from playground.cost.languages.comparing import Row
from playground.ui import charts
from playground.ui.charts import REFERENCE
from playground.ui.i18n import _


def frame(desk: Desk, rows: Sequence[Row]) -> pd.DataFrame:
    """Return a row for each model and language, which both charts are drawn from.

    ``cost`` lies between ``low`` and ``high``; ``money`` and ``range`` say so in words.
    """
    money = desk.money
    data = pd.DataFrame(
        [
            {
                "model": desk.names[row.model.id],
                "language": code,
                "cost": money.number(row.costs.cost(code)),
                "low": money.number(row.low.cost(code)),
                "high": money.number(row.high.cost(code)),
                "money": money.text(row.costs.cost(code)),
                "range": f"{money.text(row.low.cost(code))} – {money.text(row.high.cost(code))}",
                "window": row.model.context_window,
            }
            for row in rows
            for code in LANGUAGES
        ]
    )
    return data.assign(language=data["language"].map(charts.languages()))


def costs_by_language(data: pd.DataFrame, *, title: str) -> Any:
    """Return a pair of bars for each model, and a whisker where the count is an estimate."""
    order = list(dict.fromkeys(data.sort_values("cost")["model"]))
    place: dict[str, Any] = {
        "y": alt.Y("model:N", sort=order, axis=NAMES),
        "yOffset": alt.YOffset("language:N", sort=list(charts.languages().values())),
    }
    base = alt.Chart(data.assign(end=data[["cost", "high"]].max(axis=1))).encode(
        **place,
        tooltip=[
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("language:N", title=_("Language")),
            alt.Tooltip("money:N", title=title),
            alt.Tooltip("range:N", title=_("Range")),
        ],
    )
    layers = [
        base.mark_bar(height={"band": 0.85}).encode(
            x=alt.X("cost:Q", title=title, axis=AMOUNTS), color=charts.language_colour()
        )
    ]
    estimated = data[data["high"] > data["low"]]
    if len(estimated):
        whiskers = alt.Chart(estimated).mark_rule(color=REFERENCE, strokeWidth=1.5)
        layers.append(whiskers.encode(**place, x="low:Q", x2="high:Q"))
    layers.append(
        base.mark_text(align="left", dx=4).encode(
            x=alt.X("end:Q", title=title), text="money:N", color=charts.language_colour()
        )
    )
    return alt.layer(*layers).properties(height=40 * len(order) + 110)


def cost_against_window(data: pd.DataFrame, *, title: str) -> Any:
    """Return the cost of each model over its context window, both languages joined by a line.

    Both must be known and more than zero.
    """
    x = alt.X(
        "window:Q",
        scale=alt.Scale(type="log", nice=False, padding=30),
        title=_("Context window, tokens"),
        axis=alt.Axis(format="~s", tickCount=5),
    )
    y = alt.Y("cost:Q", scale=alt.Scale(type="log"), title=title, axis=alt.Axis(format=",~g"))
    base = alt.Chart(data).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("language:N", title=_("Language")),
            alt.Tooltip("window:Q", title=_("Context window, tokens"), format=",d"),
            alt.Tooltip("money:N", title=title),
        ],
    )
    lines = base.mark_line(color=REFERENCE, strokeWidth=1).encode(detail="model:N")
    dots = base.mark_circle(size=90, opacity=1).encode(color=charts.language_colour())
    top = data.sort_values("cost").groupby("model").tail(1)
    labels = (
        alt.Chart(top)
        .mark_text(dy=-12, fontSize=11, color=REFERENCE)
        .encode(x=x, y=y, text="model:N")
    )
    return (lines + dots + labels).properties(height=360)
