"""Hostile texts for Hypothesis, and a count of how many different ones there were."""

from operator import mul
from random import Random

from hypothesis import strategies as st

from bpe.cli import verify
from bpe.cli.verify import HALF_PAIRS, MARKS, PIECES, SPECIALS
from bpe.encoders import catalog

__all__ = ["NAMES", "PIECES", "SPECIALS"]

NAMES = [entry.name for entry in catalog.encodings()]

pieces = st.sampled_from(PIECES)
any_unicode = st.text(max_size=40)
half_pairs = st.text(st.sampled_from(HALF_PAIRS), max_size=12)
marks = st.text(st.sampled_from("ae中 " + MARKS), max_size=60)
runs = st.builds(mul, pieces, st.integers(2, 2000))
mixtures = st.lists(pieces, max_size=40).map("".join)

seen: set[int] = set()
"""A number for each different text that was generated so far."""


def counted(text: str) -> str:
    """Return ``text``, which is counted where it is new."""
    seen.add(hash(text))
    return text


texts = (
    st.one_of(mixtures, any_unicode, marks, half_pairs, runs)
    | st.lists(mixtures | any_unicode | runs, max_size=4).map("".join)
).map(counted)
several = st.lists((mixtures | any_unicode | half_pairs | st.just("")).map(counted), max_size=8)
"""Parts of one text, cut anywhere, or texts of a batch."""
steps = st.integers(1, 40)


def random_text(random: Random) -> str:
    """Return a text by plain chance, a hundred times as fast as Hypothesis makes one."""
    return counted(verify.random_text(random))
