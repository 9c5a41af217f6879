"""Tables saved as CSV: nothing of a stranger's runs in a spreadsheet."""

import pandas as pd

from playground.ui import tables


def test_a_saved_cell_is_no_formula():
    frame = pd.DataFrame({"=HYPERLINK()": ["=True", "@SUM(A1)", "a=b"], "n": [-1, 2, 3]})
    assert tables.as_csv(frame).decode("utf-8-sig").splitlines() == [
        "'=HYPERLINK(),n",
        "'=True,-1",
        "'@SUM(A1),2",
        "a=b,3",
    ]
