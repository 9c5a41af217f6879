"""The reader: what is uploaded and what a stream reads are the same texts, and what is unread."""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as arrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from bpe.documents import reader
from bpe.documents.charset import SUFFIXES
from bpe.documents.reader import File, whole
from bpe.documents.tables import GUESS, Choice, Notes
from bpe.errors import BPEError
from bpe.text.digests import digest

ROOT = Path(__file__).parents[2]
CELL = st.text("ab 中，,;\t\"'\n\r1#", max_size=12)
ROW = re.compile(r"\| `([^`]+)` \| `([^|]+)` \| (.*?) \| (.*?) \| (.*?) \|")
"""Of the table in docs/corpora.md: file and options, content, texts, columns, what is unread."""


def streamed(path: Path, *columns: str, notes: Notes | None = None, **how) -> list[str]:
    documents = reader.read(File.at(path), Choice(columns, **how), notes)
    return ["".join(document) for document in documents]


def uploaded(path: Path, *columns: str, notes: Notes | None = None, **how) -> list[str]:
    how = {"charset": "utf-8", **how}
    try:
        choice = Choice(columns, **how)
        return list(whole(path.read_bytes(), path.name, choice, notes=notes).texts)
    except BPEError as error:
        if error.template == "There is no text in “{name}”." or "is empty" in str(error):
            return []
        raise


def outcome(read, path: Path, *columns: str, **how) -> list[str] | str:
    try:
        return read(path, *columns, **how)
    except BPEError as error:
        return str(error.values.get("reason", error)).replace(f"{path.parent}/", "")


def documented() -> Iterator[tuple[str, str, list[str], list[str], list[str]]]:
    for line in (ROOT / "docs" / "corpora.md").read_text("utf-8").splitlines():
        if row := ROW.fullmatch(line):
            named, content, *lists = row.groups()
            yield named, content, *(re.findall("`([^`]+)`", each) for each in lists)


@pytest.mark.parametrize("row", list(documented()), ids=lambda row: f"{row[0]} {row[1]}")
def test_each_row_of_the_table_of_shapes_is_true(tmp_path, row):
    named, content, texts, columns, unread = row
    name, *options = named.split(" --")
    chosen = [option.removeprefix("column ") for option in options if option.startswith("column ")]
    headings = [option == "header" for option in options if option.endswith("header")]
    path = tmp_path / name
    data = content.replace("↵", "\n").replace("→", "\t").encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    for read in (streamed, uploaded):
        notes = Notes()
        got = read(path, *chosen, notes=notes, header=headings[0] if headings else None)
        assert [text.replace("\n", "↵") for text in got] == texts
        assert (list(notes.columns), list(notes.unread)) == (columns, unread)


@given(
    table=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6),
    heading=st.booleans(),
    suffix=st.sampled_from([".csv", ".tsv"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_no_cell_of_a_table_is_lost(tmp_path_factory, table, heading, suffix, quoting):
    written = io.StringIO()
    writer = csv.writer(written, delimiter="\t" if suffix == ".tsv" else ",", quoting=quoting)
    writer.writerows([("id", "text"), *table] if heading else table)
    path = tmp_path_factory.mktemp("t") / f"t{suffix}"
    path.write_text(written.getvalue(), encoding="utf-8", newline="")
    for columns in ((), ("text",), ("#2",)):
        expected = outcome(uploaded, path, *columns)
        assert outcome(streamed, path, *columns) == expected
    if quoting == csv.QUOTE_ALL and suffix == ".tsv":
        columns = ("id", "text") if heading else ("#1", "#2")
        rows = streamed(path, *columns, header=heading) if any(map(any, table)) else []
        assert rows == [cell for row in table for cell in row if cell]


@given(st.lists(st.one_of(CELL, st.fixed_dictionaries({"title": CELL}, optional={"x": CELL}))))
def test_json_lines_and_an_array_of_the_same(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, values)) + "\n", encoding="utf-8")
    expected = outcome(uploaded, path)
    assert outcome(streamed, path) == expected
    for name, content in (
        ("t.ndjson", path.read_text("utf-8")),
        ("t.json", json.dumps(values, indent=1)),
        ("t.json", path.read_text("utf-8") if len(values) > 1 else None),
    ):
        if content is not None and (values or name != "t.json"):
            other = path.with_name(name)
            other.write_text(content, encoding="utf-8")
            for read in (uploaded, streamed):
                assert str(outcome(read, other)).replace(name, "t.jsonl") == str(expected)


