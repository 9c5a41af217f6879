"""How the tokens of a tokenizer lie over the text that was typed."""

import pytest

from bpe.analysis.segmentation import segment, segment_ids
from bpe.encoders import catalog
from playground.editor import _sizes


def cut(*pieces: bytes):
    return segment_ids(range(len(pieces)), lambda token_id: pieces[token_id])


@pytest.mark.parametrize(
    ("text", "pieces", "sizes"),
    [
        ("", (), []),
        ("a中", (b"a", b"\xe4\xb8", b"\xad"), [1, 2, 1]),
        ("low", (b" low",), [3]),  # a space put in front
        ("low", (b" ", b"low"), [0, 3]),
        ("low er", (b"low ", b"er "), [4, 2]),  # the ends of words
        ("low\ner", (b"low ", b"er "), [4, 2]),
        ("Low", (b"low",), [3]),
        ("e\u0301", ("é".encode(),), None),  # other bytes: it is not known which lies where
        ("a  b", (b"a ", b"b "), None),
    ],
)
def test_sizes_are_those_of_the_text_where_that_is_known(text, pieces, sizes):
    assert _sizes(cut(*pieces), text) == sizes


@pytest.mark.parametrize("name", ["o200k_base", "llama2", "gemma3", "mistral_v1"])
def test_sizes_of_real_tokenizers_add_up_to_the_text(name):
    text = "人工智能 Hello, world\n龘"
    sizes = _sizes(segment(catalog.encoding(name), text), text)
    assert sizes is not None
    assert sum(sizes) == len(text.encode())
