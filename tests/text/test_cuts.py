"""Places to cut a text at, found by pairs of characters: by hand, and never inside a piece."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.text import cuts
from bpe.text.cuts import JoinedCharacters

PIECES = ("t", "h", "e", " ", "the", " the", "中", "国", "中国", "，")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("the the", 3),  # the space goes, and the one put in front takes its place
        ("中the国", 4),  # " t" is in a piece, so not before the t
        ("中ttt", None),
    ],
)
def test_what_is_put_in_front_of_the_rest_must_not_join_it(text, place):
    assert JoinedCharacters(PIECES).first_border(text, 0, prefix=" ") == place


def test_without_pieces_nothing_is_known():
    assert JoinedCharacters([]).first_border("ab", 0) is None


@given(text=st.text(alphabet="the 中国，x", max_size=40), after=st.integers(0, 40))
@pytest.mark.parametrize("window", [1, 3, 4096])
def test_it_is_the_first_such_place_in_windows_of_any_size(window, text, after):
    pairs = {piece[at : at + 2] for piece in PIECES for at in range(len(piece) - 1)}
    safe = [
        at
        for at in range(max(after, 1), len(text))
        if text[at - 1 : at + 1] not in pairs and {text[at - 1], text[at]} & set(PIECES)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "_WINDOW", window)
        assert JoinedCharacters(PIECES).first_border(text, after) == (safe[0] if safe else None)


def test_chunks_are_cut_at_borders_and_give_the_text_again():
    text = "words and 汉字。\n更多。\n" * 1000
    pieces = list(cuts.chunks(text, 100))
    assert "".join(pieces) == text
    assert len(pieces) > 50
    assert list(cuts.chunks("x" * 1000, 100)) == ["x" * 1000]
    assert len(list(cuts.chunks("一二三四五六，七八九。" * 20, 50))) > 3  # no line breaks


@given(
    parts=st.lists(st.sampled_from(["a", "é ", "中", "，", "\n", "😀", "x\n", " "])),
    size=st.integers(1, 20),
    window=st.integers(8, 30),
)
def test_utf8_is_cut_at_borders_of_the_text(parts, size, window):
    text = "".join(parts)
    data = text.encode()
    borders = set(accumulate(len(part.encode()) for part in cuts.chunks(text, 1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "_UTF8_WINDOW", window)
        found = list(cuts.borders_in_utf8(data, size))
    assert set(found) <= borders - {len(data)}
    assert all(after - before >= size for before, after in pairwise([0, *found]))
