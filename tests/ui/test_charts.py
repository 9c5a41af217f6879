"""Charts as they are sent, drawn once for the same tables and language."""

import io
import json
from functools import partial

import altair as alt
import pandas as pd
import pyarrow as pa
import pytest

from playground.ui import charts

drawings: list[int] = []


@pytest.fixture(autouse=True)
def nothing_is_kept():
    charts.memory.shared.shrink()
    drawings.clear()


def bars(frame: pd.DataFrame, *, title: str) -> alt.LayerChart:
    drawings.append(len(frame))
    base = alt.Chart(frame).encode(x=alt.X("tokens:Q", title=title), y="name:N")
    limit = alt.Chart(pd.DataFrame({"at": [1.0]})).mark_rule().encode(x="at:Q")
    return base.mark_bar() + base.mark_text() + limit


def frame(*tokens: int) -> pd.DataFrame:
    return pd.DataFrame({"name": list("ab")[: len(tokens)], "tokens": list(tokens)})


def chart(*tokens: int, around: str = "en", title: str = "Tokens") -> charts.RenderedChart:
    return charts.rendered(partial(bars, frame(*tokens), title=title), around, config=alt.Config)


def test_the_same_is_drawn_once():
    assert chart(1, 2) is chart(1, 2)
    assert drawings == [2]


@pytest.mark.parametrize(
    "other", [{"tokens": (1, 3)}, {"title": "词元"}, {"around": "zh"}], ids=str
)
def test_another_table_title_or_language_is_another_chart(other):
    options = {"tokens": (1, 2), **other}
    assert chart(1, 2) is not chart(*options.pop("tokens"), **options)
    assert drawings == [2, 2]


def test_what_is_kept_counts_against_what_sessions_share():
    first = chart(1, 2)
    assert charts.memory.shared.size == first.memory


def test_the_tables_are_sent_once_each_beside_the_description():
    sent = chart(1, 2)
    tables = [
        pa.ipc.open_stream(io.BytesIO(table)).read_pandas().to_dict("list")
        for table in sent.tables.values()
    ]
    assert sorted(tables, key=len) == [{"at": [1.0]}, {"name": ["a", "b"], "tokens": [1, 2]}]
    assert all(f'"data": {{"name": "{name}"}}' in sent.spec for name in sent.tables)
    assert "width" not in json.loads(sent.spec)  # it is that of the column


def test_a_description_is_the_callers_own():
    sent = chart(1, 2)
    sent.description()["layer"].clear()
    sent.description()["datasets"].clear()
    assert len(sent.description()["layer"]) == 3
    assert len(sent.description()["datasets"]) == 2
