"""The published tokenizers that a session loads and publishes, without a page."""

import pytest
import streamlit as st

import bpe
from bpe.files.store import TokenizerStore
from playground import published, session

TOKENIZER = bpe.train(["低 lower lowest"], bpe.Recipe(merges=3))


@pytest.fixture(autouse=True)
def in_a_session(monkeypatch) -> None:
    monkeypatch.setattr(st, "session_state", {"lang": "en"})


@pytest.fixture
def store(tmp_path, monkeypatch) -> TokenizerStore:
    """A store in a folder, which sessions use, too."""
    monkeypatch.setenv("BPE_STORE", tmp_path.as_uri())
    return TokenizerStore(tmp_path.as_uri())


@pytest.mark.parametrize(
    ("given", "number"), [("", 256 << 20), ("1_000", 1000), ("0", 256 << 20), ("much", 256 << 20)]
)
def test_the_limit_is_set_in_the_environment(monkeypatch, given, number):
    monkeypatch.setenv("BPE_STORE", "memory://limits")
    monkeypatch.setenv("BPE_STORE_MAX_BYTES", given)
    here = published.store()
    assert here is not None
    assert here.max_bytes == number


def test_the_name_is_published_with_it(store):
    digest = store.publish(TOKENIZER)
    named = published.publish(TOKENIZER, "我的分词器")
    assert named != digest
    assert store.load(named).name == "我的分词器"


def test_what_many_sessions_load_is_one_object(store, monkeypatch):
    code = f"published-{store.publish(TOKENIZER)}"
    loaded = []
    for _session in range(2):
        monkeypatch.setattr(st, "session_state", {})
        published.load_chosen([code, "o200k_base"], 9)
        loaded.append(session.own()[code])
    assert loaded[0] is loaded[1]


def test_the_published_tokenizers_of_a_link_are_bounded_by_their_entries(store, monkeypatch):
    digests = [store.publish(bpe.train(["low"], bpe.Recipe(merges=n))) for n in (1, 2)]
    codes = [f"published-{digest}" for digest in digests]
    for most, loaded in ((300, codes), (200, codes[:1])):
        monkeypatch.setattr(st, "session_state", {"lang": "en"})
        monkeypatch.setattr(published, "MOST_ENTRIES", most)
        published.load_chosen([*codes, "o200k_base"], 9)
        assert list(session.own()) == loaded
    assert "There is room for 1 tokenizers" in str(published.why_not(codes[1]))
