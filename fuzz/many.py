"""Many texts through every encoder: all of the catalogue, and one of every recipe."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fuzz import encoders, properties
from tests.support.texts import PIECES, counted, random_text

AT_ONCE = 500
"""Texts of one example."""
LONG = (10_000, 30_000, 100_000, 1_000_000)
"""Characters of texts of one letter."""


@given(seed=st.integers(0, 2**48))
def texts_through_every_encoder(seed: int) -> None:
    random = Random(seed)
    for _ in range(AT_ONCE):
        text = random_text(random)
        for name in encoders.ALL:
            try:
                properties.no_byte_is_wrong(encoders.encoder(name), text)
            except BaseException as error:
                raise AssertionError(f"{name}, {text!r}: {type(error).__name__}") from error


@given(
    name=encoders.names,
    letter=st.sampled_from([piece for piece in PIECES if len(piece) == 1]),
    length=st.sampled_from(LONG),
)
def equal_letters(name: str, letter: str, length: int) -> None:
    properties.no_byte_is_wrong(encoders.encoder(name), counted(letter * length))
