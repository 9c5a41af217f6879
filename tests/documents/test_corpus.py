"""Uploaded bytes become the text that their author wrote, or a sentence that says why not."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.documents.charset import ENCODINGS, SUFFIXES, decode
from bpe.documents.corpus import Document, read_file
from bpe.errors import BPEError
from bpe.text.digests import digest

SIMPLIFIED = (
    "今天上午九点，市政府举行了新闻发布会。",
    "这家咖啡馆的拿铁很好喝，就是位置太难找了。",
    "安装之前，请确认内存不少于 8 GB，磁盘留有 20 GB。",
    "甲方应当在合同签订之日起十日内支付首期款项。",
    "春眠不觉晓，处处闻啼鸟；夜来风雨声，花落知多少。",
    "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？",
    "你吃饭了没有？我快饿死了，咱们去吃碗牛肉面吧！",
    "台风“海燕”将于周五夜间登陆，请沿海居民注意防范。",
)
TRADITIONAL = (
    "今天上午九點，市政府舉行了新聞發布會。",
    "這家咖啡館的拿鐵很好喝，就是位置太難找了。",
    "請在安裝之前確認系統記憶體不少於八個吉位元組。",
    "颱風「海燕」將於週五夜間登陸，請沿海居民注意防範。",
    "老闆，來兩碗牛肉麵，一碗不要香菜！",
)
sentences = st.sampled_from(SIMPLIFIED + TRADITIONAL)
texts = st.lists(sentences, min_size=1, max_size=5).map("\n".join)
traditional_texts = st.lists(st.sampled_from(TRADITIONAL), min_size=1, max_size=5).map("\r\n".join)


def read(data: bytes, name: str, *, column: str | None = None, **options: object) -> Document:
    return read_file(data, name, **options).document(column)


@contextmanager
def nothing_but_our_errors() -> Iterator[None]:
    """Let the library refuse, in a sentence that can be formatted."""
    try:
        yield
    except BPEError as error:
        str(error)


@given(texts, st.sampled_from(["utf-8", "gb18030", "utf-16-le", "utf-16-be"]))
def test_chinese_text_is_read_in_the_encoding_it_was_written_in(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.guessed == (encoding != "utf-8")


@given(traditional_texts)
def test_traditional_text_is_read_from_big5(text: str) -> None:
    decoded = decode(text.encode("big5hkscs"))
    assert (decoded.text, decoded.encoding, decoded.guessed) == (text, "big5hkscs", True)


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le", "utf-16-be", "utf-8"])
@pytest.mark.parametrize("sentence", SIMPLIFIED + TRADITIONAL)
def test_eight_characters_are_enough(sentence: str, encoding: str) -> None:
    for start in range(len(sentence) - 7):
        part = sentence[start : start + 8]
        assert decode(part.encode(encoding)).text == part


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1))
def test_valid_utf8_is_never_taken_for_anything_else(text: str) -> None:
    decoded = decode(("我" + text).encode())
    assert (decoded.text, decoded.encoding, decoded.guessed) == ("我" + text, "utf-8", False)


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"\xef\xbb\xbf\xe4\xb8\xad", "中", "utf-8"),
        (b"\xff\xfe\x2d\x4e", "中", "utf-16-le"),
        (b"\xfe\xff\x4e\x2d", "中", "utf-16-be"),
        (b"\xff\xfe\x00\x00\x2d\x4e\x00\x00", "中", "utf-32-le"),
        (b"\x84\x31\x95\x33\xd6\xd0", "中", "gb18030"),
        (b"plain", "plain", "utf-8"),
        (b"one\r\ntwo\r\n", "one\r\ntwo\r\n", "utf-8"),
        (b"a bell \x07 rings in the prose", "a bell \x07 rings in the prose", "utf-8"),
        (b"H\0e\0l\0l\0o\0", "Hello", "utf-16-le"),
        (b"\0H\0e\0l\0l\0o", "Hello", "utf-16-be"),
        (b"\xd1\xa7\xb6\xf8\xca\xb1\xcf\xb0\xd6\xae", "学而时习之", "gb18030"),
        (
            "价格￥３５．８０，编号①②③，㎡".encode("gb18030"),
            "价格￥３５．８０，编号①②③，㎡",
            "gb18030",
        ),
        ("Hello 世界, mostly English".encode("gb18030"), "Hello 世界, mostly English", "gb18030"),
        ("今日はいい天気ですね。".encode("shift_jis"), "今日はいい天気ですね。", "cp932"),
        (
            "Сегодня в Москве прошла встреча.".encode("cp1251"),
            "Сегодня в Москве прошла встреча.",
            "cp1251",
        ),
        *(
            (text.encode(charset), text, charset)
            for text, charset in (
                ("Café déjà vu, naïve façade. Élève à l'école. " * 5, "cp1252"),
                ("It’s a naïve “quote” – the café’s owner said: “Don’t.” " * 5, "cp1252"),
                ("A ação não é fácil: coração, manhã, avô, você. " * 5, "cp1252"),
                ("Wczoraj poszedłem do sklepu, żeby kupić świeże jabłka. " * 5, "cp1250"),
            )
        ),
    ],
)
def test_other_bytes_are_read_as(data: bytes, text: str, encoding: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (text, encoding)


def test_a_wrong_guess_can_be_overridden() -> None:
    korean = "오늘 아침 서울에서 기자회견이 열렸습니다.".encode("euc_kr")
    assert decode(korean).encoding == "gb18030"
    overridden = decode(korean, encoding="EUC-KR")
    assert overridden.text == "오늘 아침 서울에서 기자회견이 열렸습니다."
    assert (overridden.encoding, overridden.guessed) == ("euc_kr", False)


def test_a_byte_order_mark_is_no_text_under_an_override_either() -> None:
    assert decode(b"\xef\xbb\xbfabc", encoding="utf-8").text == "abc"
    assert decode("\ufeff中文".encode("utf-16-le"), encoding="utf-16-le").text == "中文"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_on_offer_can_be_read(encoding: str) -> None:
    assert decode(b"ASCII!" * 2, encoding=encoding).text


@pytest.mark.parametrize("shift", ["", "x"])
def test_a_guess_from_the_beginning_holds_for_a_large_file(shift: str) -> None:
    # More than a block of bytes is decoded, with and without a character across its end.
    text = shift + "a,b,c\n" * 50_000 + "学而时习之，不亦说乎？\n" * 50_000
    assert decode(text.encode("gb18030")).text == text


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        (b"", None, "The file is empty"),
        (b"\xef\xbb\xbf", None, "The file is empty"),
        (b"%PDF-1.7 ...", None, "This is a PDF file, not plain text"),
        (b"PK\x03\x04 ...", None, "This is a ZIP (docx, xlsx, …) file"),
        (b"\x89PNG\r\n\x1a\n", None, "This is a PNG file"),
        (bytes(range(32)) * 9, None, "This file is not text: it is full of control characters."),
        (b"\0" * 64, None, "This file is not text"),
        ("学而时习之，不亦说乎？".encode() * 9 + b"\xe4", None, "UTF-8, but byte 298 is broken"),
        ("abc中文".encode(), "ascii", "This file is not ascii: byte 4 does not fit."),
        (b"abc", "utf-16-le", "This file is not utf-16-le: byte 3 does not fit."),
        (b"abc", "klingon", "There is no text encoding “klingon”. Choose one of: utf-8,"),
        (b"abc", "base64", "There is no text encoding “base64”"),
        (b"aGVsbG8=", "base64", "There is no text encoding “base64”"),
        (b"abc", "rot13", "There is no text encoding “rot13”"),
        (b"abc", "zlib", "There is no text encoding “zlib”"),
        (b"616263", "hex", "There is no text encoding “hex”"),
        (b"abc", "nul\0", "There is no text encoding"),
        (b"a\0b\0c\0", "utf-8", "Read as utf-8, this file is full of control characters."),
    ],
)
def test_unreadable_bytes_are_refused_with_a_reason(
    data: bytes, encoding: str | None, message: str
) -> None:
    with pytest.raises(BPEError) as error:
        decode(data, encoding=encoding)
    assert message in str(error.value)


@given(st.binary(max_size=300), st.sampled_from(SUFFIXES))
def test_no_bytes_raise_anything_but_the_error_of_this_library(data: bytes, suffix: str) -> None:
    with nothing_but_our_errors():
        assert read(data, "x" + suffix).characters > 0


@given(st.text(), st.sampled_from(SUFFIXES))
def test_no_text_raises_anything_but_the_error_of_this_library(text: str, suffix: str) -> None:
    data = text.encode("utf-8", "replace")
    with nothing_but_our_errors():
        names = read_file(data, "x" + suffix).columns
        document = read(data, "x" + suffix)
        assert document.column is None or document.column in names


def test_a_text_file_is_one_text_kept_as_it_is() -> None:
    document = read("第一行\r\n第二行\n".encode("gb18030"), "notes.TXT")
    assert document.texts == ("第一行\r\n第二行\n",)
    assert (document.name, document.encoding, document.guessed) == ("notes.TXT", "gb18030", True)
    assert (document.characters, document.size) == (9, 21)
    assert read_file(b"# heading", "notes.md").columns == ()


@pytest.mark.parametrize(
    ("file", "content", "names", "column", "texts"),
    [
        ("t.csv", "id,text\n1,中文\n2,英文\n", ("id", "text"), None, ("中文", "英文")),
        ("t.csv", "\ufeffid,正文\r\n1,中文\r\n", ("id", "正文"), None, ("中文",)),
        ("t.csv", "id,text\n1,中文\n2,英文\n", ("id", "text"), "id", ("1", "2")),
        ("t.csv", "zh,en\n你好世界,Hello world\n", ("zh", "en"), None, ("Hello world",)),
        ("t.csv", 'id,body\n1,"two\nlines, ""quoted"""\n', ("id", "body"), None, None),
        ("t.csv", ",text\n0,a\n\n1,\n2,b\n", ("#1", "text"), None, ("a", "b")),
        ("t.csv", "id;text\n1;a,b\n", ("id", "text"), None, ("a,b",)),
        ("t.csv", "1,今天很好。\n2,明天更好。\n", ("#1", "#2"), None, ("今天很好。", "明天更好。")),
        ("t.csv", "text\n只有一列\n", ("text",), None, ("只有一列",)),
        ("t.csv", "text,text\na,b\n", ("text", "#2"), "#2", ("b",)),
        ("t.tsv", 'id\ttext\n1\tHe said "hi"\n', ("id", "text"), None, ('He said "hi"',)),
        ("t.tsv", 'id\ttext\n1\t"Yes" he said\n', ("id", "text"), None, ('"Yes" he said',)),
        (
            "t.jsonl",
            '{"id": 1, "text": "中文"}\n\n{"id": 2, "text": null}\n{"id": 3, "text": "b"}\n',
            ("text",),
            None,
            ("中文", "b"),
        ),
        ("t.jsonl", '{"q": "a", "a": "long"}\n{"b": "c"}', ("q", "a", "b"), "b", ("c",)),
        ("t.jsonl", '{"q": "a", "a": "long"}\n', ("q", "a"), None, ("long",)),
        ("t.jsonl", '"one"\n"two\u2028half"\n', (), None, ("one", "two\u2028half")),
        ("t.jsonl", '{"\\ud83d": "abc"}', ("\ufffd",), None, ("abc",)),
        ("t.jsonl", '{"\\ud83d": "abc"}', ("\ufffd",), "\ufffd", ("abc",)),
        ("t.jsonl", '{"text": "half a pair: \\ud83d"}', ("text",), None, ("half a pair: \ufffd",)),
    ],
)
def test_the_texts_of_a_table(
    file: str,
    content: str,
    names: tuple[str, ...],
    column: str | None,
    texts: tuple[str, ...] | None,
) -> None:
    data = content.encode()
    assert read_file(data, file).columns == names
    expected = ('two\nlines, "quoted"',) if texts is None else texts
    assert read(data, file, column=column).texts == expected


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("t.csv", ",".join(f"c{n}" for n in range(1001)) + "\n"),
        ("t.tsv", "\t".join(f"c{n}" for n in range(1001)) + "\n"),
        ("t.jsonl", "".join(f'{{"c{n}": "x"}}\n' for n in range(1001))),
    ],
)
def test_a_table_of_a_thousand_columns_and_more_is_refused(file: str, content: str) -> None:
    with pytest.raises(BPEError, match=r"has 1,001 columns; the limit is 1,000"):
        read(content.encode(), file)


