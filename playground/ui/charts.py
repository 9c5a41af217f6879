"""The charts: Chinese and English always in the same two colours, readable in both themes.

Altair takes some 60 ms to put a chart together, to copy it and to check it against its schema, and
a click draws up to five of them. What a chart is drawn from is a few small tables, so that what is
sent to the browser is looked up by these, for all sessions: by a digest of the function that draws
it and of its arguments.
"""

import hashlib
import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa
import streamlit as st
from altair.utils import schemapi

from playground.ui import chart_files, memory
from playground.ui.i18n import _, language

CHINESE = "#c8553d"
ENGLISH = "#3d7ea6"
REFERENCE = "#8a8a8a"
"""Of lines; too pale for text."""
INK = "light-dark(#565b63, #b3b8c0)"
"""Of text, which can be read in both themes. The browser chooses, so that a chart follows when the
theme changes while a page is open."""
_GRID = "light-dark(#e9e5da, #2a313a)"


def languages() -> dict[str, str]:
    return {"zh": _("Chinese"), "en": _("English")}


def language_colour() -> alt.Color:
    """Return the colour of a column ``language`` that holds the names of :func:`languages`."""
    scale = alt.Scale(domain=list(languages().values()), range=[CHINESE, ENGLISH])
    return alt.Color("language:N", scale=scale, legend=None)


def amounts(bars: alt.Chart, amount: str, names: str = "") -> alt.Chart:
    """Return the amounts behind bars, with the language of each in the rows where ``names`` holds.

    Both are expressions of Vega; without the second no bar is named.
    """
    text = f"{amount} + ({names} ? ' · ' + datum.language : '')" if names else amount
    labels = bars.transform_calculate(written=text).mark_text(align="left", dx=4)
    chart: alt.Chart = labels.encode(text="written:N", color=alt.value(INK))
    return chart


def colour(field: str, names: Iterable[str], colours: Sequence[str], **legend: Any) -> alt.Color:
    """Return the colours of the names in a column, with a legend above the chart."""
    return alt.Color(
        field,
        scale=alt.Scale(domain=list(names), range=list(colours)),
        legend=alt.Legend(title=None, orient="top", **legend),
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
    return row * max(len(order), 2) + around


def line_at(value: float, name: str = "") -> Any:
    """Return a dashed line of reference down the chart, its name at the upper end."""
    line = alt.Chart(pd.DataFrame({"at": [value]})).encode(x="at:Q")
    rule = line.mark_rule(color=REFERENCE, strokeDash=[4, 3])
    if not name:
        return rule
    label = line.mark_text(align="left", dx=4, dy=-6)
    return rule + label.encode(text=alt.value(name), y=alt.value(0))


def show(draw: Callable[[], Any], *, alt_text: str) -> None:
    """Draw a chart over the width of its column, with a text for those who cannot see it.

    Under it is the menu that saves it as a picture; the table beside it has its data.
    """
    described = rendered(draw, language())
    with st.container(gap=None):
        st.vega_lite_chart(described, width="stretch", height=described["height"], alt=alt_text)
        chart_files.links(alt_text, key=f"files of {alt_text}")


def _style() -> alt.Config:
    text: dict[str, Any] = {"labelColor": INK, "titleColor": INK}
    return alt.Config(
        axis=alt.AxisConfig(
            **text, titleFontSize=13, labelPadding=8, titlePadding=10, gridColor=_GRID,
            domain=False, ticks=False,
        ),
        legend=alt.LegendConfig(
            **text, labelFontSize=13, columnPadding=12, labelPadding=6, symbolType="square",
            symbolSize=110,
        ),
        header=alt.HeaderConfig(**text),
        text=alt.MarkConfig(color=INK),
    )  # fmt: skip


alt.theme.enable("none")  # Altair's own theme has sizes; Streamlit's is put on in the browser
schemapi.disable_debug_mode()  # a third of the time of a chart; tests hold them to the schema


def rendered(draw: Callable[[], Any], *around: str) -> dict[str, Any]:
    """Return what ``draw`` draws as ``st.vega_lite_chart`` takes it, which changes what it takes.

    ``draw`` is a function of a module, its arguments bound by :func:`functools.partial`; it is not
    called where it was before. Whatever else its chart depends on, such as the language, is in
    ``around``.
    """
    key = "chart", hashlib.blake2b(pickle.dumps((draw, around)), digest_size=20).hexdigest()
    chart: tuple[str, dict[str, bytes]] | None = memory.shared.get(key)
    if chart is None:
        spec, tables = chart = as_sent(draw())
        memory.shared.put(key, chart, 1000 + 4 * len(spec) + sum(map(len, tables.values())))
    return {**json.loads(chart[0]), "datasets": dict(chart[1])}


def as_sent(chart: Any) -> tuple[str, dict[str, bytes]]:
    """Return a chart of Altair as JSON, and the tables that it names, once each, as Arrow."""
    chart = chart.copy()
    chart.config = _style()
    tables = {}
    for part, frame in list(_with_tables(chart)):
        table = _arrow(frame)
        name = hashlib.blake2b(table, digest_size=16).hexdigest()
        tables[name] = table
        part.data = alt.NamedData(name)
    return json.dumps(chart.to_dict(validate=schemapi.DEBUG_MODE)), tables


def _with_tables(chart: Any) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Yield the parts of a chart that have a table of their own, and that."""
    if isinstance(chart.data, pd.DataFrame):
        yield chart, chart.data
    for part in chart.layer if isinstance(chart, alt.LayerChart) else ():
        yield from _with_tables(part)


def _arrow(frame: pd.DataFrame) -> bytes:
    table = pa.Table.from_pandas(frame)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
