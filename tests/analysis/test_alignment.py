"""Several ways to cut the same bytes, held against each other."""

import pytest
from hypothesis import given

from bpe.analysis.alignment import align
from bpe.errors import BPEError
from tests.analysis.cuts import cut, cut_texts

FRENCH_E = "e\u0301"  # NFD; é in NFC


def test_segmentations_of_different_bytes_cannot_be_aligned():
    with pytest.raises(BPEError, match="qwen and gpt spell different bytes"):
        align((cut("é".encode(), name="qwen"), cut(FRENCH_E.encode(), name="gpt")))


@given(cut_texts(count=3))
def test_blocks_are_the_finest_cuts_common_to_all(case):
    raw, ways = case
    segmentations = [cut(*pieces) for pieces in ways]
    blocks = align(segmentations)
    shared = set.intersection(*(set(way.starts) for way in segmentations))
    assert {block.end for block in blocks} | {0} == shared
    for which, way in enumerate(segmentations):
        indices = [index for block in blocks for index in block.tokens[which]]
        assert indices == list(range(len(way)))
        for block in blocks:
            joined = b"".join(way.pieces[index] for index in block.tokens[which])
            assert joined == raw[block.start : block.end]
