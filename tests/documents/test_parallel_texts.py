"""A reader's own pairs: aligned, or said where they are not."""

import pytest

from bpe.documents import parallel_texts
from bpe.documents.parallel_texts import from_texts, read_table
from bpe.errors import BPEError
from tests.support.archives import packed

PAIRS = (("你好", "Hello"), ("再见", "Goodbye"))


@pytest.mark.parametrize(
    ("zh", "en"),
    [
        ("你好\n再见", "Hello\nGoodbye"),
        ("你好\r\n再见\r\n", "Hello\nGoodbye\n\n"),
        ("你好\n\n再见", "Hello\n \nGoodbye"),
        ("  你好\r再见 ", "Hello\t\nGoodbye"),
    ],
)
def test_two_texts_are_paired_line_by_line(zh, en):
    assert from_texts(zh, en) == PAIRS
    assert from_texts("一\u2028二", "one\u2028two") == (("一\u2028二", "one\u2028two"),)
    assert from_texts("一\ud83d", "one") == (("一\ufffd", "one"),)


@pytest.mark.parametrize(
    ("zh", "en", "message"),
    [
        ("一\n二\n三", "one\ntwo", "Chinese: 3, in English: 2.*line 3 is the first"),
        ("一", "one\ntwo\nthree", "Chinese: 1, in English: 3.*line 2 is the first"),
        ("一\n\n三", "one\ntwo\nthree", "Line 2 is empty in one text.*Chinese: 3, in English: 3"),
        ("", "one", "Chinese: 0, in English: 1"),
        (" \n", "\n", "no sentence pairs"),
    ],
)
def test_texts_that_are_not_aligned_say_where(zh, en, message):
    with pytest.raises(BPEError, match=message):
        from_texts(zh, en)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("zh,en\n你好,Hello\n再见,Goodbye\n", "a.csv"),
        ("id,English,中文\n1,Hello,你好\n2,Goodbye,再见\n", "a.csv"),
        ("你好！\tHello.\n", "a.tsv"),
        ('en;zh\n"Hello";你好\nGoodbye;再见\n', "a.csv"),
        ('{"zh": "你好", "en": "Hello"}\n{"en": "Goodbye", "zh": "再见"}\n', "a.jsonl"),
    ],
)
def test_a_table_has_two_columns_in_any_order(content, name):
    expected = PAIRS if "再见" in content else (("你好！", "Hello."),)
    assert read_table(content.encode(), name).pairs() == expected


def test_columns_without_a_known_name_are_the_first_two():
    table = read_table(b"src,tgt,note\na,b,c\n", "a.csv")
    assert (table.columns, table.zh, table.en) == (("src", "tgt", "note"), "src", "tgt")
    table = read_table(b"note,en,x\na,b,c\n", "a.csv")
    assert (table.zh, table.en) == ("note", "en")


def test_a_cell_is_what_the_file_says():
    assert read_table("zh,en\n 你好 ,Hello\n , \n".encode(), "a.csv").pairs() == (
        (" 你好 ", "Hello"),
    )


def test_columns_can_be_chosen():
    content = "a,b,c\n1,Hello,你好\n2,Goodbye,再见\n".encode()
    assert read_table(content, "t.csv").pairs("c", "b") == PAIRS
    with pytest.raises(BPEError, match="no column “d”"):
        read_table(content, "t.csv").pairs("d")


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("zh\n你好\n", "a.csv", "needs two columns"),
        ("zh,en\n你好,Hello\n再见,\n", "a.csv", "Row 3 of “a.csv” has one"),
        ("zh\ten\n你好\n", "a.tsv", "Row 2 of “a.tsv” has one"),
        ("zh,en\n", "a.csv", "no sentence pairs"),
        ('{"zh": "你好", "en": "Hello"}\n\n{"zh": "再见"}\n', "a.jsonl", "Row 3 of “a.jsonl”"),
        ('{"zh": "你好", "en": "a"}\n{"zh": "再见", "en": 1}\n', "a.jsonl", "row 2 .* not text"),
        ("zh,en\n", "a.txt", "is not a table"),
        ("zh,en\n", "a.exe", "is not a table"),
    ],
)
def test_a_table_that_is_not_aligned_says_where(content, name, message):
    with pytest.raises(BPEError, match=message):
        read_table(content.encode(), name).pairs()


def test_there_is_a_limit(monkeypatch):
    monkeypatch.setattr(parallel_texts, "MAX_BYTES", 2**20)
    with pytest.raises(BPEError, match="have 2.0 MB; the limit for comparing is 1.0 MB"):
        from_texts("一" * 2**21, "a")
    with pytest.raises(BPEError, match="limit"):
        from_texts("一" * 2**19, "a")
    table = b"zh,en\n" + b"a" * 2**21 + b",b\n"
    with pytest.raises(BPEError, match="limit"):
        read_table(table, "a.csv").pairs()


def test_a_file_for_each_language_is_a_column_and_folders_follow_one_another():
    first = {"dev/eng.dev": b"Hello\n", "dev/zho.dev": "你好\n".encode()}
    second = {"test/eng.devtest": b"Goodbye\n", "test/zho.devtest": "再见\n".encode()}
    assert read_table(packed({**first, **second}), "flores.zip").pairs() == PAIRS


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            packed({"eng.txt": b"a\nb\n", "zho.txt": "一\n".encode()}),
            "“eng” has 2 lines and “zho” 1",
        ),
        (packed({"eng.txt": b"a\n"}), "needs two columns"),
        (
            packed(dict.fromkeys(("eng.txt", "zho.txt"), b"\n" * 12)),
            "has 26 texts; the limit is 25",
        ),
        (b"PK nonsense", "archive is broken"),
    ],
)
def test_files_of_languages_that_cannot_be_paired_say_why(monkeypatch, data, message):
    monkeypatch.setattr(parallel_texts, "_MOST_CELLS", 25)
    with pytest.raises(BPEError, match=message):
        read_table(data, "a.zip")
