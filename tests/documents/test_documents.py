"""Words with counts, and texts cut into documents."""

import pytest

from bpe.documents import documents
from bpe.errors import BPEError


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ('{"hug": 10, "pug": 5}', {"hug": 10, "pug": 5}),
        ("{'hug': 10, 'pug': 5,}", {"hug": 10, "pug": 5}),
        (' \n{"长江": 2}\n', {"长江": 2}),
        ('{"hug": 1, "pug": 1, "hug": 2}', {"hug": 3, "pug": 1}),
    ],
)
def test_words_with_their_counts_are_understood(text, counts):
    assert documents.counted_words(text) == counts


@pytest.mark.parametrize(
    "text",
    ["", "hug pug", "{}", "{hug: 10}", "{1, 2}", '{"a": 1} and more', "{" * 5000 + "}" * 5000,
     '{"a": ' * 5000 + "1" + "}" * 5000, "[1, 2]", "{x for x in y}"],
)  # fmt: skip
def test_all_else_is_ordinary_text(text):
    assert documents.counted_words(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"pug": 0}', "“pug” must be a whole number"),
        ('{"pug": 1.5}', "“pug” must be a whole number"),
        ('{"pug": "5"}', "“pug” must be a whole number"),
        ('{"pug": true}', "“pug” must be a whole number"),
        ('{"": 3}', "at least one character"),
        ("{3: 3}", "at least one character"),
        ('{"a": 1999999, "b": 2}', "add up to 2,000,001; the limit is 2,000,000"),
    ],
)
def test_wrong_counts_say_what_is_wrong(text, said):
    with pytest.raises(BPEError, match=said):
        documents.counted_words(text)


@pytest.mark.parametrize(
    ("separator", "cut"),
    [
        (None, ["a\r\nb\n\n\nc", " ", "d---e"]),
        ("line", ["a", "b", "c", "d---e"]),
        ("paragraph", ["a\r\nb", "c", "d---e"]),
        ("---", ["a\r\nb\n\n\nc", "d", "e"]),
    ],
)
def test_texts_are_cut_at_separators(separator, cut):
    assert documents.separated(["a\r\nb\n\n\nc", " ", "d---e"], separator) == cut
