"""What a browser might forge: values of another kind, or of another shape."""

from typing import Any

import pytest
import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates

import bpe
from bpe.documents.documents import CorpusSource
from playground import editor, session
from playground.session import Made
from playground.ui import state, streamlit_private
from tests.each import each


def sent(kind: str, value: WidgetState, read: Any) -> WStates:
    streamlit_private.ignore_forged_values()
    states = WStates()
    states.set_widget_from_proto(value)
    states.set_widget_metadata(WidgetMetadata(value.id, read, lambda value: value, kind))  # type: ignore[arg-type]
    return states


@each(
    [
        ("string_value", {"int_value": 1}, str.strip),
        ("string_value", {}, str.strip),
        ("int_value", {"int_value": 1}, lambda _value: 1 // [][0]),
        ("json_value", {"json_value": "[" * 100_000}, __import__("json").loads),
    ]
)
def test_a_value_of_another_kind_is_none(case):
    kind, value, read = case
    states = sent(kind, WidgetState(id="a", **value), read)
    assert "a" not in states
    assert states.get("a") is None


def test_a_value_of_its_kind_is_read_and_numbers_may_be_whole():
    assert sent("string_value", WidgetState(id="a", string_value=" b "), str.strip)["a"] == "b"
    assert sent("double_value", WidgetState(id="a", int_value=500), int)["a"] == 500


@pytest.mark.parametrize(
    "value", [{"edit": []}, {"edit": {"revision": []}}, {"settled": {}}, 3, []]
)
def test_a_component_takes_nothing_of_another_shape(monkeypatch, value):
    monkeypatch.setattr(st, "session_state", {"a editor": value, "merges": {"merges": value}})
    assert "revision" not in editor._sent("a").get("edit", {})
    assert "settled" not in editor._sent("a")
    assert not state.component("merges", {"merges": [[str]]}).get("merges")


def test_only_the_same_tokenizer_is_replaced(monkeypatch):
    entries: dict[str, session.Entry] = {}
    monkeypatch.setattr(session, "_entries", lambda: entries)
    recipe = bpe.Recipe(vocabulary_size=260)
    tokenizer = bpe.train(["low lower"], recipe)
    add = lambda digest, corpus=None: session.add_trained(  # noqa: E731
        tokenizer, digest, "name", Made(recipe, corpus)
    )
    first = add("766d" + "0" * 60)
    assert len(first.removeprefix(session.OWN)) == 16
    assert add("766d" + "1" * 60) != first
    assert add("766d" + "0" * 60) == first
    monkeypatch.setattr(session, "_DIGITS", 0)  # all codes begin alike
    others = {add(str(number)) for number in range(3)}
    assert len(others) == 3
    text = CorpusSource(text="low lower")
    session.restore("own-7df5dbf9", tokenizer, "of a link", Made(recipe, text), named=True)
    assert add("2", text) != "own-7df5dbf9"  # it is known by its digest
    assert add("3", text) == "own-7df5dbf9"
