"""The tokens of an edited text, from those it had before: only what changed is cut again."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from bpe.analysis.segmentation import Segmentation, segment
from bpe.encoders.base import Encoder
from bpe.text.unicode import scalar_text

_BEFORE = 200
"""Characters before a change in which a place to cut is sought."""


def recut(encoder: Encoder, before: Segmentation, old: str, new: str) -> Segmentation:
    """Return what ``segment(encoder, new)`` returns, given ``before``, the tokens of ``old``.

    Cutting again starts at the last known place before the change where a text may be cut
    (:mod:`bpe.text.cuts`) and ends at the first one behind it. Where there is none, or where
    the tokens do not spell the text itself, everything is cut.
    """
    if before.change is not None or scalar_text(new) != new:
        return segment(encoder, new)
    start, tail = _common(old, new)
    begin = _begin(encoder, new, start)
    end = _end(encoder, new, len(new) - tail)
    first = _token_at(before, len(old[:begin].encode()))
    last = _token_at(before, len(before.data) - len(new[end:].encode()))
    if first is None or last is None or (not begin and end == len(new)):
        return segment(encoder, new)
    between = segment(encoder, new[begin:end])
    if between.change is not None:
        return segment(encoder, new)
    return Segmentation(
        ids=array("I", [*before.ids[:first], *between.ids, *before.ids[last:]]),
        pieces=[*before.pieces[:first], *between.pieces, *before.pieces[last:]],
        special_ids=before.special_ids,
        name=before.name,
        space_sign=before.space_sign,
    )


def _common(old: str, new: str) -> tuple[int, int]:
    """Return how many characters both texts have in common at the start, and then at the end."""
    most = min(len(old), len(new))
    start = _equal(lambda n, m: old[n:m] == new[n:m], most)
    tail = _equal(
        lambda n, m: old[len(old) - m : len(old) - n] == new[len(new) - m : len(new) - n],
        most - start,
    )
    return start, tail


def _equal(same: Callable[[int, int], bool], most: int) -> int:
    """Return the greatest number up to ``most`` to which ``same`` holds step by step."""
    known = 0
    while known < most:
        half = (known + most + 1) // 2
        if same(known, half):
            known = half
        else:
            most = half - 1
    return known


def _begin(encoder: Encoder, text: str, change: int) -> int:
    """Return a place before the change where the text may be cut, or its start."""
    after = change - _BEFORE
    if after > 0:
        cut = encoder.next_cut(text, after)
        if cut and cut.free and cut.next + encoder.reach <= change:
            return cut.next
    return 0


def _end(encoder: Encoder, text: str, change: int) -> int:
    """Return the first place behind the change where the text may be cut, or its end."""
    cut = encoder.next_cut(text, change + encoder.reach)
    return cut.next if cut and cut.free else len(text)


def _token_at(segmentation: Segmentation, offset: int) -> int | None:
    first = bisect_left(segmentation.starts, offset)
    last = bisect_right(segmentation.starts, offset)
    return first if last - first == 1 else None
