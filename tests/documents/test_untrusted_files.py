"""PDF, Word, Parquet and ZIP, made by other libraries; what cannot be read is said, not dropped."""

import io
import zipfile
from pathlib import Path

import docx
import fastparquet
import pandas as pd
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from bpe.documents import untrusted
from bpe.documents.reader import Document, File, rows, whole
from bpe.documents.tables import GUESS, Choice, Notes
from bpe.errors import BPEError
from tests.support.archives import packed

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


def read(data: bytes, kind: str, *columns: str, **how) -> Document:
    return whole(data, f"a.{kind}", Choice(columns, charset=GUESS, **how))


def test_the_text_of_a_pdf_is_read_and_its_empty_pages_are_counted():
    document = read(pdf(["清早的菜市场最热闹", "Hello"], [], ["第二页"]), "PDF")
    assert document.texts == ("清早的菜市场最热闹\nHello\n第二页",)
    (note,) = document.notes.left_out
    assert str(note) == "Pages without text, left out: 1 of 3. They may be pictures."
    assert document.notes.charset == "PDF"


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
    document = read(word("第一段\t有制表符", "second <b>&amp;"), "docx")
    assert document.texts == ("第一段\t有制表符\nsecond <b>&amp;\n左\n右",)


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
        (lambda: repacked(word("a"), word_document=b"<a>" * 9_999 + b"</a>" * 9_999), "broken"),
        (lambda: repacked(word("a"), word_document=BILLION_LAUGHS), "writes no document type"),
        (lambda: repacked(word("a"), word_document=bytes(210_000_000)), "more than 200 MB"),
    ],
    ids=["broken", "locked", "bad XML", "deep", "entities", "bomb"],
)
def test_a_word_document_that_cannot_be_read_says_why(data, said):
    with pytest.raises(BPEError, match=said):
        read(data(), "docx")


def test_the_columns_of_text_in_a_parquet_file(tmp_path):
    frame = pd.DataFrame({"id": [1, 2, 3], "t": ["a", "b", "c"], "正文": ["你好", None, "世界"]})
    fastparquet.write(str(tmp_path / "a.parquet"), frame)
    data = (tmp_path / "a.parquet").read_bytes()
    document = read(data, "parquet")
    assert (document.texts, document.notes.columns) == (("你好", "世界"), ("正文",))
    assert (document.notes.choices, document.notes.unread) == (("t", "正文"), ("id", "t"))
    every = rows(File.of(data, "a.parquet"), Choice(every_column=True), Notes())
    assert list(every) == [(1, (["a"], ["你好"])), (2, (["b"], [])), (3, (["c"], ["世界"]))]


def test_a_few_bytes_of_parquet_cannot_become_gigabytes():
    import pyarrow as arrow
    from pyarrow import parquet

    many = arrow.array([0] * 300_000, arrow.int32())
    column = arrow.DictionaryArray.from_arrays(many, arrow.array(["x" * 1_000_000]))
    file = io.BytesIO()
    parquet.write_table(arrow.table({"text": column}), file)
    assert len(file.getvalue()) < 200_000
    with pytest.raises(BPEError, match="more memory|more than 100 MB"):
        read(file.getvalue(), "parquet")


@pytest.mark.parametrize("data", [b"PAR1", b"PAR1 nothing of the kind PAR1"])
def test_a_broken_parquet_file_says_so(data):
    with pytest.raises(BPEError, match="The Parquet file is broken"):
        read(data, "parquet")


def test_the_files_of_an_archive_and_those_left_in_it():
    files = {"文/一.txt": b"a", "b.MD": b"bb", "c.png": b"c", "d.zip": b"PK", "__MACOSX/b.MD": b""}
    members, notes = untrusted.unpack(packed({**files, "e/": b""}), (".txt", ".md"))
    assert members == [("文/一.txt", b"a"), ("b.MD", b"bb")]
    assert list(map(str, notes)) == ["Files of other kinds, left out: 2 (c.png, d.zip)."]


