"""Training as a page needs it: with its progress in view, stopped by a click, and done once.

The same corpus and recipe are trained once for everybody: the result is kept for the whole server
under the digests of both. Training runs outside the cached function, because drawing progress and
being stopped need Streamlit calls between merges; what is cached is the place for the result,
which a click in the middle of a training leaves empty.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from bpe.algorithm.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.text.readable import readable
from bpe.training.identity import digest
from bpe.training.recipe import Merge, Recipe
from bpe.training.train import Training
from playground.train import usage
from playground.train.progress_bar import TrainingBar
from playground.train.usage import Usage


@dataclass
class Trained:
    """A trained tokenizer with what its page shows beside it."""

    tokenizer: Tokenizer | CharacterTokenizer
    documents: int
    corpus_bytes: int
    seconds: float
    learner: str
    """Which learner found the merges."""
    usage: Usage
    """How often each merge is made in the corpus."""


@dataclass
class _Result:
    trained: Trained | None = None


@st.cache_resource(max_entries=24, show_spinner=False)
def _result(identity: str) -> _Result:
    return _Result()


def train(texts: Sequence[str], recipe: Recipe) -> Trained:
    """Return the tokenizer of a corpus and a recipe, drawing progress while it is trained."""
    result = _result(f"{digest(texts)}-{recipe.digest}")
    if result.trained is None:
        bar = TrainingBar()
        started = time.perf_counter()
        training = Training(texts, recipe, on_progress=bar.hear)
        spellings = [bytes([byte]) for byte in range(256)]
        spellings += [token.encode() for token in recipe.special_tokens]
        for number, merge in enumerate(training, start=1):
            if isinstance(merge, Merge):
                spellings.append(spellings[merge.left] + spellings[merge.right])
            if bar.is_due():
                new = readable(spellings[-1]) if isinstance(merge, Merge) else merge.new
                bar.merged(number, training.share, new, merge.count)
        seconds = time.perf_counter() - started
        bar.measuring()
        tokenizer = training.tokenizer()
        result.trained = Trained(
            tokenizer,
            training.documents,
            training.corpus_bytes,
            seconds,
            training.learner,
            usage.count(tokenizer, texts, bar.measuring),
        )
        bar.remove()
    return result.trained
