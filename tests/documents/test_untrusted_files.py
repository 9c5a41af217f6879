"""PDF, Word, Parquet and ZIP, made by other libraries; what cannot be read is said, not dropped."""

import io
import zipfile

import docx
import fastparquet
import pandas as pd
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from bpe import sandbox
from bpe.documents import archive, corpus
from bpe.documents.parquet import Parquet
from bpe.errors import BPEError

pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))


def pdf(*pages: list[str], password: str | None = None) -> bytes:
    file = io.BytesIO()
    lock = password and StandardEncryption(password)
    canvas = Canvas(file, encrypt=lock)
    for lines in pages:
        canvas.setFont("STSong-Light", 12)
        for number, line in enumerate(lines):
            canvas.drawString(72, 780 - 20 * number, line)
        canvas.rect(20, 20, 60, 60, fill=1)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def word(*paragraphs: str) -> bytes:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "左", "右"
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def read(data: bytes, kind: str) -> sandbox.Answer:
    return sandbox.unpack(sandbox.run("bpe.documents.office:read", data, kind=kind))


def test_the_text_of_a_pdf_is_read_and_its_empty_pages_are_counted():
    answer = read(pdf(["清早的菜市场最热闹", "Hello"], [], ["第二页"]), "pdf")
    assert answer.texts == ["清早的菜市场最热闹\nHello\n第二页"]
    assert answer.values == {"pages": 3, "pages without text": 1, "unknown characters": 0}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (pdf([], []), "No page of this PDF holds text: its 2 pages are pictures"),
        (pdf(["a"], password="secret"), "locked with a password"),
        (b"%PDF-1.7 and then nothing of the kind", "The PDF is broken"),
        (pdf(["a"])[:400], "The PDF is broken"),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(data, said):
    with pytest.raises(BPEError, match=said):
        read(data, "pdf")


def test_the_text_of_a_word_document_is_read_with_its_tables():
    answer = read(word("第一段\t有制表符", "second <b>&amp;"), "docx")
    assert answer.texts == ["第一段\t有制表符\nsecond <b>&amp;\n左\n右"]


