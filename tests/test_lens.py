"""Which bytes of which characters a token holds, by literal values and for any text and cuts."""

from hypothesis import given
from hypothesis import strategies as st

from bpe.encoder import character_spans
from bpe.lens import Segmentation, compare, segment_ids

ZHONG = "中".encode()


def cut(*pieces: bytes, special_ids=()) -> Segmentation:
    """Pieces as a segmentation; equal pieces have equal ids."""
    known = list(dict.fromkeys(pieces))
    return segment_ids(map(known.index, pieces), known.__getitem__, special_ids=special_ids)


def test_a_character_in_three_tokens_names_each_byte_and_the_other_tokens():
    first, second, third = cut(b"\xe4", b"\xb8", b"\xad").tokens()
    assert [t.kind for t in (first, second, third)] == ["part"] * 3
    assert [t.parts[0].mark for t in (first, second, third)] == ["1/3 中", "2/3 中", "3/3 中"]
    assert second.others == (0, 2)
    assert second.parts[0].code_point == "U+4E2D"
    assert second.byte_span == (1, 2)
    assert second.character_span == (0, 1)
    assert second.text == ""


@given(text=st.text(), data=st.data())
def test_pieces_join_and_spans_cover(text, data):
    raw = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)))))
    bounds = [0, *cuts, len(raw)]
    pieces = [raw[a:b] for a, b in zip(bounds, bounds[1:], strict=False)]
    segmentation = cut(*pieces)
    facts = list(segmentation.tokens())
    assert b"".join(t.bytes for t in facts) == raw == segmentation.data
    assert segmentation.text == text
    assert [t.character_span for t in facts] == character_spans(pieces)
    assert [t.byte_span for t in facts] == list(zip(bounds, bounds[1:], strict=False))


def test_comparison_counts_splits_and_joins():
    comparison = compare(cut(b"ab", b"c", b"d"), cut(b"a", b"b", b"cd"))
    assert (comparison.splits, comparison.joins, comparison.crossings) == (1, 1, 0)
    assert (comparison.common, comparison.only_first, comparison.only_second) == (1, 1, 1)
    assert comparison.share == 1 / 3
