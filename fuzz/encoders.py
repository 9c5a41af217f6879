"""What every encoder promises: those of the catalogue, and one of every recipe."""

from hypothesis import given
from hypothesis import strategies as st

from bpe.encoders.base import Encoder
from fuzz import catalogue, own, properties
from tests.support.texts import NAMES, several, steps, texts

ALL = [*NAMES, *own.RECIPES]
names = st.sampled_from(ALL)


def encoder(name: str) -> Encoder:
    return own.encoder(name) if name in own.RECIPES else catalogue.encoder(name)


@given(name=names, text=texts)
def bytes_are_the_text(name: str, text: str) -> None:
    properties.no_byte_is_wrong(encoder(name), text)


@given(name=names, text=texts, step=steps)
def counting_in_steps(name: str, text: str, step: int) -> None:
    properties.counting_to_a_limit_is_counting(encoder(name), text, step)


@given(name=names, texts=several, step=steps)
def streams(name: str, texts: list[str], step: int) -> None:
    properties.a_stream_has_the_ids_of_the_whole(encoder(name), texts, step)


@given(name=names, texts=several)
def arrays_and_batches(name: str, texts: list[str]) -> None:
    properties.arrays_and_batches_have_the_same_ids(encoder(name), texts)


@given(name=names, text=texts)
def offsets(name: str, text: str) -> None:
    properties.offsets_follow_each_other(encoder(name), text)