def test_parquet_and_how_far_it_is_read(tmp_path):
    path = tmp_path / "t.parquet"
    cells = ["中文" * 20, None, "", "b"] * 900
    chats = [[{"role": "user", "content": "好"}]] * 3600
    columns = {"n": range(3600), "body": cells, "a": ["x"] * 3600, "messages": chats}
    parquet.write_table(arrow.table(columns), path)
    heard: list[int] = []
    documents = list(reader.read(File.at(path), Choice(("body",)), on_read=heard.append))
    assert [text for (text,) in documents] == ["中文" * 20, "b"] * 900
    assert sum(heard) == path.stat().st_size
    for read in (streamed, uploaded):
        notes = Notes()
        assert read(path, "messages", "a", notes=notes) == ["好", "x"] * 3600
        assert notes.unread == ("n", "body", "messages.role")
        with pytest.raises(BPEError, match="no column “c”. Choose one of: body, a, messages"):
            read(path, "c")


def test_how_far_a_table_is_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text\n" + "一行\n" * 9000, encoding="utf-8")
    heard: list[int] = []
    assert len(list(reader.read(File.at(path), on_read=heard.append))) == 9000
    assert sum(heard) == path.stat().st_size


def test_another_charset(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("text\n" + "一行\n" * 20, encoding="gb18030")
    for read in (streamed, uploaded):
        assert read(path, charset="gb18030") == ["一行"] * 20
        with pytest.raises(BPEError, match="no text encoding “rot13”"):
            read(path, charset="rot13")
        with pytest.raises(BPEError, match="is not (UTF|utf)-8"):
            read(path)
        notes = Notes()
        read(path, charset=GUESS, notes=notes)
        assert (notes.charset, notes.charset_guessed) == ("gb18030", True)


@pytest.mark.parametrize("suffix", [".txt", ".md", ".py", ".csv", ".tsv", ".jsonl", ".json"])
@pytest.mark.parametrize("compression", ["", ".gz", ".zst"])
def test_every_kind_of_text_also_compressed(tmp_path, suffix, compression):
    content = {".csv": "title,text\nx,看路\n", ".tsv": "title\ttext\nx\t看路\n"}.get(suffix, "看路")
    content = {".jsonl": '{"text": "看路"}', ".json": '[{"text": "看路"}]'}.get(suffix, content)
    data = content.encode()
    if compression == ".gz":
        data = gzip.compress(data[:4]) + gzip.compress(data[4:])
    if compression == ".zst":
        data = arrow.compress(data, codec="zstd", asbytes=True)
    path = tmp_path / f"t{suffix}{compression}"
    path.write_bytes(data)
    assert streamed(path) == ["看路"]
    if suffix != ".py":
        assert uploaded(path) == ["看路"]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_the_whole_wherever_a_block_ends(tmp_path, monkeypatch, size, ends):
    monkeypatch.setattr(reader, "BLOCK", size)
    path = tmp_path / "t.csv"
    path.write_bytes(ends.join(["id,text", '1,"a', 'b"', "2,汉字", ""]).encode())
    assert streamed(path) == uploaded(path) == [f"a{ends}b", "汉字"]


WRONG = [
    ("t.csv", "a,b\n1,2\n", "c", "“t.csv” has no column “c”. Choose one of: a, b."),
    ("t.csv", "a,b\nc,2,3\n", None, "Line 2 has 3 cells where the first line has 2."),
    ("t.csv", 'a,b\n1,"2\n', None, "Line 2 of the table is broken: a quotation mark"),
    ("t.csv", "id,price\n1,20\n2,1e3\n", None, "no text in “t.csv”. It has no column of text"),
    ("t.csv", "a,ready\nTRUE,2024-01-02\nfalse,nan\n", None, "no column of text, only: a, ready"),
    ("t.jsonl", '{"a": "b"}\n{"a": ', None, "Line 2 is not JSON."),
    ("t.jsonl", '"a"\n' * 5000 + "{\n", None, "Line 5001 is not JSON"),
    ("t.jsonl", "\n[1]\n", None, "Row 2 is neither a JSON object nor a string, but a list"),
    ("t.jsonl", '{"a": "b"}\n{"a": 1}\n', None, "In row 2 the field “a” is not text."),
    ("t.jsonl", '{"a": "b"}\n', "c", "has no column “c”. Choose one of: a."),
    ("t.jsonl", '"b"\n', "c", "“t.jsonl” has no column “c”. Choose one of: –."),
    ("t.jsonl", '{"a": 1, "m": {"text": "x"}}\n', None, "It has no column of text, only: a, m."),
    ("t.jsonl", "[" * 100_000, None, "Line 1 is not JSON."),
    ("t.json", '[{"a": "b"}, {"a": 1}]', None, "In row 2 the field “a” is not text."),
    ("t.json", '[{"a": "b"}, 3]', None, "Row 2 is neither a JSON object nor a string, but a int"),
    ("t.json", '[{"a": "b"}]', "c", "“t.json” has no column “c”. Choose one of: a."),
    ("t.json", '{"a": {"b": "c"}}', "c", "“t.json” has no column “c”. Choose one of: a."),
    ("t.json", "{broken", "c", "“t.json” has no column “c”. Choose one of: –."),
    ("t.txt", "x", "c", "“t.txt” has no column “c”."),
    ("t.md", "x", "c", "“t.md” has no column “c”."),
    ("t.txt.gz", "no gzip", None, "could not be read to its end"),
    ("t.parquet", "no parquet", None, "The Parquet file is broken"),
    ("t.txt", "GIF89a\udcff", None, "This is a GIF file, not plain text"),
]


@pytest.mark.parametrize(("name", "content", "column", "message"), WRONG)
def test_what_cannot_be_read_is_said_with_the_name_and_the_place(
    tmp_path, name, content, column, message
):
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    for read in (streamed, uploaded):
        with pytest.raises(BPEError) as raised:
            read(path, *([column] if column else []))
        text = str(raised.value).replace(f"{path.parent}/", "")
        assert message in text
        assert name in text or read is uploaded


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.pptx", b"x", "“t.pptx” is not a kind of file that can be read here. Use one of: .txt,"),
        ("README", b"x", "“README” is not a kind of file"),
        ("a.tar.gz", b"x", "“a.tar.gz” is not a kind of file"),
        ("t.csv", b"id,text\n", "There is no text in “t.csv”."),
        ("t.csv", b",,\n,,\n", "There is no text in “t.csv”."),
        ("t.txt", b"x" * (3 << 20), "“t.txt” has 3.0 MB; the limit is 2.0 MB"),
        ("t.txt.gz", gzip.compress(bytes(101 << 20)), "“t.txt.gz” unpacks to more than 100 MB"),
    ],
)
def test_an_upload_that_cannot_be_used_is_refused(name, content, message):
    with pytest.raises(BPEError) as raised:
        whole(content, name, max_bytes=2 << 20)
    assert message in str(raised.value)


