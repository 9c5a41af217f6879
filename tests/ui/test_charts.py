"""Charts as they are sent, drawn once for the same tables and language."""

import io
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


def chart(*tokens: int, around: str = "en", title: str = "Tokens") -> dict:
    return charts.rendered(partial(bars, frame(*tokens), title=title), around)


def test_the_same_is_drawn_once_and_each_has_its_own_description():
    chart(1, 2)["layer"].clear()
    chart(1, 2)["datasets"].clear()
    assert len(chart(1, 2)["layer"]) == 3
    assert len(chart(1, 2)["datasets"]) == 2
    assert drawings == [2]


@pytest.mark.parametrize(
    "other", [{"tokens": (1, 3)}, {"title": "词元"}, {"around": "zh"}], ids=str
)
def test_another_table_title_or_language_is_another_chart(other):
    options = {"tokens": (1, 2), **other}
    chart(1, 2)
    chart(*options.pop("tokens"), **options)
    assert drawings == [2, 2]


def test_the_tables_are_sent_once_each_beside_the_description_and_count_as_shared():
    sent = chart(1, 2)
    tables = [
        pa.ipc.open_stream(io.BytesIO(table)).read_pandas().to_dict("list")
        for table in sent["datasets"].values()
    ]
    assert sorted(tables, key=len) == [{"at": [1.0]}, {"name": ["a", "b"], "tokens": [1, 2]}]
    named = {sent["data"]["name"]} if "data" in sent else set()
    named |= {layer["data"]["name"] for layer in sent["layer"] if "data" in layer}
    assert named == {*sent["datasets"]}
    assert "width" not in sent  # it is that of the column
    assert charts.memory.shared.size > sum(map(len, sent["datasets"].values()))
