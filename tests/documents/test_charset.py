"""Bytes become the text that their author wrote, or a sentence that says why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.documents.charset import ENCODINGS, decode
from bpe.errors import BPEError

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


@given(texts, st.sampled_from(["utf-8", "gb18030", "utf-16-le", "utf-16-be"]))
def test_chinese_text_is_read_in_the_encoding_it_was_written_in(text, encoding):
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.guessed == (encoding != "utf-8")


@given(traditional_texts)
def test_traditional_text_is_read_from_big5(text):
    decoded = decode(text.encode("big5hkscs"))
    assert (decoded.text, decoded.encoding, decoded.guessed) == (text, "big5hkscs", True)


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le", "utf-16-be", "utf-8"])
@pytest.mark.parametrize("sentence", SIMPLIFIED + TRADITIONAL)
def test_eight_characters_are_enough(sentence, encoding):
    for start in range(len(sentence) - 7):
        part = sentence[start : start + 8]
        assert decode(part.encode(encoding)).text == part


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1))
def test_valid_utf8_is_never_taken_for_anything_else(text):
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
        *(
            (text.encode(charset), text, charset)
            for text, charset in (
                ("价格￥３５．８０，编号①②③，㎡", "gb18030"),
                ("Hello 世界, mostly English", "gb18030"),
                ("今日はいい天気ですね。", "cp932"),
                ("Сегодня в Москве прошла встреча.", "cp1251"),
                ("Café déjà vu, naïve façade. Élève à l'école. " * 5, "cp1252"),
                ("It’s a naïve “quote” – the café’s owner said: “Don’t.” " * 5, "cp1252"),
                ("A ação não é fácil: coração, manhã, avô, você. " * 5, "cp1252"),
                ("Wczoraj poszedłem do sklepu, żeby kupić świeże jabłka. " * 5, "cp1250"),
            )
        ),
    ],
)
def test_other_bytes_are_read_as(data, text, encoding):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (text, encoding)


def test_a_wrong_guess_can_be_overridden():
    korean = "오늘 아침 서울에서 기자회견이 열렸습니다.".encode("euc_kr")
    assert decode(korean).encoding == "gb18030"
    overridden = decode(korean, encoding="EUC-KR")
    assert overridden.text == "오늘 아침 서울에서 기자회견이 열렸습니다."
    assert (overridden.encoding, overridden.guessed) == ("euc_kr", False)


def test_a_byte_order_mark_is_no_text_under_an_override_either():
    assert decode(b"\xef\xbb\xbfabc", encoding="utf-8").text == "abc"
    assert decode("\ufeff中文".encode("utf-16-le"), encoding="utf-16-le").text == "中文"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_on_offer_can_be_read(encoding):
    assert decode(b"ASCII!" * 2, encoding=encoding).text


@pytest.mark.parametrize("shift", ["", "x"])
def test_a_guess_from_the_beginning_holds_for_a_large_file(shift):
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
def test_unreadable_bytes_are_refused_with_a_reason(data, encoding, message):
    with pytest.raises(BPEError) as error:
        decode(data, encoding=encoding)
    assert message in str(error.value)
