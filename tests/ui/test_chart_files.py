"""The data of a chart as a table: the columns that a reader sees, under the names they have."""

import altair as alt
import pandas as pd

from playground.ui.chart_files import data_of

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
