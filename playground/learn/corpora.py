"""What the lessons learn from: our own sample texts, learned once for everybody."""

from dataclasses import dataclass

import streamlit as st

from bpe.algorithm import incremental
from bpe.algorithm.merging import merge_by_heap
from bpe.algorithm.relatives import split_words
from bpe.text import samples
from bpe.text.unicode import scalar_text
from bpe.training.pretokenize import count_words, split
from bpe.training.recipe import BYTES, Recipe
from playground.merge_view import EventMerge, Events

MERGES = 2_000
PATTERN = "gpt2"


def sample_text() -> str:
    """Return the Chinese and English sample corpora."""
    return samples.corpus("zh") + "\n" + samples.corpus("en")


@st.cache_resource(show_spinner=False)
def learned() -> Events:
    """Return byte-level BPE learned from the sample corpora: 2,000 merges, without their rounds."""
    merges = incremental.learn(count_words([sample_text()], PATTERN), Recipe(merges=MERGES))
    symbols = tuple(bytes([byte]) for byte in range(BYTES))
    return Events("bytes", (), symbols, tuple(EventMerge(*merge) for merge in merges), ())


@dataclass(frozen=True)
class WordList:
    """What word and character codings know of the sample corpora."""

    words: frozenset[str]
    characters: frozenset[str]


@st.cache_resource(show_spinner=False)
def word_list() -> WordList:
    """Return every word and every character of the sample corpora."""
    text = sample_text()
    words = frozenset(word for word in split_words(text) if not word.isspace())
    return WordList(words, frozenset(text))


def pieces_of(text: str) -> list[str]:
    """Return the pre-tokens of a text as :func:`learned` cuts them."""
    return list(split(text, PATTERN))


def encoded(text: str) -> list[bytes]:
    """Return the tokens of a text under all merges of :func:`learned`."""
    spelling, ranks = _table()
    return [
        spelling[symbol]
        for piece in pieces_of(scalar_text(text))
        for symbol in merge_by_heap(list(piece.encode()), ranks)
    ]


@st.cache_resource(show_spinner=False)
def _table() -> tuple[list[bytes], dict[tuple[int, int], tuple[int, int]]]:
    """Return what each symbol stands for, and the rank and new symbol of each pair."""
    spelling = [bytes([byte]) for byte in range(BYTES)]
    ranks = {}
    for rank, merge in enumerate(learned().merges):
        spelling.append(spelling[merge.left] + spelling[merge.right])
        ranks[merge.left, merge.right] = (rank, merge.new)
    return spelling, ranks


@st.cache_resource(show_spinner=False)
def merges() -> tuple[tuple[bytes, bytes], ...]:
    """Return the merges of :func:`learned`, spelled out."""
    spelling, _ = _table()
    return tuple((spelling[merge.left], spelling[merge.right]) for merge in learned().merges)
