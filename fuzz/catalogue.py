"""The production tokenizers, against plain Python and against tiktoken."""

from functools import cache
from itertools import chain

import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import WORTH_BUILDING, BytePairEncoder
from bpe.text.pretokenize import PATTERNS, split
from fuzz import properties
from tests.support.texts import NAMES, texts

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
