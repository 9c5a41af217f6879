"""A character tokenizer comes back from our own file, and from no other."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe import files as formats
from bpe.algorithm.recipe import TIE_BREAKS_OF_ALL, Recipe
from bpe.encoders.character import CharacterTokenizer
from bpe.errors import BPEError

TEXT = "low lower lowest 看路 看天 看路灯 路灯"


def trained(text: str = TEXT, **options) -> CharacterTokenizer:
    tokenizer = bpe.train([text], Recipe(algorithm="character-bpe", **options))
    assert isinstance(tokenizer, CharacterTokenizer)
    return tokenizer


def outcome(tokenizer: CharacterTokenizer, text: str) -> list[int] | str:
    try:
        return tokenizer.encode(text)
    except BPEError as error:
        return str(error)


@settings(derandomize=True)
@given(
    words=st.lists(st.text("ab中</w>", min_size=1, max_size=9), min_size=1, max_size=8),
    word=st.text("ab中", max_size=12),
    tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
    size=st.none() | st.integers(1, 30),
    prune=st.booleans(),
    unknown=st.sampled_from([None, "<unk>"]),
)
def test_every_tokenizer_comes_back(words, word, tie_break, size, prune, unknown):
    tokenizer = trained(
        " ".join(words), tie_break=tie_break, vocabulary_size=size, prune=prune, unknown=unknown
    )
    loaded = formats.loads(formats.dumps(tokenizer))
    assert loaded == tokenizer
    for text in (" ".join(words), word):
        assert outcome(loaded, text) == outcome(tokenizer, text)


def test_an_order_of_ids_is_one_of_the_vocabulary():
    tokenizer = trained(merges=9)
    other = replace(tokenizer, order=tuple(sorted(tokenizer.vocabulary)))
    own = formats.dumps(other)
    assert formats.loads(own) == other != tokenizer
    broken = own["tokenizer.bpe.json"].replace(b'"order": [', b'"order": ["?",')
    with pytest.raises(BPEError, match="its order is not one of its vocabulary"):
        formats.loads({"tokenizer.bpe.json": broken})
