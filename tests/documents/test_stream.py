"""The stream of documents: the texts that reading a file whole gives, and what it says of them."""

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow as arrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from bpe.documents import corpus, stream
from bpe.documents.stream import File, Tally
from bpe.errors import BPEError

CELL = st.text("ab 中，,;\t\"'\n\r1#", max_size=12)


def streamed(path: Path, column: str | None = None, **how) -> list[str]:
    documents = stream.documents(File.at(path), column=column, **how)
    return ["".join(document) for document in documents]


def whole(path: Path, column: str | None = None) -> list[str]:
    try:
        read = corpus.read_file(path.read_bytes(), path.name, encoding="utf-8")
        return list(read.document(column).texts)
    except BPEError as error:
        if error.template == "There is no text in “{name}”." or "is empty" in error.template:
            return []
        raise


def outcome(read, path: Path, column: str | None) -> list[str] | str:
    try:
        return read(path, column)
    except BPEError as error:
        return error.values.get("reason", str(error)).replace(f"{path.parent}/", "")


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
    expected = outcome(whole, path, None)
    assert outcome(streamed, path, None) == expected
    other = path.rename(path.with_suffix(".ndjson"))
    assert str(outcome(streamed, other, None)).replace("ndjson", "jsonl") == str(expected)


def test_parquet_and_how_far_it_is_read(tmp_path):
    path = tmp_path / "t.parquet"
    cells = ["中文" * 20, None, "", "b"] * 900
    parquet.write_table(arrow.table({"n": range(3600), "body": cells, "a": ["x"] * 3600}), path)
    heard: list[int] = []
    assert streamed(path, on_read=heard.append) == whole(path) == ["中文" * 20, "b"] * 900
    assert sum(heard) == path.stat().st_size
    with pytest.raises(BPEError, match="has no column “c”. Choose one of: body, a"):
        streamed(path, "c")


def test_how_far_a_table_is_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text\n" + "一行\n" * 9000, encoding="utf-8")
    heard: list[int] = []
    assert len(streamed(path, on_read=heard.append)) == 9000
    assert sum(heard) == path.stat().st_size


def test_another_charset(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text\n" + "一行\n" * 20, encoding="gb18030")
    assert streamed(path, charset="gb18030") == ["一行"] * 20
    with pytest.raises(BPEError, match="no text encoding “rot13”"):
        streamed(path, charset="rot13")
    with pytest.raises(BPEError, match="is not UTF-8"):
        streamed(path)


def test_what_is_broken_is_said_by_its_line(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('"a"\n' * 5000 + "{\n", encoding="utf-8")
    with pytest.raises(BPEError, match="Line 5001 is not JSON"):
        streamed(path)


@pytest.mark.parametrize("suffix", [".txt", ".md", ".py", ".csv", ".tsv", ".jsonl"])
@pytest.mark.parametrize("compression", ["", ".gz", ".zst"])
def test_every_kind_of_text_also_compressed(tmp_path, suffix, compression):
    content = {".csv": "title,text\nx,看路\n", ".tsv": "title\ttext\nx\t看路\n"}.get(suffix, "看路")
    data = ('{"text": "看路"}' if suffix == ".jsonl" else content).encode()
    if compression == ".gz":
        data = gzip.compress(data)
    if compression == ".zst":
        data = arrow.compress(data, codec="zstd", asbytes=True)
    path = tmp_path / f"t{suffix}{compression}"
    path.write_bytes(data)
    assert streamed(path) == ["看路"]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_the_whole_wherever_a_block_ends(tmp_path, monkeypatch, size, ends):
    monkeypatch.setattr(stream, "BLOCK", size)
    path = tmp_path / "t.csv"
    path.write_bytes(ends.join(["id,text", '1,"a', 'b"', "2,汉字", ""]).encode())
    assert streamed(path) == whole(path) == [f"a{ends}b", "汉字"]


class TestWhatIsSaid:
    def test_the_column_that_was_guessed_and_rows_without_text(self, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("title,body\na,one two three\nb,\nc,four five\n", encoding="utf-8")
        tally = Tally()
        assert streamed(path, tally=tally) == ["one two three", "four five"]
        assert tally == Tally(2, 22, 1, {str(path): "body"})
        tally = Tally()
        streamed(path, "title", tally=tally)
        assert tally == Tally(3, 3)

    def test_a_charset_is_guessed_on_demand_only_and_said(self, tmp_path):
        path = tmp_path / "t.txt"
        path.write_bytes("学而时习之，不亦说乎？".encode("gb18030"))
        with pytest.raises(BPEError, match="is not UTF-8: byte 3 does not fit"):
            streamed(path)
        tally = Tally()
        assert streamed(path, charset="guess", tally=tally) == ["学而时习之，不亦说乎？"]
        assert tally.charsets == {str(path): "gb18030"}

    @pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16"])
    def test_a_byte_order_mark_is_no_guess(self, tmp_path, charset):
        path = tmp_path / "t.txt"
        path.write_bytes("看路".encode(charset))
        tally = Tally()
        assert streamed(path, tally=tally) == ["看路"]
        assert not tally.charsets


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.jsonl", '{"a": "x"}\n{"a": 1}\n', "In line 2 the field “a” is not text"),
        ("t.jsonl", '{"a": "x"}\n', "has no column “b”. Choose one of: a"),
        ("t.csv", "a,c\nx,y\n", "has no column “b”. Choose one of: a, c"),
        ("t.csv", 'a,b\n"x,y\n', "is broken: a quotation mark is missing"),
        ("t.txt.gz", "no gzip", "could not be read to its end"),
        ("t.parquet", "no parquet", "broken"),
        ("t.txt", "GIF89a\udcff", "a GIF file, not plain text"),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_file(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(BPEError, match=said) as raised:
        streamed(path, "a" if "“a”" in said else "b" if "“b”" in said else None)
    assert str(path) in str(raised.value)
