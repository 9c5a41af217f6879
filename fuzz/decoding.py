"""Any ids: they are decoded, or refused by our own error."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.compiled.encode.text_encoder import CompiledDecoder
from bpe.encoders.base import adds_leading_space
from bpe.encoders.cached_tables import PackedTokens
from bpe.errors import BPEError
from bpe.text.unicode import character_spans
from fuzz.encoders import encoder, names
from tests.support.texts import NAMES

any_ids = st.lists(
    st.integers(-2, 300_000) | st.sampled_from([-1, 2**31, 2**63, 2**64, -(2**70)]), max_size=20
)


@given(name=names, ids=any_ids)
def of_any_ids(name: str, ids: list[int]) -> None:
    ours = encoder(name)
    try:
        pieces = [ours.token_bytes(token_id) for token_id in ids]
    except BPEError:
        for decode in (ours.decode, ours.decode_bytes):
            with pytest.raises(BPEError, match="There is no token id"):
                decode(ids)
        return
    joined = b"".join(pieces)
    assert ours.decode_bytes(ids) == joined
    decoded = ours.decode(ids)
    if name in NAMES:  # others may put spaces between words, or end words with them
        leading = adds_leading_space(ours)
        text = (joined.removeprefix(b" ") if leading else joined).decode("utf-8", "replace")
        assert decoded == text
    spans = character_spans(pieces)
    assert all(one <= other for one, other in itertools.pairwise(spans))


@given(
    pieces=st.lists(st.none() | st.binary(max_size=4), min_size=1, max_size=9),
    numbers=st.lists(st.integers(0, 100), max_size=30),
)
def compiled(pieces: list[bytes | None], numbers: list[int]) -> None:
    ids = [number % len(pieces) for number in numbers]
    found = [data for token_id in ids if (data := pieces[token_id]) is not None]
    packed = PackedTokens.of(pieces)
    decoder = CompiledDecoder(packed.pool, packed.starts, packed.gaps)
    assert decoder.joined(ids) == (b"".join(found) if len(found) == len(ids) else None)
