"""What more text is worth: lines that were held out, under tokenizers of more and more corpus."""

from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe.analysis import experiments
from bpe.analysis.experiments import HELD_OUT, Growth, Lines
from playground.train.corpus import Corpus, size_text
from playground.train.job import Trained
from playground.ui import charts, progress
from playground.ui.i18n import _

FRACTIONS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
MOST_BYTES = 5_000_000


def show(trained: Trained, corpus: Corpus) -> None:
    """Draw bytes per token on the lines held out, against the size of the corpus."""
    found = progress.resumed(
        "growth",
        trained.identity,
        FRACTIONS,
        lambda missing: experiments.growth(
            Lines.of(corpus.texts),
            trained.recipe,
            missing,
            most_bytes=MOST_BYTES,
            on_progress=lambda _done: progress.checkpoint(),
        ),
        said=lambda _fraction, point: _("{size} trained on").format(
            size=size_text(point.corpus_bytes)
        ),
        stopped=_("Stopped: {done} of {all} sizes are trained."),
    )
    if not found:
        return
    st.caption(
        _(
            "One line in {n} is held out: no training has seen it. The vocabulary size is that of "
            "the recipe."
        ).format(n=HELD_OUT)
    )
    points = list(found.values())
    charts.show(
        partial(_chart, points),
        alt_text=_("Bytes per token on held-out lines"),
        key="growth_chart",
    )
    last = points[-1]
    if last.merges < (trained.recipe.merge_limit or last.merges):
        st.caption(
            _("With all of it, {merges} merges were found: fewer than the recipe allows.").format(
                merges=f"{last.merges:,}"
            )
        )


def _chart(points: list[Growth]) -> Any:
    names = charts.languages() | {"other": _("Other lines")}
    rows = [
        (point.corpus_bytes, names[language], measured.bytes_per_token, point.merges)
        for point in points
        for language, measured in (("zh", point.zh), ("other", point.other))
        if measured.tokens
    ]
    title = _("Bytes per token on held-out lines")
    return (
        alt.Chart(pd.DataFrame(rows, columns=["size", "language", "value", "merges"]))
        .mark_line(point=True)
        .encode(
            x=alt.X("size:Q", title=_("Bytes trained on"), axis=alt.Axis(format="~s", tickCount=8)),
            y=alt.Y("value:Q", title=title, scale=alt.Scale(zero=False)),
            color=charts.colour(
                "language:N", (names["zh"], names["other"]), (charts.CHINESE, charts.ENGLISH)
            ),
            tooltip=[
                alt.Tooltip("size:Q", title=_("Bytes trained on"), format=",d"),
                alt.Tooltip("language:N", title=_("Language")),
                alt.Tooltip("value:Q", title=title, format=".2f"),
                alt.Tooltip("merges:Q", title=_("Merges"), format=",d"),
            ],
        )
        .properties(height=300)
    )
