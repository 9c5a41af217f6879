"""Several ways to cut the same bytes, held against each other."""

import pytest
from hypothesis import given

from bpe.analysis.alignment import align, comparison
from bpe.errors import BPEError
from tests.analysis.cuts import cut, cut_texts

FRENCH_E = "e\u0301"  # NFD; é in NFC


@pytest.mark.parametrize(
    ("first", "second", "splits", "joins", "crossings", "boundaries"),
    [
        ([b"ab"], [b"a", b"b"], 1, 0, 0, (0, 0, 1)),
        ([b"a", b"b"], [b"ab"], 0, 1, 0, (0, 1, 0)),
        ([b"ab", b"c", b"d"], [b"a", b"b", b"cd"], 1, 1, 0, (1, 1, 1)),
        ([b"ab", b"c"], [b"a", b"bc"], 0, 0, 1, (0, 1, 1)),
        ([b"a", b"b"], [b"a", b"b"], 0, 0, 0, (1, 0, 0)),
        (["中".encode()], [b"\xe4", b"\xb8", b"\xad"], 1, 0, 0, (0, 0, 2)),
        ([], [], 0, 0, 0, (0, 0, 0)),
    ],
)
def test_how_the_second_cuts_otherwise(first, second, splits, joins, crossings, boundaries):
    found = comparison(align((cut(*first), cut(*second))))
    assert (found.splits, found.joins, found.crossings) == (splits, joins, crossings)
    assert (found.common, found.only_first, found.only_second) == boundaries
    assert found.share == (found.common / sum(boundaries) if any(boundaries) else 1.0)


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


@given(cut_texts(count=2))
def test_boundaries_are_those_of_sets(case):
    _, (first, second) = case
    first, second = cut(*filter(None, first)), cut(*filter(None, second))
    inner = [set(way.starts) - {0, len(way.data)} for way in (first, second)]
    found = comparison(align((first, second)))
    assert found.common == len(inner[0] & inner[1])
    assert found.only_first == len(inner[0] - inner[1])
    assert found.only_second == len(inner[1] - inner[0])