def repacked(data: bytes, **parts: bytes) -> bytes:
    """Return a document with other parts, named like ``word_document``."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", 8) as new:
        for name in old.namelist():
            content = parts.get(name.removesuffix(".xml").replace("/", "_"))
            new.writestr(name, old.read(name) if content is None else content)
    return file.getvalue()


BILLION_LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (lambda: b"PK\x03\x04 and nothing more", "broken or locked"),
        (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 locked", "broken or locked"),
        (lambda: repacked(word("a"), word_document=b"<a><b></a>"), "Word document is broken"),
        (lambda: repacked(word("a"), word_document=BILLION_LAUGHS), "writes no document type"),
        (lambda: repacked(word("a"), word_document=bytes(210_000_000)), "more than 200 MB"),
    ],
    ids=["broken", "locked", "bad XML", "entities", "bomb"],
)
def test_a_word_document_that_cannot_be_read_says_why(data, said):
    with pytest.raises(BPEError, match=said):
        read(data(), "docx")


def parquet(tmp_path, frame: pd.DataFrame) -> bytes:
    path = str(tmp_path / "a.parquet")
    fastparquet.write(path, frame)
    return (tmp_path / "a.parquet").read_bytes()


def test_the_columns_of_text_in_a_parquet_file(tmp_path):
    frame = pd.DataFrame({"id": [1, 2, 3], "t": ["a", "b", "c"], "正文": ["你好", None, "世界"]})
    table = Parquet.from_bytes(parquet(tmp_path, frame))
    assert (table.columns, table.likely, table.height) == (("t", "正文"), "正文", 3)
    assert table.texts("正文") == ["你好", "世界"]
    assert list(table.cells(["t", "正文"])) == [
        (1, ("a", "你好")),
        (2, ("b", "")),
        (3, ("c", "世界")),
    ]


def test_a_few_bytes_of_parquet_cannot_become_gigabytes():
    import pyarrow as arrow
    from pyarrow import parquet

    many = arrow.array([0] * 300_000, arrow.int32())
    column = arrow.DictionaryArray.from_arrays(many, arrow.array(["x" * 1_000_000]))
    file = io.BytesIO()
    parquet.write_table(arrow.table({"text": column}), file)
    assert len(file.getvalue()) < 200_000
    with pytest.raises(BPEError, match="more memory|more than 100 MB"):
        Parquet.from_bytes(file.getvalue()).texts("text")


@pytest.mark.parametrize("data", [b"PAR1", b"PAR1 nothing of the kind PAR1"])
def test_a_broken_parquet_file_says_so(data):
    with pytest.raises(BPEError, match="The Parquet file is broken"):
        Parquet.from_bytes(data)


def packed(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in files.items():
            new.writestr(name, content)
    return file.getvalue()


def test_the_files_of_an_archive_and_those_left_in_it():
    files = {"文/一.txt": b"a", "b.MD": b"bb", "c.png": b"c", "d.zip": b"PK", "__MACOSX/b.MD": b""}
    unpacked = archive.unpack(packed({**files, "e/": b""}), (".txt", ".md"))
    assert unpacked.files == (("文/一.txt", b"a"), ("b.MD", b"bb"))
    assert unpacked.others == ("c.png", "d.zip")
    assert unpacked.locked == ()


def test_an_archive_asks_for_memory_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr("bpe.limits.available_memory", lambda: 30 << 20)
    small = packed({"a.txt": b"a" * (10 << 20), "b.txt": b"b"})
    assert len(archive.unpack(small, (".txt",)).files) == 2
    with pytest.raises(BPEError, match="needs some 40 MB"):
        archive.unpack(packed({"a.txt": b"a" * (20 << 20), "b.txt": b"b"}), (".txt",))


def test_a_locked_file_in_an_archive_is_left_out_and_named():
    data = bytearray(packed({"a.txt": b"a", "b.txt": b"b"}))
    for at in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        data[at] |= 1  # "encrypted"
    unpacked = archive.unpack(bytes(data), (".txt",))
    assert unpacked.locked == ("a.txt",)
    assert unpacked.files == (("b.txt", b"b"),)


def test_names_that_windows_wrote_in_gbk_are_read():
    data = packed({"AABB.txt": b"a"})
    assert archive.unpack(data.replace(b"AABB", "灯笼".encode("gbk")), (".txt",)).files == (
        ("灯笼.txt", b"a"),
    )


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04 and nothing more", "broken"),
        (packed({"a.txt": b"abc" * 100})[:60], "broken"),
        (packed({"a.txt": b" " * 110_000_000}), "unpacks to more than 100 MB"),
        (packed({f"{n}.txt": b"" for n in range(1001)}), "1,001 files; the limit is 1,000"),
    ],
    ids=["no archive", "cut off", "bomb", "many files"],
)
def test_an_archive_that_cannot_be_read_says_why(data, said):
    with pytest.raises(BPEError, match=said):
        archive.unpack(data, (".txt",))


def test_pdf_word_and_parquet_are_documents_too():
    assert corpus.read_file(word("第一段"), "a.docx").document().texts == ("第一段\n左\n右",)
    document = corpus.read_file(pdf(["Hello"], []), "a.PDF").document()
    assert (document.texts, document.encoding) == (("Hello",), "PDF")
    assert str(document.notes[0]) == "Pages without text, left out: 1 of 2. They may be pictures."


def test_the_column_of_a_parquet_file_is_chosen_as_that_of_other_tables(tmp_path):
    data = parquet(tmp_path, pd.DataFrame({"title": ["long title"], "text": ["one"]}))
    source = corpus.read_file(data, "a.parquet")
    assert (source.columns, source.likely_column) == (("title", "text"), "text")
    assert source.document("title").texts == ("long title",)
