"""What an editor says of the tokens at the end of a text that are not final."""

import pytest

import bpe
from bpe.analysis.segmentation import segment
from playground.editor import _open_end


@pytest.mark.parametrize(
    ("name", "text", "at"),
    [
        ("o200k_base", "The capital of France is ", 24),
        ("kimi_k2", "😀南京市长江大", 5),  # in UTF-16 units, as the browser counts
        ("o200k_base", "hello\n\n  ", 5),
        (
            "cl100k_base",
            "the 龘",
            4,
        ),  # three tokens for one character
    ],
)
def test_the_text_is_cut_between_characters_before_them(name, text, at):
    encoder = bpe.encoding(name)
    found = _open_end(encoder, text, segment(encoder, text))
    assert found is not None
    assert found["at"] == at


def test_nothing_is_drawn_where_all_are_final_or_nothing_is_known():
    qwen, own = bpe.encoding("qwen3"), bpe.train(["ab"], bpe.Recipe(merges=1, pattern="regex:a|b"))
    for encoder, text in ((qwen, "12345678"), (own, "ab"), (qwen, "")):
        assert _open_end(encoder, text, segment(encoder, text)) is None
