"""The tokens of a text as text, in a notebook and as a page."""

import bpe
from bpe.text.readable import MOST

ENCODER = bpe.encoding("cl100k_base")


def test_tokens_are_boxes_with_their_ids_and_bytes():
    shown = ENCODER.show("low 中\n")
    assert str(shown).startswith("low│·")
    assert str(shown).endswith("⏎")
    drawn = shown._repr_html_()
    for token_id, data in shown.tokens:
        assert f"{token_id} · {data.hex(' ').upper()}" in drawn
    assert drawn.count("<b tabindex=0 ") == len(shown.tokens)
    assert shown.html.startswith("<!doctype html>")


def test_a_text_is_never_markup():
    drawn = ENCODER.show("<script>alert(1)</script><|endoftext|>\"' onfocus=").html
    assert "<script" not in drawn
    assert "&lt;" in drawn


def test_of_a_long_text_the_rest_is_a_number():
    drawn = ENCODER.show("a b " * MOST).html
    assert drawn.count("<b tabindex") == MOST
    assert "more tokens</p>" in drawn
