"""Figures of a text from its tokens, once they are cut: no tokenizer is asked again."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import regex

from bpe.analysis import segmentation
from bpe.analysis.metrics import is_partial
from bpe.analysis.segmentation import Comparison, Segmentation

_HANZI = regex.compile(r"\p{Script=Han}+")


@dataclass(frozen=True, slots=True)
class Figures:
    """What :mod:`bpe.analysis.metrics` calls by the same names, of one text."""

    tokens: int
    bytes_per_token: float
    tokens_per_hanzi: float
    partial: float


_FIGURES: WeakKeyDictionary[Segmentation, Figures] = WeakKeyDictionary()
_COMPARED: WeakKeyDictionary[Segmentation, WeakKeyDictionary[Segmentation, Comparison]] = (
    WeakKeyDictionary()
)


def figures(cut: Segmentation, text_bytes: int) -> Figures:
    """Return the figures of a segmentation; ``text_bytes`` is the size of the text given."""
    if cut not in _FIGURES:
        partial = {piece: is_partial(piece) for piece in set(cut.pieces)}
        total = len(cut)
        _FIGURES[cut] = Figures(
            tokens=total,
            bytes_per_token=text_bytes / total if total else np.nan,
            tokens_per_hanzi=_tokens_per_hanzi(cut),
            partial=sum(map(partial.__getitem__, cut.pieces)) / total if total else np.nan,
        )
    return _FIGURES[cut]


def compared(first: Segmentation, second: Segmentation) -> Comparison:
    """Return :func:`bpe.analysis.segmentation.compare`, remembered as long as both segmentations
    are."""
    known = _COMPARED.setdefault(first, WeakKeyDictionary())
    if second not in known:
        known[second] = segmentation.compare(first, second)
    return known[second]


def _tokens_per_hanzi(cut: Segmentation) -> float:
    is_hanzi = np.zeros(len(cut.data) + 1, np.int64)
    hanzi = at = start = 0
    text = cut.text
    for run in _HANZI.finditer(text):
        start += len(text[at : run.start()].encode())
        size = len(run.group().encode())
        is_hanzi[start : start + size] = 1
        hanzi += run.end() - run.start()
        start += size
        at = run.end()
    if not hanzi:
        return float("nan")
    before = np.concatenate(([0], np.cumsum(is_hanzi[:-1])))
    starts = np.asarray(cut.starts, np.int64)
    sizes = np.diff(starts)
    held = before[starts[1:]] - before[starts[:-1]]
    return float((held[sizes > 0] / sizes[sizes > 0]).sum() / hanzi)
