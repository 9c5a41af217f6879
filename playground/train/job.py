"""Training as a page needs it: with its progress in view, stopped by a click, and done once.

The same corpus and recipe are trained once for everybody: the result is kept for the whole server
under the digests of both. Training runs outside the cached function, because drawing progress and
being stopped need Streamlit calls between merges; what is cached is the place for the result,
which a click in the middle of a training leaves empty.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import streamlit as st

from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.text.readable import readable
from bpe.training.identity import digest
from bpe.training.progress import OnProgress, Progress
from bpe.training.recipe import Merge, Recipe
from bpe.training.train import Training
from playground.train import usage
from playground.train.progress_bar import TrainingBar
from playground.train.usage import Usage


@dataclass(frozen=True)
class Phase:
    """One part of a training: how long it took, and what the server took up at its end."""

    name: str
    """As in :mod:`bpe.training.progress`, and ``"curves"`` at last."""
    seconds: float
    memory: int | None
    """Bytes in memory of the whole server, where the system tells."""


class _Watch:
    """Notes when a training goes from one phase to the next."""

    def __init__(self, on_progress: OnProgress) -> None:
        self.phases: list[Phase] = []
        self._on_progress = on_progress
        self._name = "counting"
        self._began = time.perf_counter()

    def hear(self, progress: Progress) -> None:
        """Pass progress on."""
        self.turn(progress.phase)
        self._on_progress(progress)

    def turn(self, name: str) -> None:
        """End the phase under way, unless it goes on."""
        if name == self._name:
            return
        now = time.perf_counter()
        self.phases.append(Phase(self._name, now - self._began, _memory()))
        self._name, self._began = name, now


def _memory() -> int | None:
    """Return how many bytes the process has in memory."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


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
    phases: tuple[Phase, ...] = ()
    """What the time went to, in order."""


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
        watch = _Watch(bar.hear)
        training = Training(texts, recipe, on_progress=watch.hear)
        spellings = [bytes([byte]) for byte in range(256)]
        spellings += [token.encode() for token in recipe.special_tokens]
        for number, merge in enumerate(training, start=1):
            watch.turn("merging")
            if isinstance(merge, Merge):
                spellings.append(spellings[merge.left] + spellings[merge.right])
            if bar.is_due():
                new = readable(spellings[-1]) if isinstance(merge, Merge) else merge.new
                bar.merged(number, training.share, new, merge.count)
        seconds = time.perf_counter() - started
        watch.turn("curves")
        bar.measuring()
        # The form has these two algorithms.
        tokenizer = cast(Tokenizer | CharacterTokenizer, training.tokenizer())
        counted = usage.count(tokenizer, texts, bar.measuring)
        watch.turn("")
        result.trained = Trained(
            tokenizer,
            training.documents,
            training.corpus_bytes,
            seconds,
            training.learner,
            counted,
            tuple(watch.phases),
        )
        bar.remove()
    return result.trained
