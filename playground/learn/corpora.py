"""The corpora of lessons: our own sample texts, learned once for everybody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.merge import merge_by_heap
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.documents import samples
from bpe.encoders.trained import Tokenizer
from bpe.teaching.lessons import split_words
from bpe.text.pretokenize import split
from bpe.text.unicode import scalar_text
from bpe.training.train import Training, train
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


def _merges(word_counts: Mapping[bytes, int], number: int) -> Iterator[Merge]:
    """Yield at most so many merges, from the fastest learner that is ready."""
    training = Training(WordCounts.of(word_counts), Recipe(merges=number))
    return (merge for merge in training if isinstance(merge, Merge))


Ranks = dict[tuple[int, int], tuple[int, int]]
"""Rank and new symbol of each pair."""


@dataclass(frozen=True)
class Stages:
    """A training at several of its merges: what symbols stand for, and the ranks up to each."""

    spelling: tuple[bytes, ...]
    ranks: tuple[Ranks, ...]

    def sizes(self, piece: str, stage: int) -> list[int]:
        """Return how many bytes the tokens of a pre-token have at a stage."""
        symbols = merge_by_heap(list(piece.encode()), self.ranks[stage].get)
        return [len(self.spelling[symbol]) for symbol in symbols]


def stages(word_counts: Mapping[bytes, int], at: Sequence[int]) -> Stages:
    """Learn from counted words, and keep the ranks after the numbers of merges in ``at``."""
    spelling = [bytes([byte]) for byte in range(BYTES)]
    ranks: Ranks = {}
    stored = []
    merges = _merges(word_counts, at[-1])
    for number in range(at[-1] + 1):
        if number in at:
            stored.append(dict(ranks))
        if (merge := next(merges, None)) is not None:
            spelling.append(spelling[merge.left] + spelling[merge.right])
            ranks[merge.left, merge.right] = (number, merge.new_id)
    return Stages(tuple(spelling), tuple(stored))


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
