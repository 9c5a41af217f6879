"""Charts as they are sent to the browser, cached for all sessions that draw the same.

Altair takes some 60 ms to put a chart together, to copy it and to check it against its schema, and
a click draws up to five of them. What a chart is drawn from is a few small tables, so that it is
looked up by these: by a digest of the function that draws it and of its arguments.
"""

import hashlib
import json
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa
from altair.utils import schemapi

from playground.ui import chart_files, memory

alt.theme.enable("none")  # Altair's own theme has sizes; Streamlit's is put on in the browser
schemapi.disable_debug_mode()  # a third of the time of a chart; tests hold them to the schema


@dataclass(frozen=True)
class RenderedChart:
    """A description in Vega-Lite, the tables that it names, and its data as a file."""

    spec: str
    """JSON."""
    tables: Mapping[str, bytes]
    """Arrow streams."""
    csv: str

    @property
    def memory(self) -> int:
        return 1000 + 4 * len(self.spec + self.csv) + sum(map(len, self.tables.values()))

    def description(self) -> dict[str, Any]:
        """Return what ``st.vega_lite_chart`` draws: a value of its own, as Streamlit changes it."""
        return {**json.loads(self.spec), "datasets": dict(self.tables)}


def chart(draw: Callable[[], Any], *around: str, config: Callable[[], alt.Config]) -> RenderedChart:
    """Return what ``draw`` draws, from the cache if it was drawn before.

    ``draw`` is a function of a module, its arguments bound by :func:`functools.partial`. Whatever
    else its chart depends on, such as the language, is in ``around``.
    """
    key = "chart", hashlib.blake2b(pickle.dumps((draw, around)), digest_size=20).hexdigest()
    known: RenderedChart | None = memory.shared().get(key)
    if known is None:
        known = of(draw(), config())
        memory.shared().put(key, known, known.memory)
    return known


def of(chart: Any, config: alt.Config) -> RenderedChart:
    """Return a chart of Altair as it is sent, its tables once each and under a name."""
    csv = chart_files.as_csv(chart)
    chart = chart.copy()
    chart.config = config
    tables = {}
    for part, frame in list(_with_tables(chart)):
        table = _arrow(frame)
        name = hashlib.blake2b(table, digest_size=16).hexdigest()
        tables[name] = table
        part.data = alt.NamedData(name)
    return RenderedChart(json.dumps(chart.to_dict(validate=schemapi.DEBUG_MODE)), tables, csv)


def _with_tables(chart: Any) -> Iterator[tuple[Any, pd.DataFrame]]:
    """Yield the parts of a chart that have a table of their own, and that."""
    for part in chart_files.parts(chart):
        if isinstance(part.data, pd.DataFrame):
            yield part, part.data


def _arrow(frame: pd.DataFrame) -> bytes:
    table = pa.Table.from_pandas(frame)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
