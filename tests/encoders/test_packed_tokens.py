"""Packed tokens are a sequence like the list that they were made of."""

import gc
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.encoders import catalog
from bpe.encoders.cached_tables import PackedRanks, PackedTokens

TOKENS = [b"low", b"er", b"", None, "低".encode(), None]


@given(st.lists(st.none() | st.binary(max_size=4)))
def test_they_are_the_same_in_the_same_order(tokens):
    packed = PackedTokens.of(tokens)
    pool, *numbers = packed.arrays()
    for same in (packed, PackedTokens(bytes(pool), *numbers)):
        assert len(same) == len(tokens)
        assert list(same) == tokens
        assert [same[at] for at in range(len(tokens))] == tokens
        assert [same.known[at] for at in range(len(tokens))] == tokens
        assert (None in same) == (None in tokens)
        assert same[1:] == tokens[1:]


def test_places_are_those_of_a_list():
    packed = PackedTokens.of(TOKENS)
    assert packed[-2] == "低".encode()
    assert packed[::-2] == TOKENS[::-2]
    assert b"er" in packed
    assert b"lower" not in packed
    for outside in (6, -7):
        with pytest.raises(IndexError):
            packed[outside]
    for outside in (6, -1):
        with pytest.raises(KeyError):
            packed.known[outside]


@given(st.lists(st.none() | st.binary(max_size=4), unique=True), st.sets(st.integers(0, 5)))
def test_ranks_are_the_same_as_in_a_dictionary(tokens, without):
    tokens = [data for data in tokens if data is not None]
    ranks = {data: at for at, data in enumerate(tokens) if at not in without}
    packed = PackedRanks(PackedTokens.of(tokens), without)
    assert dict(packed) == ranks
    assert len(packed) == len(ranks)
    assert [packed.get(data) for data in [*tokens, b"", b"absent"]] == [
        ranks.get(data) for data in [*tokens, b"", b"absent"]
    ]
    assert list(packed.longer()) == sorted(at for data, at in ranks.items() if len(data) > 1)


def test_of_tokens_with_the_same_bytes_there_is_no_order():
    assert list(PackedTokens.of([b"b", None, b"a"]).order) == [2, 0]
    assert list(PackedTokens.of([b"b", None, b"b"]).order) == []


@pytest.mark.parametrize("name", [entry.name for entry in catalog.encodings()])
def test_a_token_is_made_of_what_its_whole_vocabulary_says(name):
    encoder = bpe.encoding(name)
    if encoder.kind != "byte-level BPE":
        assert not hasattr(encoder, "_packed_origins")
        return
    if isinstance(encoder.token_table, PackedTokens):
        assert encoder._packed_origins is not None
    whole = catalog.RankTable(encoder.ranks)
    specials = set(encoder.special_tokens.values())
    assert all(encoder.made_of(encoder.symbol(at)) is None for at in specials)
    for at in range(0, 50_000, 97):
        assert encoder.made_of(encoder.symbol(at)) == whole.made_of(encoder.symbol(at))


def test_they_are_freed_without_a_search_for_cycles():
    packed = PackedTokens.of(TOKENS)
    assert packed[0] == b"low"
    alive = weakref.ref(packed.known)
    gc.disable()
    try:
        del packed
        assert alive() is None
    finally:
        gc.enable()
