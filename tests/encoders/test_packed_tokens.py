"""Packed tokens are a sequence like the list that they were made of."""

import gc
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.encoders.cached_tables import PackedTokens

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
