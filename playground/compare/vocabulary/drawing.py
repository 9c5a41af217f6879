"""The picture of what two vocabularies share."""

from typing import Any

import altair as alt
import pandas as pd

from playground.ui.charts import REFERENCE
from playground.ui.i18n import _

FIRST, BOTH, SECOND = "#7a6aa8", REFERENCE, "#3f8f6b"
"""Not the colours of the two languages: these are tokenizers."""


def overlap(frame: pd.DataFrame) -> Any:
    """Draw what only the first has, what both have and what only the second has.

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
                scale=alt.Scale(domain=parts, range=[FIRST, BOTH, SECOND]),
                legend=alt.Legend(title=None, orient="top", columns=1, labelLimit=300),
            ),
            tooltip=[
                alt.Tooltip("label:N", title=_("Tokens")),
                alt.Tooltip("part:N", title=_("Where")),
                alt.Tooltip("tokens:Q", title=_("Tokens"), format=",d"),
            ],
        )
        .properties(height=290)
    )
