"""Characters that are not seen are found one by one, and what a script needs is none of them."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe.text.hidden import hidden, without_hidden

ALPHABET = (
    "aБаеxé中内內⼈人１Ａ \u00a0\u200b\u200d\ufe0f\u202e👩💻☀\U000e0041\U000e007f🏴ك\U000e0101"
)


@pytest.mark.parametrize(
    ("text", "clean", "kinds"),
    [
        ("a\u200bb\ufeff", "ab", ["zero width", "zero width"]),
        ("raw\U000e0068\U000e0069", "raw", ["tag", "tag"]),
        ("user\u202eexe", "userexe", ["direction"]),
        ("珊\U000e0101瑚", "珊瑚", ["variation"]),
        ("ＡＩ２", "AI2", ["width", "width", "width"]),
        ("two\u00a0words\u2003", "two words ", ["space", "space"]),
        ("⼈ 俱\uf95c部", "人 俱樂部", ["twin", "twin"]),
        ("户口在户籍，不在戶籍", "户口在户籍，不在户籍", ["twin"]),
        ("說没有、沒有、沒看", "說沒有、沒有、沒看", ["twin"]),
        ("раypal and рара", "paypal and рара", ["look-alike", "look-alike"]),
        ("\u0430\u200bb", "ab", ["zero width"]),
    ],
)
def test_each_kind_is_found_and_cleaned(text, clean, kinds):
    assert [found.kind for found in hidden(text)] == kinds
    assert without_hidden(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "👩‍💻 👨‍👩‍👧 ☀️ 1️⃣",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم क्\u200dष",
        "你好，世界！（）\u3000",
        "内没别户",
        "內沒別戶",
        "Россия Ελλάδα",
    ],
)
def test_what_emoji_and_scripts_need_is_not_hidden(text):
    assert hidden(text) == []


@settings(max_examples=300, deadline=None)
@given(st.text(ALPHABET, max_size=14))
def test_places_are_right_and_nothing_is_left(text):
    found = hidden(text)
    assert [text[each.at] for each in found] == [each.character for each in found]
    assert len({each.at for each in found}) == len(found)
    clean = without_hidden(text)
    assert hidden(clean) == []
    assert not found or clean != text
    plainly_invisible = {"\u200b", "\u202e"}
    marked = {each.at for each in found}
    assert {at for at, c in enumerate(text) if c in plainly_invisible} <= marked
    assert all(unicodedata.normalize("NFKC", c) == c for c in clean if c not in "\u3000é")
