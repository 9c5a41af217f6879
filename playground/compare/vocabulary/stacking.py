"""Bars in parts: how many tokens of a vocabulary are of which sort."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from playground.ui.i18n import _


def bars(frame: pd.DataFrame, colours: Sequence[str], height: int) -> Any:
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
