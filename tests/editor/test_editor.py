"""What an editor says of a text: the sizes of its tokens, a pause, a long paste."""

import json

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from bpe.analysis.segmentation import segment, segment_ids
from bpe.encoders import catalog
from playground.editor import _Held, _pause, _sizes


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


# What a pause after an edit does where the browser has not got the page's answer yet.


@pytest.mark.parametrize(
    ("revision", "number", "called"),
    [
        (0, 3, 1),  # the pause after the last edit
        (1, 3, 0),  # the page has put another text there since
        (0, 4, 0),  # another edit has come since, and was heard
    ],
)
def test_what_an_edit_changed_on_the_page_is_changed_again(monkeypatch, revision, number, called):
    calls = []
    held = _Held("typed", 100, revision=revision, number=number)
    edit = {"text": "typed", "number": 3, "revision": 0}
    state = {"a held": held, "a editor": {"edit": edit, "settled": 3}}
    monkeypatch.setattr(st, "session_state", state)
    for _ in range(2):  # the second time it is no news
        _pause("a", lambda: calls.append(1))
    assert len(calls) == called
    assert held.paused


# What is said of a paste that is longer than an editor takes.


def coloured() -> None:
    import bpe
    from playground.editor import editor

    editor("Text", bpe.encoding("llama2"), key="text")


def plain() -> None:
    from playground.editor import plain_text

    plain_text("Text", key="text")


@pytest.mark.parametrize(("draw", "leads_to_command"), [(coloured, True), (plain, False)])
def test_only_a_text_whose_tokens_are_counted_is_sent_to_the_count_of_files(draw, leads_to_command):
    app = AppTest.from_function(draw, default_timeout=600).run()
    assert not app.exception
    [box] = app.get("bidi_component")
    said = json.loads(box.proto.json)["labels"]["tooLong"]
    assert said.startswith("That makes {all} characters; the first {most} are taken.")
    assert ("bpe count" in said) == leads_to_command
