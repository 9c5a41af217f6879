"""Tables: no digit is cut off, and untrusted text runs in no spreadsheet they are saved for."""

import json

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from playground.ui import tables


def test_a_saved_cell_is_no_formula():
    frame = pd.DataFrame({"=HYPERLINK()": ["=True", "@SUM(A1)", "a=b"], "n": [-1, 2, 3]})
    assert tables.as_csv(frame).decode("utf-8-sig").splitlines() == [
        "'=HYPERLINK(),n",
        "'=True,-1",
        "'@SUM(A1),2",
        "a=b,3",
    ]
    assert all(tables.no_formula(f"{sign}1") == f"'{sign}1" for sign in "=+-@＝＋－＠\t\r\n")


def drawn(amount: float) -> dict[str, int]:
    """The widths of a table of amounts, as the browser gets them."""

    def page(amount):
        import pandas as pd

        from playground.ui import tables

        tables.show(
            pd.DataFrame({"model": ["GPT-5", "a" * 400], "amount": [1.0, amount]}),
            {
                "model": tables.text("Model", pinned=True),
                "amount": tables.number("A month", form="$%,.2f"),
            },
            alt_text="",
        )

    app = AppTest.from_function(page, kwargs={"amount": amount}).run()
    columns = json.loads(app.dataframe[0].proto.columns)
    return {name: columns[name]["width"] for name in ("model", "amount")}


@pytest.mark.parametrize(
    ("amount", "width"), [(2.0, 65), (float("nan"), 65), (1_800_019.8, 113), (-1_800_019.8, 117)]
)
def test_a_column_is_as_wide_as_its_heading_and_its_longest_number(amount, width):
    assert drawn(amount) == {"model": 214, "amount": width}


def test_a_table_of_rows_has_whole_numbers_beside_missing_ones_and_no_empty_optional_column():
    def page():
        from decimal import Decimal

        from playground.ui import tables

        tables.show_rows(
            [(3, Decimal("0.5")), (None, Decimal(2))],
            {
                "tokens": (tables.number("Tokens"), lambda row: row[0]),
                "share": (tables.number("Share"), lambda row: row[1]),
                "note": (tables.text("Note"), lambda _row: None),
            },
            alt_text="",
            optional=("note",),
        )

    table = AppTest.from_function(page).run().dataframe[0].value
    assert list(table.columns) == ["tokens", "share"]
    assert (str(table["tokens"].dtype), table["tokens"].isna().tolist()) == ("Int64", [False, True])
    assert table["share"].tolist() == [0.5, 2.0]
