"""Charts as they are sent, drawn once for the same tables and language, and as a table to save."""

import io
import json
from functools import partial

import altair as alt
import pandas as pd
import pyarrow as pa
import pytest

from playground.ui import charts
from playground.ui.chart_files import data_of

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


# The data of a chart as a table: the columns that a reader sees, under the names they have

FRAME = pd.DataFrame({"name": ["a", "b"], "tokens": [1, 2], "order": [0, 1]})
BARS = alt.Chart(FRAME).encode(
    x=alt.X("tokens:Q", title="Tokens"),
    y=alt.Y("name:N", title=None),
    tooltip=[alt.Tooltip("name:N", title="Tokenizer"), alt.Tooltip("tokens:Q", title="Tokens")],
)
LINE = alt.Chart(pd.DataFrame({"at": [1.0]})).encode(x=alt.X("at:Q", title="Limit")).mark_rule()


def rows(chart) -> list[list]:
    found = data_of(chart)
    return [list(found.columns), *found.to_numpy().tolist()]


def test_columns_have_the_names_that_the_chart_gives_them():
    assert rows(BARS.mark_bar()) == [["Tokenizer", "Tokens"], ["a", 1], ["b", 2]]


def test_lines_of_reference_are_no_data():
    expected = [["Tokenizer", "Tokens"], ["a", 1], ["b", 2]]
    assert rows(LINE + BARS.mark_bar() + BARS.mark_text()) == expected
    assert rows((BARS.mark_bar() + LINE) | LINE) == expected


def test_without_titles_all_columns_are_data():
    chart = alt.Chart(FRAME).mark_bar().encode(x="tokens:Q")
    assert rows(chart) == [["name", "tokens", "order"], ["a", 1, 0], ["b", 2, 1]]


def test_of_two_columns_with_one_name_the_first_is_kept():
    frame = pd.DataFrame({"cost": [1.5], "written": ["$1.50"]})
    chart = alt.Chart(frame).encode(
        x=alt.X("cost:Q", title="Cost"), tooltip=[alt.Tooltip("written:N", title="Cost")]
    )
    assert rows(chart) == [["Cost"], [1.5]]