def test_json_that_is_no_table_is_a_text_and_said_to_be(tmp_path):
    path = tmp_path / "t.json"
    for content in ('{"a": {"b": "c"}}', "[1, 2]", '{"a": "b", '):
        path.write_text(content)
        for read in (streamed, uploaded):
            notes = Notes()
            assert read(path, notes=notes) == [content]
            assert "read as plain text, brackets and all" in str(notes.remarks[0])
    path.write_text('{"hug": 10, "pug": 5}')  # words with their counts
    assert streamed(path, notes=(notes := Notes())) == [path.read_text()]
    assert not notes.remarks


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
def test_a_table_of_a_thousand_columns_and_more_is_refused(tmp_path, suffix):
    sign = {"csv": ",", "tsv": "\t"}.get(suffix)
    path = tmp_path / f"t.{suffix}"
    names = [f"c{n}" for n in range(1001)]
    path.write_text(sign.join(names) if sign else json.dumps(dict.fromkeys(names, "x")))
    for read in (streamed, uploaded):
        with pytest.raises(BPEError, match=r"has 1,001 columns; the limit is 1,000"):
            read(path)


def test_a_cell_may_be_long():
    assert whole(("text\n" + "长" * 300_000 + "\n").encode(), "t.csv").characters == 300_000


def test_a_digest_names_the_texts_and_nothing_else():
    # sha256 of the lengths (8 bytes, big-endian) and the texts, computed by hand with sha256sum
    assert digest(["ab"]) == "9caccc24b5d7e06c"
    assert digest(["ab"]) != digest(["a", "b"]) != digest(["b", "a"])
    utf8, gbk = whole("学而时习之".encode(), "a.txt"), whole("学而时习之".encode("gbk"), "b.md")
    assert utf8.digest == gbk.digest == digest(["学而时习之"])
    assert (whole(b"text\na\nb\n", "t.csv").text, utf8.characters, utf8.size) == ("a\nb", 5, 15)


