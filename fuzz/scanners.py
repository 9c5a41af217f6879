"""The compiled scanners against the same patterns as regular expressions."""

import itertools

import numpy as np
import numpy.typing as npt
from hypothesis import example, given
from hypothesis import strategies as st

from bpe.compiled.characters import no_borders
from bpe.compiled.layout import PADDING
from bpe.compiled.scanner import NO, NOTHING, SCANNERS, piece_ends
from bpe.compiled.unicode_classes import class_table
from bpe.text import cuts
from bpe.text.pretokenize import PATTERNS, normaliser, split
from bpe.text.unicode import scalar_text
from fuzz.trained import normalisations
from tests.support.texts import texts


def pre_token_ends(
    scanner: int, text: npt.NDArray[np.uint8], end: int, ends: npt.NDArray[np.int64]
) -> int:
    """Write the ends of the pre-tokens of ``text[:end]``; return how many there are."""
    rest = np.zeros(1, np.int64)
    return piece_ends(scanner, text, 0, end, class_table(), no_borders(), NO, rest, ends, NOTHING)


def scan(text: str, pattern: str) -> list[str]:
    """Return the pre-tokens that the compiled scanner finds."""
    data = text.encode()
    ends = np.empty(len(data) + 64, np.int64)  # so many are written at once
    whole = np.frombuffer(data + bytes(PADDING), np.uint8)
    found = pre_token_ends(SCANNERS[pattern], whole, len(data), ends)
    cuts = [0, *ends[:found].tolist()]
    return [data[start:end].decode() for start, end in itertools.pairwise(cuts)]


@given(pattern=st.sampled_from(list(SCANNERS)), text=texts)
def pre_tokens(pattern: str, text: str) -> None:
    text = scalar_text(text)
    assert scan(text, pattern) == list(split(text, pattern))


@given(
    pattern=st.sampled_from(list(PATTERNS)),
    normalisation=normalisations,
    text=texts,
    after=st.integers(0, 60),
)
@example(text="a\U0003d000", after=1, normalisation="none", pattern="gpt2")
@example(text="f_t", after=1, normalisation="strip-punctuation", pattern="gpt2")
@example(text="İ’", after=1, normalisation="lowercase", pattern="gpt2")
def cuts_between_pre_tokens(pattern: str, normalisation: str, text: str, after: int) -> None:
    text = scalar_text(text)
    normalise = normaliser(normalisation)
    cutter = cuts.between_pre_tokens(pattern, None if normalisation == "none" else normalisation)
    cut = cutter(text, after) if cutter else None
    if cut:
        parts = [normalise(part) for part in (text[: cut.end], text[cut.next :])]
        pieces = [piece for part in parts for piece in split(part, pattern)]
        assert pieces == list(split(normalise(text), pattern))
