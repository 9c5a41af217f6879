"""The charts of the cost page. What is Chinese or English has the two colours of all charts."""

from collections.abc import Mapping, Sequence
from datetime import time
from itertools import pairwise
from typing import Any

import altair as alt
import pandas as pd

from playground import charts
from playground.charts import CHINESE, REFERENCE
from playground.texts import _

PARTS = ("#4f7f78", "#9cc0b4", "#c9b27c", "#8d6a9f")
"""Colours of the parts of a bill: input, cached, written to the cache, output."""
DAYTIME = ("#b98a3e", "#7d93a8")
"""Colours of dear and cheap hours."""
WAYS = ("#6f6b66", "#4f7f78", "#8d6a9f")
"""Colours of the ways to remember a conversation."""

_NAMES = alt.Axis(labelLimit=230, title=None)


def costs_by_language(frame: pd.DataFrame, *, title: str, order: Sequence[str]) -> Any:
    """Return a pair of bars for each model, and a whisker where the count is an estimate.

    ``frame`` has the columns ``model``, ``language`` ("zh" or "en"), ``cost``, ``low``, ``high``
    and ``money``, the cost as text.
    """
    data = frame.assign(language=frame["language"].map(charts.languages()))
    data["shown_high"] = data[["cost", "high"]].max(axis=1)
    base = alt.Chart(data).encode(
        y=alt.Y("model:N", sort=list(order), axis=_NAMES),
        yOffset=alt.YOffset("language:N", sort=list(charts.languages().values())),
        tooltip=[
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("language:N", title=_("Language")),
            alt.Tooltip("money:N", title=title),
            alt.Tooltip("range:N", title=_("Range")),
        ],
    )
    x = alt.X("cost:Q", title=title, axis=alt.Axis(format=",~r", tickCount=5))
    bars = base.mark_bar(height={"band": 0.85}).encode(x=x, color=charts.language_colour())
    spread = data[data["high"] > data["low"]]
    whiskers = (
        alt.Chart(spread)
        .mark_rule(color=REFERENCE, strokeWidth=1.5)
        .encode(
            y=alt.Y("model:N", sort=list(order), axis=_NAMES),
            yOffset=alt.YOffset("language:N", sort=list(charts.languages().values())),
            x="low:Q",
            x2="high:Q",
        )
    )
    numbers = base.mark_text(align="left", dx=4).encode(
        x=alt.X("shown_high:Q", title=title), text="money:N", color=charts.language_colour()
    )
    layers = [bars, whiskers, numbers] if len(spread) else [bars, numbers]
    return alt.layer(*layers).properties(height=40 * max(len(order), 1) + 110)


def cost_against_window(frame: pd.DataFrame, *, title: str) -> Any:
    """Return the cost of each model over its context window, both languages joined by a line.

    ``frame`` is that of :func:`costs_by_language` with a column ``window``; costs must not be zero.
    """
    data = frame.assign(language=frame["language"].map(charts.languages()))
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


def bills(
    frame: pd.DataFrame, *, title: str, parts: Mapping[str, str], budget: float | None
) -> Any:
    """Return a stacked bar for each model, with a line at the budget if there is one.

    ``frame`` has the columns ``model``, ``scenario``, ``part`` (a code of ``parts``), ``cost``,
    ``money`` and ``total``.
    """
    data = frame.assign(part=frame["part"].map(parts), place=frame["part"].map(list(parts).index))
    order = list(dict.fromkeys(data.sort_values("total")["model"]))
    several = data["scenario"].nunique() > 1
    offset: dict[str, Any] = {"yOffset": alt.YOffset("scenario:N")} if several else {}
    base = alt.Chart(data).encode(
        y=alt.Y("model:N", sort=order, axis=_NAMES),
        x=alt.X("cost:Q", title=title, axis=alt.Axis(format=",~r", tickCount=5)),
        color=alt.Color(
            "part:N",
            scale=alt.Scale(domain=list(parts.values()), range=list(PARTS)),
            legend=alt.Legend(title=None, orient="top", columns=2),
        ),
        order=alt.Order("place:Q"),
        tooltip=[
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("scenario:N", title=_("Plan")),
            alt.Tooltip("part:N", title=_("Part of the bill")),
            alt.Tooltip("money:N", title=title),
        ],
        **offset,
    )
    sums = data.drop_duplicates(["model", "scenario"])
    totals = (
        alt.Chart(sums)
        .mark_text(align="left", dx=4, color=REFERENCE)
        .encode(
            y=alt.Y("model:N", sort=order, axis=_NAMES),
            x=alt.X("total:Q", title=title),
            text="total_money:N",
            **offset,
        )
    )
    layers = [base.mark_bar(height={"band": 0.8}), totals]
    if budget:
        layers.append(charts.line_at(budget, _("budget")))
    return alt.layer(*layers).properties(height=(52 if several else 30) * max(len(order), 1) + 130)


