"""The corpora of lessons: our own sample texts, learned once for everybody."""

import streamlit as st

from bpe.algorithm.recipe import BYTES, Recipe
from bpe.documents import samples
from bpe.encoders.trained import Tokenizer
from bpe.teaching.lessons import split_words
from bpe.text.pretokenize import split
from bpe.text.unicode import scalar_text
from bpe.training.train import train
from playground.merge_view import Events

MERGES = 2_000
PATTERN = "gpt2"


def sample_text() -> str:
    return samples.corpus("zh") + "\n" + samples.corpus("en")


@st.cache_resource(show_spinner=False)
def trained(size: int = BYTES + MERGES) -> Tokenizer:
    """Return byte-level BPE of the sample corpora, by the size of its vocabulary."""
    recipe = Recipe(vocabulary_size=size, pattern=PATTERN)
    made = train([sample_text()], recipe, name="samples")
    assert isinstance(made, Tokenizer)  # as the recipe is one of bytes
    return made


def learned() -> Events:
    """Return the merges of the sample corpora without their rounds."""
    symbols = tuple(bytes([byte]) for byte in range(BYTES))
    return Events("bytes", (), symbols, tuple(trained().merges), ())


@st.cache_resource(show_spinner=False)
def word_list() -> frozenset[str]:
    return frozenset(word for word in split_words(sample_text()) if not word.isspace())


def pieces_of(text: str) -> list[str]:
    return list(split(text, PATTERN))


def encoded(text: str) -> list[bytes]:
    return [*map(trained().token_bytes, trained().encode_ordinary(scalar_text(text)))]


def merges() -> tuple[tuple[bytes, bytes], ...]:
    spelled = trained().token_bytes
    return tuple((spelled(merge.left), spelled(merge.right)) for merge in trained().merges)
