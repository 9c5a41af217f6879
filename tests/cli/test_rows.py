"""Tables, JSON lines and Parquet row by row: the texts that reading them whole gives."""

import csv
import io
import json
from pathlib import Path

import pyarrow as arrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from bpe.cli import rows
from bpe.cli.input import Refused
from bpe.documents import corpus
from bpe.errors import BPEError

CELL = st.text("ab 中，,;\t\"'\n\r1#", max_size=12)


def streamed(path: Path, column: str | None = None, charset: str = "utf-8") -> list[str]:
    return list(rows.texts(path, charset, column, lambda size: None))


def whole(path: Path, column: str | None = None) -> list[str]:
    return list(corpus.read(path.read_bytes(), path.name, encoding="utf-8", column=column).texts)


def outcome(read, path: Path, column: str | None) -> list[str] | str:
    try:
        return read(path, column)
    except BPEError as error:
        return error.template


@given(
    table=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6),
    heading=st.booleans(),
    suffix=st.sampled_from([".csv", ".tsv"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_a_table(tmp_path_factory, table, heading, suffix, quoting):
    written = io.StringIO()
    writer = csv.writer(written, delimiter="\t" if suffix == ".tsv" else ",", quoting=quoting)
    writer.writerows([("id", "text"), *table] if heading else table)
    path = tmp_path_factory.mktemp("t") / f"t{suffix}"
    path.write_text(written.getvalue(), encoding="utf-8", newline="")
    for column in (None, "text", "#2"):
        assert outcome(streamed, path, column) == outcome(whole, path, column)


def test_tabs_without_quoting(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text('id\ttext\n1\ta "quote\n2\tb\n', encoding="utf-8")
    assert streamed(path) == whole(path) == ['a "quote', "b"]


@given(st.lists(st.one_of(CELL, st.fixed_dictionaries({"title": CELL}, optional={"x": CELL}))))
def test_json_lines(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, values)) + "\n", encoding="utf-8")
    assert outcome(streamed, path, None) == outcome(whole, path, None)


def test_parquet_and_how_far_it_is_read(tmp_path):
    path = tmp_path / "t.parquet"
    cells = ["中文" * 20, None, "", "b"] * 900
    parquet.write_table(arrow.table({"n": range(3600), "body": cells, "a": ["x"] * 3600}), path)
    heard: list[int] = []
    assert list(rows.texts(path, "", None, heard.append)) == whole(path) == ["中文" * 20, "b"] * 900
    assert sum(heard) == path.stat().st_size
    with pytest.raises(BPEError, match="has no column “c”. Choose one of: body, a"):
        streamed(path, "c")


def test_how_far_a_table_is_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text\n" + "一行\n" * 9000, encoding="utf-8")
    heard: list[int] = []
    assert len(list(rows.texts(path, "utf-8", None, heard.append))) == 9000
    assert sum(heard) == path.stat().st_size


def test_another_charset(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text\n" + "一行\n" * 20, encoding="gb18030")
    assert streamed(path, charset="gb18030") == ["一行"] * 20
    with pytest.raises(Refused, match="is not UTF-8"):
        streamed(path)


def test_what_is_broken_is_said_by_its_line(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('"a"\n' * 5000 + "{\n", encoding="utf-8")
    with pytest.raises(BPEError, match="Line 5001 is not JSON"):
        streamed(path)
