"""Texts cut by hand, and at random."""

from itertools import pairwise

from hypothesis import strategies as st

from bpe.analysis.segmentation import Segmentation, segment_ids


def cut(*pieces: bytes, special_ids=(), name="") -> Segmentation:
    """Pieces as a segmentation; equal pieces have equal ids."""
    known = list(dict.fromkeys(pieces))
    ids = map(known.index, pieces)
    return segment_ids(ids, known.__getitem__, special_ids=special_ids, name=name)


@st.composite
def cut_texts(draw, count=1):
    """A text's bytes, and ``count`` ways to cut them, empty pieces among them."""
    raw = draw(st.text("ab中é😀\u200d\u0301\x00")).encode()
    cuts = st.lists(st.integers(0, len(raw))).map(lambda at: [0, *sorted(at), len(raw)])
    return raw, [[raw[a:b] for a, b in pairwise(draw(cuts))] for _ in range(count)]
