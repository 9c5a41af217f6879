"""What comes of counting a file: a table, the spread of its lines as curves, and a download."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from bpe.analysis.metrics import percentile
from bpe.documents.corpus import Document
from playground import session
from playground.compare.files.job import Job, is_prose, lines_of
from playground.ui import charts, tables
from playground.ui.i18n import _


def table(document: Document, jobs: Mapping[str, Job]) -> None:
    rows = []
    for code, job in jobs.items():
        ordered = sorted(job.lines)
        rows.append(
            {
                "tokenizer": session.short(code),
                "tokens": job.tokens,
                "bytes_per_token": document.size / job.tokens if job.tokens else None,
                "lines": len(ordered),
                "mean": sum(ordered) / len(ordered),
                "p50": percentile(ordered, 50),
                "p95": percentile(ordered, 95),
                "longest": ordered[-1],
            }
        )
    tables.show(
        pd.DataFrame(rows).sort_values("tokens"),
        {
            "tokenizer": tables.text(_("Tokenizer")),
            "tokens": tables.number(
                _("Tokens"),
                help=_(
                    "Exact. A text is counted whole, line ends included; the rows of a table and "
                    "our samples one by one."
                ),
            ),
            "bytes_per_token": tables.number(_("Bytes per token"), form="%.2f"),
            "lines": tables.number(_("Lines") if is_prose(document) else _("Rows")),
            "mean": tables.number(_("Mean of a line"), form="%.1f"),
            "p50": tables.number(_("Median (p50)")),
            "p95": tables.number("p95", help=_("95 of 100 lines have at most so many tokens.")),
            "longest": tables.number(_("Longest")),
        },
        alt_text=_("Tokens of “{name}” under each tokenizer, and of its lines").format(
            name=document.name
        ),
    )


def curve(jobs: Mapping[str, Job], names: Sequence[str], *, key: str) -> None:
    """Draw which share of the lines has at most so many tokens.

    ``names`` are all tokenizers, so that each has the same colour under every file.
    """
    rows: list[tuple[str, float, int]] = []
    for code, job in jobs.items():
        ordered = sorted(job.lines)
        name = session.short(code)
        rows += [(name, 0.0, ordered[0])]
        rows += [(name, share / 100, percentile(ordered, share)) for share in range(1, 101)]
    charts.show(
        partial(_curve, pd.DataFrame(rows, columns=["tokenizer", "share", "tokens"]), list(names)),
        alt_text=_("Share of the lines with at most so many tokens, for each tokenizer"),
        key=key,
    )


def _curve(frame: pd.DataFrame, names: list[str]) -> Any:
    near = alt.selection_point(fields=["tokenizer"], on="pointerover", nearest=True, empty=False)
    base = alt.Chart(frame).encode(
        x=alt.X("tokens:Q", title=_("Tokens of a line"), axis=alt.Axis(format="~s")),
        y=alt.Y("share:Q", title=_("Share of the lines"), axis=alt.Axis(format="%", tickCount=5)),
        color=alt.Color(
            "tokenizer:N",
            scale=alt.Scale(domain=names),
            legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=160),
        ),
        tooltip=[
            alt.Tooltip("tokenizer:N", title=_("Tokenizer")),
            alt.Tooltip("share:Q", title=_("Share of the lines"), format=".0%"),
            alt.Tooltip("tokens:Q", title=_("Tokens, at most"), format=",d"),
        ],
    )
    lines = base.mark_line(interpolate="step-after").encode(
        strokeWidth=alt.condition(near, alt.value(3.5), alt.value(2))
    )
    marks = charts.line_at(0.5, "p50", axis="y") + charts.line_at(0.95, "p95", axis="y")
    points = base.mark_circle(opacity=0, size=60).add_params(near)
    return (marks + lines + points).properties(height=360)


def download(document: Document, jobs: Mapping[str, Job], *, key: str) -> None:
    def content() -> bytes:
        columns = {session.short(code): job.lines for code, job in jobs.items()}
        lines = lines_of(document)
        frame = pd.DataFrame(
            {
                "number": range(1, len(lines) + 1),
                "characters": list(map(len, lines)),
                "bytes": [len(line.encode()) for line in lines],
                **columns,
            }
        )
        return tables.as_csv(frame)

    st.download_button(
        _("Tokens of every line as CSV"),
        data=content,
        file_name=f"{document.name}.tokens.csv",
        mime="text/csv",
        on_click="ignore",
        key=key,
        icon=":material/download:",
    )