@pytest.mark.parametrize(
    ("name", "data", "texts", "left_out"),
    [
        (
            "a.jsonl",
            '{"text": "one"}\n{"text": broken}\n{"text": null}\n[1]\n{"text": 5}\n"two"\n',
            ["one", "two"],
            ["Broken rows, left out: 2.", "Line 2 is not", "Rows without text, left out: 2."],
        ),
        (
            "a.csv",
            "id,text\n1,one\n2,two,too many\n3,\n4,four\n",
            ["one", "four"],
            ["Broken rows, left out: 1.", "Line 3 has 3", "Rows without text, left out: 1."],
        ),
        ("a.json", '[{"text": "one"}, 3]', ["one"], ["Broken rows, left out: 1.", "Row 2 is"]),
        ("a.csv", "id,text\n1,one\n", ["one"], []),
    ],
)  # fmt: skip
def test_broken_rows_are_left_out_and_counted_where_that_is_asked(
    tmp_path, name, data, texts, left_out
):
    (tmp_path / name).write_text(data)
    for read in (streamed, uploaded):
        notes = Notes()
        assert read(tmp_path / name, "text", notes=notes, lenient=True) == texts
        sentences = zip(notes.left_out, left_out, strict=True)
        assert all(str(note).startswith(sentence) for note, sentence in sentences)
    (tmp_path / "b.jsonl").write_text("{a}\n{b}\n")
    with pytest.raises(BPEError, match="Line 1 is not JSON"):
        uploaded(tmp_path / "b.jsonl", lenient=True)


@contextmanager
def nothing_but_our_errors() -> Iterator[None]:
    """Let the library refuse, in a sentence that can be formatted."""
    try:
        yield
    except BPEError as error:
        str(error)


@given(st.one_of(st.binary(max_size=300), st.text().map(str.encode)), st.sampled_from(SUFFIXES))
def test_no_bytes_raise_anything_but_the_error_of_this_library(data, suffix):
    with nothing_but_our_errors():
        document = whole(data, "x" + suffix)
        assert document.characters > 0
        assert set(document.notes.columns) <= set(document.notes.choices)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "content", "value", "role", "messages"]), inner)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from([(), ("text",), ("messages", "text")]))
def test_of_any_json_no_text_is_read_that_is_not_in_it(tmp_path_factory, value, columns):
    path = tmp_path_factory.mktemp("t") / "t.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    with nothing_but_our_errors():
        for text in streamed(path, *columns):
            assert text in (path.read_text(), "\ufffd") or json.dumps(text) in path.read_text()