def clock(peaks: Sequence[tuple[time, time]], busy: tuple[float, float], now: float) -> Any:
    """Return a day of Beijing hours: dear and cheap ones, the busy ones, and the hour it is."""
    names = {"peak": _("dear hours"), "off-peak": _("cheap hours")}
    edges = sorted(
        {0.0, 24.0, *(_hours(start) for start, _end in peaks), *(_hours(end) for _s, end in peaks)}
    )
    bands = [
        {
            "start": start,
            "end": end,
            "band": names[
                "peak"
                if any(_hours(s) <= start < (_hours(e) or 24) for s, e in peaks)
                else "off-peak"
            ],
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
                scale=alt.Scale(domain=list(names.values()), range=list(DAYTIME)),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=[alt.Tooltip("band:N", title=_("Price"))],
        )
    )
    work = pd.DataFrame([{"start": busy[0], "end": busy[1], "bottom": 0.05, "top": 0.2}])
    bar = alt.Chart(work).mark_rect(color=REFERENCE).encode(x=x, x2="end:Q", y=y, y2="top:Q")
    hand = (
        alt.Chart(pd.DataFrame([{"start": now}]))
        .mark_rule(strokeWidth=2, color=CHINESE)
        .encode(x=x)
    )
    return (day + bar + hand).properties(height=140)


def turns(frame: pd.DataFrame, *, value: str, title: str, window: int | None = None) -> Any:
    """Return a line for each way of remembering, over the turns.

    ``frame`` has the columns ``turn``, ``way``, ``value`` and ``shown``, the value as text.
    """
    ways = list(dict.fromkeys(frame["way"]))
    base = alt.Chart(frame).encode(
        x=alt.X("turn:Q", title=_("Turn"), axis=alt.Axis(format="d", tickMinStep=1)),
        y=alt.Y(f"{value}:Q", title=title, axis=alt.Axis(format=",~r", tickCount=5)),
        color=alt.Color(
            "way:N",
            scale=alt.Scale(domain=ways, range=list(WAYS)),
            legend=alt.Legend(title=None, orient="top"),
        ),
        tooltip=[
            alt.Tooltip("way:N", title=_("What is sent")),
            alt.Tooltip("turn:Q", title=_("Turn")),
            alt.Tooltip("shown:N", title=title),
        ],
    )
    layers = [base.mark_line(strokeWidth=2.5, interpolate="linear")]
    if len(frame) <= 300:
        layers.append(base.mark_circle(size=22, opacity=1))
    if window and frame[value].max() > window / 3:
        layers.append(charts.line_at(window, _("the window is full"), axis="y"))
    return alt.layer(*layers).properties(height=320)


def gauges(frame: pd.DataFrame, order: Sequence[str]) -> Any:
    """Return the filled share of each model's window, with a line where it is full.

    ``frame`` has the columns ``model``, ``part`` (names of text and answer, in this order) and
    ``share``, and ``shown``, the share as text.
    """
    parts = list(dict.fromkeys(frame["part"]))
    base = alt.Chart(frame).encode(
        y=alt.Y("model:N", sort=list(order), axis=_NAMES),
        x=alt.X(
            "share:Q",
            title=_("Share of context window"),
            axis=alt.Axis(format="~%", tickCount=5),
            stack=True,
        ),
        color=alt.Color(
            "part:N",
            sort=parts,
            scale=alt.Scale(domain=parts, range=[PARTS[0], PARTS[1]]),
            legend=alt.Legend(title=None, orient="top"),
        ),
        order=alt.Order("place:Q"),
        tooltip=[
            alt.Tooltip("model:N", title=_("Model")),
            alt.Tooltip("part:N", title=_("Part")),
            alt.Tooltip("shown:N", title=_("Share of context window")),
        ],
    )
    bars = base.mark_bar(height={"band": 0.75})
    return alt.layer(bars, charts.line_at(1, _("the window is full"))).properties(
        height=30 * max(len(order), 1) + 130
    )


def lengths(counts: Sequence[int], marks: Mapping[str, int]) -> Any:
    """Return how many prompts have how many tokens, with lines at ``marks`` (name to tokens)."""
    most = max([*counts, 1])
    width = max(1, -(-most // 40))
    sizes = pd.Series([count // width for count in counts]).value_counts().sort_index()
    frame = pd.DataFrame(
        {
            "start": sizes.index * width,
            "end": (sizes.index + 1) * width,
            "last": (sizes.index + 1) * width - 1,
            "prompts": sizes.to_numpy(),
            "floor": 0,
        }
    )
    bars = (
        alt.Chart(frame)
        .mark_bar(color=PARTS[0], binSpacing=1)
        .encode(
            x=alt.X("start:Q", title=_("Tokens"), axis=alt.Axis(format=",d", tickMinStep=1)),
            x2="end:Q",
            y2="floor:Q",
            y=alt.Y("prompts:Q", title=_("Prompts"), axis=alt.Axis(format="d", tickMinStep=1)),
            tooltip=[
                alt.Tooltip("start:Q", title=_("From tokens"), format=",d"),
                alt.Tooltip("last:Q", title=_("To tokens"), format=",d"),
                alt.Tooltip("prompts:Q", title=_("Prompts"), format=",d"),
            ],
        )
    )
    layers = [bars]
    for place, (name, tokens) in enumerate(marks.items()):
        layers.append(charts.line_at(tokens, name, lift=6 + 13 * place))
    return alt.layer(*layers).properties(height=330, padding={"top": 20 + 13 * len(marks)})


def _hours(moment: time) -> float:
    return moment.hour + moment.minute / 60