def test_an_archive_asks_for_memory_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr("bpe.limits.available_memory", lambda: 30 << 20)
    small = packed({"a.txt": b"a" * (10 << 20), "b.txt": b"b"})
    assert len(untrusted.unpack(small, (".txt",))[0]) == 2
    with pytest.raises(BPEError, match="needs some 40 MB"):
        untrusted.unpack(packed({"a.txt": b"a" * (20 << 20), "b.txt": b"b"}), (".txt",))


def test_an_archive_of_far_too_many_files_is_not_even_listed(monkeypatch):
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("opened"))
    with pytest.raises(BPEError, match=r"has 60,000 files; the limit is 1,000"):
        untrusted.unpack(60_000 * untrusted.ENTRY, (".txt",))


def test_a_locked_file_in_an_archive_is_left_out_and_named():
    data = bytearray(packed({"a.txt": b"a", "b.txt": b"b"}))
    for at in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        data[at] |= 1  # "encrypted"
    members, notes = untrusted.unpack(bytes(data), (".txt",))
    assert list(map(str, notes)) == ["Files locked with a password, left out: 1 (a.txt)."]
    assert members == [("b.txt", b"b")]


def test_names_that_windows_wrote_in_gbk_are_read():
    data = packed({"AABB.txt": b"a"})
    assert untrusted.unpack(data.replace(b"AABB", "灯笼".encode("gbk")), (".txt",))[0] == [
        ("灯笼.txt", b"a")
    ]


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
        untrusted.unpack(data, (".txt",))


SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def xlsx(hidden: tuple[str, ...] = (), **sheets: list[list[object]] | str) -> bytes:
    """Return a workbook; a cell that begins with “<” is XML, and a sheet that is text, too."""
    workbook, relations, parts = "", "", {}
    for number, (name, cells) in enumerate(sheets.items(), start=1):
        state = ' state="hidden"' if name in hidden else ""
        workbook += f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"{state}/>'
        relations += f'<Relationship Id="r{number}" Type="{OFFICE}/worksheet" Target="s{number}"/>'
        xml = cells if isinstance(cells, str) else "".join(map(row, cells))
        parts[f"xl/s{number}"] = (
            f'<worksheet xmlns="{SHEET}"><sheetData>{xml}</sheetData></worksheet>'
        )
    parts["[Content_Types].xml"] = f'<Types xmlns="{PACKAGE}/content-types"/>'
    head = f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>{workbook}</sheets></workbook>'
    parts["xl/workbook.xml"] = head
    for name, inner in (
        (
            "_rels/.rels",
            f'<Relationship Id="r" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>',
        ),
        ("xl/_rels/workbook.xml.rels", relations),
    ):
        parts[name] = f'<Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'
    return packed({name: content.encode() for name, content in parts.items()})


def row(cells: list[object]) -> str:
    def written(cell: object) -> str:
        match cell:
            case bool():
                return f'<c t="b"><v>{int(cell)}</v></c>'
            case int() | float():
                return f"<c><v>{cell}</v></c>"
            case None:
                return "<c/>"
        return (
            str(cell)
            if str(cell).startswith("<")
            else f'<c t="inlineStr"><is><t>{cell}</t></is></c>'
        )

    return f"<row>{''.join(map(written, cells))}</row>"


BOOK = xlsx(
    hidden=("secret",),
    empty=[],
    secret=[["text"], ["hidden"]],
    first=[
        ["id", "问题", "ok", "回答"],
        [1, "河水为什么清？", True, 42.0],
        [2, '<c t="str"><f>A1</f><v>记得的值</v></c>', False, '<c t="e"><v>#N/A</v></c>'],
        [3.5, None, None, "没有泥沙"],
        [],
        [4, "不确定", True, "够长的一句话，所以是它"],
    ],
    second=[["只有一行字"], ["另一行"]],
)


