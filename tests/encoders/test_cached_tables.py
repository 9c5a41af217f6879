"""Cached tables of the catalogue: the same encoder, and what is damaged counts as missing."""

import numpy as np
import pytest

import bpe
from bpe.compiled import loading
from bpe.compiled.loading.cache import CACHE
from bpe.documents import samples
from bpe.encoders import cached_tables, catalog
from bpe.limits import BoundedCache

TEXT = samples.corpus("zh") + samples.corpus("en") + " naïve 😀 \x00 <|endoftext|> 龘"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder that is the cache."""
    monkeypatch.setattr(CACHE, "folders", [tmp_path / "unwritable", tmp_path])
    (tmp_path / "unwritable").write_text("a file, not a folder")
    return tmp_path


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base", "deepseek_v3", "qwen3", "gpt2"])
def test_cached_tables_make_the_same_encoder(place, name):
    encoder = bpe.encoding(name)
    pattern = encoder.pattern
    assert cached_tables.facts(name) is None
    assert cached_tables.tables(name) is None
    made = encoder.model.compiled(pattern)
    cached_tables.store(name, {"special_tokens": dict(encoder.special_tokens)}, made)
    assert cached_tables.facts(name) == {"special_tokens": dict(encoder.special_tokens)}
    tables = cached_tables.tables(name)
    assert tables is not None
    again = cached_tables.encoder_of(tables, pattern)
    assert again.encode(TEXT) == made.encode(TEXT)
    for ours, theirs in zip(tables, made.tables(), strict=True):
        assert np.array_equal(ours, theirs)


def test_a_catalogue_encoder_reads_its_tokens_when_they_are_asked_for(place, monkeypatch):
    monkeypatch.setattr(catalog, "loaded", BoundedCache(limit=0))
    first = bpe.encoding("cl100k_base")
    first.encode_ordinary(TEXT * 20)
    monkeypatch.setattr(catalog, "loaded", BoundedCache(limit=0))  # which knows of no first
    again = bpe.encoding("cl100k_base")
    assert "by_bytes" not in vars(again.model)
    assert again.encode_ordinary(TEXT * 20) == first.encode_ordinary(TEXT * 20)
    assert again.special_tokens == first.special_tokens
    assert first.token_bytes(100) == again.token_bytes(100)
    assert "by_bytes" not in vars(again.model)
    assert again.ranks == first.ranks


def test_damaged_tokens_are_read_from_the_vocabulary_again(place, monkeypatch):
    monkeypatch.setattr(catalog, "loaded", BoundedCache(limit=0))
    tokens = list(bpe.encoding("gpt2").token_table)
    (file,) = place.glob("gpt2-*.tokens")
    data = bytearray(file.read_bytes())
    data[-3] ^= 1
    file.write_bytes(data)
    monkeypatch.setattr(catalog, "loaded", BoundedCache(limit=0))
    assert list(bpe.encoding("gpt2").token_table) == tokens
    assert file.read_bytes() != data


@pytest.mark.parametrize("name", ["qwen3", "llama2"])
def test_cached_tokens_are_those_of_the_vocabulary(place, monkeypatch, name):
    monkeypatch.setattr(catalog, "loaded", BoundedCache(limit=0))
    first = bpe.encoding(name)
    first.encode_ordinary(TEXT * 20)
    ids = [at for at, data in enumerate(first.token_table) if data is not None]
    monkeypatch.setattr(catalog, "_token_table", None)  # there is no other way to read them
    again = bpe.encoding(name)
    assert list(again.token_table) == list(first.token_table)
    assert again.decode(ids) == first.decode(ids)
    assert list(again.token_table) == list(first.token_table)


def test_where_nothing_can_be_cached_nothing_is(monkeypatch):
    cached_tables._name.cache_clear()
    monkeypatch.setattr(loading, "can_link", False)
    assert cached_tables.facts("cl100k_base") is None
    cached_tables._name.cache_clear()
