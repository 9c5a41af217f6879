"""The production tokenizers, against their own promises and against tiktoken."""

from functools import cache
from itertools import chain

import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import WORTH_BUILDING, BytePairEncoder
from bpe.training.pretokenize import PATTERNS, split
from fuzz import properties
from fuzz.texts import NAMES, several, steps, texts

names = st.sampled_from(NAMES)
byte_level = st.sampled_from([entry.name for entry in catalog.encodings() if entry.pattern])


@cache
def encoder(name: str) -> Encoder:
    loaded = catalog.encoding(name)
    loaded.count("so many characters build the compiled encoder " * WORTH_BUILDING)
    return loaded


@cache
def reference(name: str) -> tiktoken.Encoding:
    ours = catalog.encoding(name)
    assert isinstance(ours, BytePairEncoder)
    return tiktoken.Encoding(
        name,
        pat_str=PATTERNS[ours.pattern or ""] or "",
        mergeable_ranks=dict(ours.ranks),
        special_tokens={},
    )


@given(name=names, text=texts)
def bytes_are_the_text(name: str, text: str) -> None:
    properties.the_bytes_are_the_text(encoder(name), text)


@given(name=names, text=texts, step=steps)
def counting_in_steps(name: str, text: str, step: int) -> None:
    properties.counting_in_steps_is_counting(encoder(name), text, step)


@given(name=names, texts=several, step=steps)
def streams(name: str, texts: list[str], step: int) -> None:
    properties.a_stream_has_the_ids_of_the_whole(encoder(name), texts, step)


@given(name=names, texts=several)
def arrays_and_batches(name: str, texts: list[str]) -> None:
    properties.arrays_and_batches_have_the_same_ids(encoder(name), texts)


@given(name=names, text=texts)
def offsets(name: str, text: str) -> None:
    properties.offsets_follow_each_other(encoder(name), text)


@given(name=byte_level, text=texts)
def compiled_is_plain(name: str, text: str) -> None:
    ours = encoder(name)
    assert isinstance(ours, BytePairEncoder)
    words = split(properties.prepared(ours, text), ours.pattern or "")
    plain = list(chain.from_iterable(ours.encode_word(word.encode()) for word in words))
    assert ours.encode_ordinary(text) == plain


@given(name=byte_level, text=texts)
def tiktoken_has_the_same_ids(name: str, text: str) -> None:
    ours = encoder(name)
    theirs = reference(name).encode_ordinary(properties.prepared(ours, text))
    assert ours.encode_ordinary(text) == theirs