def test_a_sheet_of_a_workbook_is_a_table():
    document = read(BOOK, "xlsx")
    notes = document.notes
    assert document.texts == ("42", "没有泥沙", "够长的一句话，所以是它")
    assert (notes.columns, notes.unread, notes.header) == (("回答",), ("id", "问题", "ok"), True)
    assert (notes.sheet, notes.sheets) == ("first", ("empty", "secret", "first", "second"))
    assert notes.all_unread[3:] == ["sheet empty", "sheet secret", "sheet second"]
    assert notes.rows_without_text == 1
    both = read(BOOK, "xlsx", "id", "问题", "ok").texts
    assert both[:5] == ("1", "河水为什么清？", "TRUE", "2", "记得的值")
    assert both[6:] == ("3.5", "4", "不确定", "TRUE")
    assert read(BOOK, "xlsx", sheet="second").texts == ("只有一行字", "另一行")
    assert read(BOOK, "xlsx", sheet="secret").texts == ("hidden",)
    assert read(BOOK, "xlsx", sheet="second", header=True).texts == ("另一行",)


OPEN = "urn:oasis:names:tc:opendocument:xmlns"
CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
ODS = (
    f'<office:document-content xmlns:office="{OPEN}:office:1.0" xmlns:table="{OPEN}:table:1.0"'
    f' xmlns:text="{OPEN}:text:1.0"><office:body><office:spreadsheet><table:table table:name="甲">'
    f"<table:table-row>{CELL.format('id')}{CELL.format('text')}</table:table-row>"
    '<table:table-row table:number-rows-repeated="2">'
    '<table:table-cell office:value-type="float" office:value="1"/>'
    f"{CELL.format('你好')}</table:table-row>"
    "</table:table></office:spreadsheet></office:body></office:document-content>"
)
MANIFEST = f'<manifest:manifest xmlns:manifest="{OPEN}:manifest:1.0"></manifest:manifest>'


def test_workbooks_of_old_excel_and_of_opendocument():
    # Written by xlwt 1.3: a sheet with id, text and two rows, and an empty one.
    old = whole((Path(__file__).parent / "data" / "old.xls").read_bytes(), "a.xls")
    assert (old.texts, old.notes.unread) == (("你好", "再见"), ("id",))
    assert (old.notes.sheet, old.notes.sheets) == ("甲", ("甲", "乙"))
    mimetype = b"application/vnd.oasis.opendocument.spreadsheet"
    files = {"mimetype": mimetype, "content.xml": ODS.encode()}
    ods = whole(packed({**files, "META-INF/manifest.xml": MANIFEST.encode()}), "a.ods")
    assert (ods.texts, ods.notes.columns) == (("你好", "你好"), ("text",))
    assert ods.notes.charset == "OpenDocument"


@pytest.mark.parametrize(
    ("data", "how", "message"),
    [
        (BOOK, {"sheet": "third"}, "no sheet “third”. Choose one of: empty, secret, first"),
        (BOOK, {"sheet": "empty"}, "There is no text in “a.xlsx”"),
        (BOOK, {"columns": ("c",)}, "has no column “c”. Choose one of: id, 问题, ok, 回答."),
        (xlsx(a=[], b=[]), {}, "There is no text in “a.xlsx”: its sheets are empty."),
        (xlsx(a=[["id", "price"], [1, 2.5]]), {}, "no column of text, only: id, price."),
        (b"PK\x03\x04 and nothing more", {}, "broken, locked with a password or no workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), {}, "broken, locked with a password"),
        (BOOK[:700], {}, "broken"),
        (xlsx(a='<row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c></row>'
                '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'),
         {}, "memory"),
        (xlsx(a=row(["x" * 30_000]) * 5_000), {}, "more than 100 MB together|memory"),
    ],
    ids=["sheet", "empty", "column", "all empty", "numbers", "no zip", "locked", "cut",
         "far apart", "bomb"],
)  # fmt: skip
def test_a_workbook_that_cannot_be_read_says_why(data, how, message):
    with pytest.raises(BPEError, match=message):
        whole(data, "a.xlsx", Choice(charset=GUESS, **how))
