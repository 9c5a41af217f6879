"""The limits that ``docs/reliability.md`` states are those of the code."""

import re
from importlib import import_module
from pathlib import Path

from tests.each import each

PAGE = Path(__file__).parents[1] / "docs" / "reliability.md"
ROWS = re.findall(
    r"^\| (.+?) \| ([\d,]+)( MB| s)? \| `([\w.]+)\.(\w+)` \|$", PAGE.read_text("utf-8"), re.M
)
UNITS = {"": 1, " s": 1, " MB": 2**20}


def test_the_table_is_there():
    assert len(ROWS) == PAGE.read_text("utf-8").count("` |\n") > 20


@each(ROWS)
def test_a_limit_is_that_of_the_code(row):
    what, number, unit, module, name = row
    assert getattr(import_module(module), name) == int(number.replace(",", "")) * UNITS[unit], what
