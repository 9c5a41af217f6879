"""Many texts through every encoder: all of the catalogue, and one of every recipe."""

from functools import cache
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bpe.encoders.base import Encoder
from fuzz import catalogue, own, properties
from fuzz.texts import NAMES, PIECES, counted, random_text

AT_ONCE = 500
"""Texts of one example."""
LONG = (10_000, 30_000, 100_000, 1_000_000)
"""Characters of texts of one letter."""


@cache
def _encoders() -> dict[str, Encoder]:
    return {name: catalogue.encoder(name) for name in NAMES} | {
        name: own.encoder(name) for name in own.RECIPES
    }


@given(seed=st.integers(0, 2**48))
def texts_through_every_encoder(seed: int) -> None:
    random = Random(seed)
    for _ in range(AT_ONCE):
        text = random_text(random)
        for name, encoder in _encoders().items():
            try:
                properties.no_byte_is_wrong(encoder, text)
            except BaseException as error:
                raise AssertionError(f"{name}, {text!r}: {type(error).__name__}") from error


@given(
    name=st.sampled_from([*NAMES, *own.RECIPES]),
    letter=st.sampled_from([piece for piece in PIECES if len(piece) == 1]),
    length=st.sampled_from(LONG),
)
def equal_letters(name: str, letter: str, length: int) -> None:
    encoder = _encoders()[name]
    properties.no_byte_is_wrong(encoder, counted(letter * length))
