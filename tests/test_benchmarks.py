"""Tables of docs/performance.md are those of its results, and one's own text is checked."""

import json

import pytest

from benchmarks.__main__ import PAGE, RESULTS, tables, with_tables, written
from benchmarks.mine import LEAST_BYTES, problem_with


def test_the_tables_of_the_page_are_those_of_the_results():
    page = PAGE.read_text("utf-8")
    assert with_tables(page, json.loads(RESULTS.read_text("utf-8"))) == page


def test_results_have_a_line_for_each_cell():
    text = RESULTS.read_text("utf-8")
    results = json.loads(text)
    assert written(results) == text
    parts = ("proved", "training", "encoding")
    assert len(text.splitlines()) == sum(len(results[part]) + 2 for part in parts) + 7


def test_lost_cells_come_first_with_the_noise():
    def run(seconds):
        return {"seconds": [seconds], "memory": [0], "bytes": [1]}

    cells = {
        "zh, 1,000": {"ours": run(1), "ours again": run(1.1), "peer": run(2)},
        "en, 1,000": {"ours": run(4), "ours again": run(4), "peer": run(2)},
    }
    facts = {"date": "today", "machine": "2 cores", "python": "3", "rounds": 1, "versions": {}}
    conditions = tables({**facts, "training": cells, "encoding": {}})["conditions"]
    assert "differed by 10% in the middle, by 10% at most" in conditions
    assert "**Not ahead**: en, 1,000 (0.50×)." in conditions
    assert "**1.00×**" in conditions


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"low\n", "has 4 bytes"),
        (b"low\n" * LEAST_BYTES + b"\xff", "not UTF-8 at byte 8,000,000"),
        (b"low " * LEAST_BYTES, "no line break"),
        ("低 low\n".encode() * LEAST_BYTES, None),
    ],
)
def test_a_file_that_cannot_be_measured_is_refused(tmp_path, data, problem):
    path = tmp_path / "mine.txt"
    path.write_bytes(data)
    found = problem_with(path)
    assert found is None if problem is None else problem in found


def test_a_file_that_is_not_there_is_refused(tmp_path):
    assert "cannot be read" in problem_with(tmp_path / "none.txt")
