"""Bytes as a reader sees them, tokens as boxes, and merges run again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.algorithm.basic import merge_pair
from bpe.algorithm.incremental import token_counts
from bpe.algorithm.recipe import Recipe
from bpe.text.readable import MOST, readable
from bpe.training.algorithms.byte_bpe import learn_by_recounting


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("中国".encode(), "中国"),
        (b"\xe4\xb8", "⟨E4 B8⟩"),
        (b"\xad\xe4\xb8\xad", "⟨AD⟩中"),
        (b" the\n", "·the⏎"),
        ("\u200d".encode(), "⟨E2 80 8D⟩"),
        (b"<b>&", "<b>&"),
        (b"", ""),
    ],
)
def test_readable(data, shown):
    assert readable(data) == shown


@given(st.binary())
def test_there_is_never_a_replacement_character_for_known_bytes(data):
    assert "�" not in readable(data) or "�".encode() in data


@given(
    words=st.dictionaries(st.binary(max_size=9), st.integers(1, 3), max_size=5),
    other=st.dictionaries(st.binary(max_size=9), st.integers(1, 3), max_size=5),
)
def test_token_counts_are_those_of_merging_again(words, other):
    merges = list(learn_by_recounting(words, Recipe(merges=9)))
    symbols = [(list(word), count) for word, count in other.items()]
    expected = [sum(len(word) * count for word, count in symbols)]
    for merge in merges:
        pair = (merge.left, merge.right)
        symbols = [(merge_pair(word, pair, merge.new_id), count) for word, count in symbols]
        expected.append(sum(len(word) * count for word, count in symbols))
    assert list(token_counts(other.items(), [merge[:3] for merge in merges])) == expected


ENCODER = bpe.encoding("cl100k_base")


def test_tokens_are_boxes_with_their_ids_and_bytes():
    shown = ENCODER.show("low 中\n")
    assert str(shown).startswith("low│·")
    assert str(shown).endswith("⏎")
    drawn = shown._repr_html_()
    for token_id, data in shown.tokens:
        assert f"{token_id} · {data.hex(' ').upper()}" in drawn
    assert drawn.count("<b title=") == len(shown.tokens)


def test_a_text_is_never_markup():
    drawn = ENCODER.show("<script>alert(1)</script><|endoftext|>\"' onfocus=")._repr_html_()
    assert "<script" not in drawn
    assert "&lt;" in drawn


def test_of_a_long_text_the_rest_is_a_number():
    drawn = ENCODER.show("a b " * MOST)._repr_html_()
    assert drawn.count("<b title") == MOST
    assert "more tokens</p>" in drawn