def test_wide_headings_are_read_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpe.documents.tables.MAX_COLUMNS", 40_000)
    names = read_file(",".join(f"c{n}" for n in range(40_000)).encode(), "t.csv").columns
    assert names[-1] == "c39999"


def test_one_reading_gives_the_columns_and_every_document() -> None:
    table = read_file(b"id,text,note\n1,a,b\n2,c,\n", "t.csv")
    assert (table.columns, table.likely_column) == (("id", "text", "note"), "text")
    assert [table.document(name).texts for name in table.columns] == [
        ("1", "2"),
        ("a", "c"),
        ("b",),
    ]
    assert list(table.cells(["note", "id"])) == [(2, ("b", "1")), (3, ("", "2"))]


def test_a_cell_may_be_long() -> None:
    document = read(("text\n" + "长" * 300_000 + "\n").encode(), "t.csv")
    assert document.characters == 300_000


@pytest.mark.parametrize(
    ("file", "content", "column", "message"),
    [
        (
            "t.pptx",
            "x",
            None,
            "“t.pptx” is not a kind of file that can be read here. Use one of: "
            ".txt, .md, .json, .csv, .tsv, .jsonl, .parquet, .pdf, .docx.",
        ),
        ("README", "x", None, "“README” is not a kind of file"),
        ("t.txt", "x", "text", "“t.txt” is plain text and has no columns."),
        ("t.csv", "a,b\n1,2\n", "c", "“t.csv” has no column “c”. Choose one of: a, b."),
        ("t.csv", "a,b\n1,2,3\n", None, "Line 2 has 3 cells where the first line has 2."),
        ("t.csv", 'a,b\n1,"2\n', None, "Line 2 of the table is broken"),
        ("t.csv", "a,b\n", None, "There is no text in “t.csv”."),
        ("t.csv", ",,\n,,\n", None, "There is no text in “t.csv”."),
        ("t.jsonl", '{"a": "b"}\n{"a": ', None, "Line 2 is not JSON."),
        ("t.jsonl", "\n[1]\n", None, "Line 2 holds neither a JSON object nor a string"),
        ("t.jsonl", '{"a": "b"}\n{"a": 1}\n', None, "In line 2 the field “a” is not text."),
        ("t.jsonl", '{"a": "b"}\n', "c", "has no column “c”. Choose one of: a."),
        ("t.jsonl", '{"a": 1}\n', None, "There is no text in “t.jsonl”."),
        ("t.jsonl", "[" * 100_000, None, "Line 1 is not JSON."),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_a_reason(
    file: str, content: str, column: str | None, message: str
) -> None:
    with pytest.raises(BPEError) as error:
        read(content.encode(), file, column=column)
    assert message in str(error.value)


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(BPEError, match=r"“a.txt” has 3\.0 MB; the limit is 2\.0 MB"):
        read(b"x" * (3 << 20), "a.txt", max_bytes=2 << 20)
    assert read(b"xx", "a.txt", max_bytes=2).characters == 2


def test_a_digest_names_the_texts_and_nothing_else() -> None:
    # sha256 of the lengths (8 bytes, big-endian) and the texts, computed by hand with sha256sum
    assert digest(["ab"]) == "9caccc24b5d7e06c"
    assert digest(["ab"]) != digest(["a", "b"]) != digest(["b", "a"])
    utf8, gbk = read("学而时习之".encode(), "a.txt"), read("学而时习之".encode("gbk"), "b.md")
    assert utf8.digest == gbk.digest == digest(["学而时习之"])


def test_several_texts_are_shown_one_below_the_other() -> None:
    assert read(b"text\na\nb\n", "t.csv").text == "a\nb"


@pytest.mark.parametrize(
    ("name", "data", "texts", "notes"),
    [
        (
            "a.jsonl",
            '{"text": "one"}\n{"text": broken}\n{"text": null}\n[1]\n{"text": 5}\n"two"\n',
            ("one", "two"),
            ["Broken rows, left out: 2.", "Line 2 is not", "Rows without text, left out: 2."],
        ),
        (
            "a.csv",
            "id,text\n1,one\n2,two,too many\n3,\n4,four\n",
            ("one", "four"),
            ["Broken rows, left out: 1.", "Line 3 has 3", "Rows without text, left out: 1."],
        ),
        ("a.csv", "id,text\n1,one\n", ("one",), []),
    ],
)  # fmt: skip
def test_broken_rows_are_left_out_and_counted_where_that_is_asked(name, data, texts, notes):
    document = read_file(data.encode(), name, lenient=True).document("text")
    assert document.texts == texts
    assert [
        str(note)[: len(said)] for note, said in zip(document.notes, notes, strict=True)
    ] == notes


def test_a_file_of_broken_rows_alone_is_an_error():
    with pytest.raises(BPEError, match="Line 1 is not JSON"):
        read_file(b"{a}\n{b}\n", "a.jsonl", lenient=True)
