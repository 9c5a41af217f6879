"""The compiled scanners against the same patterns as regular expressions."""

from hypothesis import given
from hypothesis import strategies as st

from bpe.compiled.scanner import SCANNERS
from bpe.text import cuts
from bpe.text.pretokenize import PATTERNS, normaliser, split
from bpe.text.unicode import scalar_text
from fuzz.texts import texts
from fuzz.trained import normalisations
from tests.compiled.test_scanner import scan


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
def cuts_between_pre_tokens(pattern: str, normalisation: str, text: str, after: int) -> None:
    text = scalar_text(text)
    normalise = normaliser(normalisation)
    cutter = cuts.between_pre_tokens(pattern, None if normalisation == "none" else normalisation)
    cut = cutter(text, after) if cutter else None
    if cut:
        parts = [normalise(part) for part in (text[: cut.end], text[cut.next :])]
        pieces = [piece for part in parts for piece in split(part, pattern)]
        assert pieces == list(split(normalise(text), pattern))
