"""The charts: Chinese and English always in the same two colours, readable in both themes."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import altair as alt
import pandas as pd
import streamlit as st

from playground.ui import chart_files, rendered_charts
from playground.ui.i18n import _, language

CHINESE = "#c8553d"
ENGLISH = "#3d7ea6"
REFERENCE = "#8a8a8a"
"""Of lines; too pale for text."""
INK = "light-dark(#565b63, #b3b8c0)"
"""Of text, which can be read in both themes. The browser chooses, so that a chart follows when the
theme changes while a page is open."""
LEARNERS = ["#a05195", "#e0912f", "#2f9e8f"]
"""Neither language's colour: naive, incremental, compiled."""


def languages() -> dict[str, str]:
    return {"zh": _("Chinese"), "en": _("English")}


def language_colour(*, legend: bool = True) -> alt.Color:
    """Return the colour of a column ``language`` that holds the names of :func:`languages`."""
    return alt.Color(
        "language:N",
        scale=alt.Scale(domain=list(languages().values()), range=[CHINESE, ENGLISH]),
        legend=alt.Legend(title=None, orient="top") if legend else None,
    )


def by_tokenizer(
    data: pd.DataFrame, order: Sequence[str], /, *tooltip: alt.Tooltip, **channels: Any
) -> alt.Chart:
    """Return an empty chart of data with a column ``tokenizer``: a row for each in this order."""
    axis = alt.Axis(labelLimit=220, labelOverlap=False)
    return alt.Chart(data).encode(
        y=alt.Y("tokenizer:N", sort=list(order), title=None, axis=axis),
        tooltip=[alt.Tooltip("tokenizer:N", title=_("Tokenizer")), *tooltip],
        **channels,
    )


def height(order: Sequence[str], around: int, *, row: int = 36) -> int:
    """Return the pixels of a chart with a row for each tokenizer, and ``around`` for the rest."""
    return row * max(len(order), 2) + around


def line_at(value: float, name: str = "", *, axis: Literal["x", "y"] = "x", lift: int = 6) -> Any:
    """Return a dashed line of reference across the chart, its name at the edge where it begins.

    ``lift`` is how many pixels the name stands above that place.
    """
    line = alt.Chart(pd.DataFrame({"at": [value]})).encode(**{axis: "at:Q"})
    rule = line.mark_rule(color=REFERENCE, strokeDash=[4, 3])
    if not name:
        return rule
    edge = {"y" if axis == "x" else "x": alt.value(0)}
    label = line.mark_text(align="left", dx=4, dy=-lift)
    return rule + label.encode(text=alt.value(name), **edge)


_LINKS = 30
"""Pixels of what stands under a chart."""


def show(draw: Callable[[], Any], *, alt_text: str, key: str | None = None) -> None:
    """Draw a chart over the width of its column, with a text for those who cannot see it.

    ``draw`` returns the chart: a function of a module with its arguments bound by
    :func:`functools.partial`, which is not called where the same was drawn before. Under the chart
    are the links that save it, and its data.
    """
    chart = rendered_charts.chart(draw, language(), config=_style)
    described = chart.description()
    tall = int(described.get("height", 0)) + _LINKS
    room = tall - tall % 50  # which the style of the page reserves
    with st.container(gap=None, key=f"chart-{room}-{key or alt_text}"):
        st.vega_lite_chart(described, width="stretch", alt=alt_text, key=key)
        chart_files.links(chart.csv, alt_text=alt_text, key=f"files of {key or alt_text}")


def _style() -> alt.Config:
    text = INK
    return alt.Config(
        axis=alt.AxisConfig(
            labelColor=text, titleColor=text, titleFontSize=13, labelPadding=8, titlePadding=10
        ),
        legend=alt.LegendConfig(
            labelColor=text, titleColor=text, labelFontSize=13, columnPadding=12, labelPadding=6
        ),
        header=alt.HeaderConfig(labelColor=text, titleColor=text),
        text=alt.MarkConfig(color=text),
    )


def bars(
    frame: pd.DataFrame,
    *,
    value: str,
    title: str,
    order: list[str],
    number_format: str = ",d",
    axis_format: str = "~s",
) -> Any:
    """Return a pair of bars, Chinese above English, for each tokenizer in ``order``.

    Of one language alone there is a bar each, and no legend. ``frame`` has the columns
    ``tokenizer``, ``language`` ("zh" or "en") and the one named by ``value``.
    """
    data = frame.assign(language=frame["language"].map(languages()))
    base = by_tokenizer(
        data,
        order,
        alt.Tooltip("language:N", title=_("Language")),
        alt.Tooltip(f"{value}:Q", title=title, format=number_format),
        yOffset=alt.YOffset("language:N", sort=list(languages().values())),
        x=alt.X(f"{value}:Q", title=title, axis=alt.Axis(format=axis_format, tickCount=5)),
        color=language_colour(legend=data["language"].nunique() > 1),
    )
    labels = base.mark_text(align="left", dx=4).encode(
        text=alt.Text(f"{value}:Q", format=number_format), color=alt.value(INK)
    )
    return (base.mark_bar(height={"band": 0.9}) + labels).properties(
        height=40 * max(len(order), 1) + 90
    )


def stacked_bars(frame: pd.DataFrame, colours: Sequence[str], height: int) -> Any:
    """Draw a bar for each label, in parts of these colours.

    ``frame`` has the columns ``label`` (which tokens), ``part``, ``order`` and ``tokens``.
    """
    parts = list(frame.sort_values("order")["part"].drop_duplicates())
    rows = list(frame["label"].drop_duplicates())
    return (
        alt.Chart(frame)
        .mark_bar(height={"band": 0.7})
        .encode(
            y=alt.Y("label:N", sort=rows, title=None, axis=alt.Axis(labelLimit=220)),
            x=alt.X(
                "tokens:Q", title=_("Tokens"), stack="zero", axis=alt.Axis(format="~s", tickCount=5)
            ),
            order=alt.Order("order:Q"),
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=parts, range=list(colours)),
                legend=alt.Legend(title=None, orient="top", columns=1, labelLimit=300),
            ),
            tooltip=[
                alt.Tooltip("label:N", title=_("Tokens")),
                alt.Tooltip("part:N", title=_("Where")),
                alt.Tooltip("tokens:Q", title=_("Tokens"), format=",d"),
            ],
        )
        .properties(height=height)
    )
