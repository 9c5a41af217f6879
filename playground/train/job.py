"""Training as a page needs it: with its progress in view, stopped by a click, and done once.

The same corpus and recipe are trained once for all sessions: the result is cached for the whole
server under the digests of both, while there is room. Of corpora that
take a while, two are trained at a time, and of large ones one: more take the memory that small
servers have, and hold up whoever reads.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

import streamlit as st

from bpe.algorithm.recipe import BYTES, Merge, Recipe, StopReason
from bpe.encoders.base import Encoder, TrainingRecord
from bpe.errors import BPEError
from bpe.progress import Progress
from bpe.text.readable import readable
from bpe.training.train import Training
from playground.train import usage
from playground.train.corpus import Corpus
from playground.train.usage import Usage
from playground.ui import memory
from playground.ui.i18n import _

LOOK_EVERY = 0.15
"""Seconds between two looks at the queue, in which who waits may be stopped."""
REDRAW = 0.15
"""Seconds between two drawings, and so the time in which a click is noticed."""


class TrainingBar:
    """Draws what it is told, some times a second; a click ends the run of the page there.

    ``over_former`` says that what stands below is still the result of the training before.
    """

    def __init__(self, *, over_former: bool = False) -> None:
        self._text = _("Reading the corpus…")
        self._place = st.empty()
        # The style dims what is below by the key, of which a run of the page has one.
        with self._place.container(key="training" if over_former else None):
            self._bar = st.progress(0.0, text=self._text)
            if over_former:
                st.caption(_("Below is still the former result."))
        self._drawn = self._began = 0.0

    def waiting(self, place: int) -> None:
        """Say which place in the queue this training has, from 1 for the next."""
        text = _("Other corpora are trained first; place in the queue: {place}")
        self._say(text.format(place=place), 0.0)

    def progress(self, progress: Progress) -> None:
        """Draw the progress of a training; while it merges, only where a merge takes long.

        Otherwise :meth:`merged` draws, and has more to say.
        """
        if progress.phase == "merging" and not self.is_due(2 * REDRAW):
            return
        texts = {
            "compiling": _("Compiling the learner, once for this server…"),
            "counting": _("Counting words: {done} of {total} characters").format(
                done=f"{progress.done:,}", total=f"{progress.total or progress.done:,}"
            ),
            "joining": _("Gathering the words…"),
            "indexing": _("Looking up where each pair occurs…"),
            "fitting": _("Fitting the pieces…"),
        }
        self._say(texts.get(progress.phase, self._text), progress.share)

    def merged(self, number: int, share: float, token: str, count: int) -> None:
        """Draw the last merge, and the part of all merges that is made, from 0 to 1.

        ``token`` is what it made; ``count`` is how often that was seen.
        """
        text = _("Merge {number}: `{token}`, seen {count} times").format(
            number=f"{number:,}", token=token.replace("`", "ˋ"), count=f"{count:,}"
        )
        now = time.perf_counter()
        self._began = self._began or now
        if share and now > self._began:
            rest = f"{(now - self._began) / share * (1 - share):.0f}"
            text += " · " + _("about {seconds} s left").format(seconds=rest)
        self._say(text, share)

    def measuring(self) -> None:
        """Say that the merges are made and the curve is being measured."""
        self._say(_("Measuring the curve…"), 1.0)

    def remove(self) -> None:
        self._place.empty()

    def is_due(self, seconds: float = REDRAW) -> bool:
        """Whether the last drawing is old enough for another."""
        return time.perf_counter() - self._drawn > seconds

    def _say(self, text: str, share: float) -> None:
        if self.is_due():
            self._text, self._drawn = text, time.perf_counter()
            self._bar.progress(share, text=text)


@dataclass
class Trained:
    """A trained tokenizer with what its page shows beside it."""

    tokenizer: Encoder
    record: TrainingRecord
    stop_reason: StopReason
    corpus_bytes: int
    seconds: float
    learner: str
    """Which learner found the merges."""
    usage: Usage | None
    """How often each merge is made in the corpus; ``None`` where Unigram drops no piece or has a
    large corpus."""
    sampled: bool
    """Whether it was fitted to a sample of the words."""

    @property
    def identity(self) -> str:
        """A name: the same corpus and recipe, the same tokenizer."""
        return f"{self.record.corpus_digest}-{self.record.recipe.digest}"


LARGE = 5 * 2**20
"""Bytes that two corpora have together at the most which are trained at the same time."""
SMALL = 2**19
"""Bytes of a corpus below which it need not wait, and no room is made for what it takes."""
_TOKEN_BYTES, _PIECES_BYTES = 700, 8 << 20
"""About how much memory a training takes for each merge; and for the pieces it encoded last."""
_WORK_BYTES = 20
"""About how much more it takes for each byte of a corpus while it is at work, mostly less."""


def train(corpus: Corpus, recipe: Recipe, *, over_former: bool = False) -> Trained:
    """Return the tokenizer of a corpus and a recipe, drawing progress while it is trained.

    ``over_former`` says that the result of another training is still shown below. What cannot be
    trained raises :class:`bpe.BPEError`.
    """
    key = ("training", f"{corpus.digest}-{recipe.digest}")
    if (cached := memory.shared.get(key)) is not None:
        return cast(Trained, cached)
    bar = TrainingBar(over_former=over_former)
    try:
        with turn(corpus.work, bar.waiting):
            trained = memory.shared.get(key) or _train(corpus, recipe, bar)
    except BPEError:
        bar.remove()
        raise
    size = _PIECES_BYTES + _TOKEN_BYTES * len(trained.record.merges)
    memory.shared.put(key, trained, size)
    bar.remove()
    return trained


_queue: dict[object, int] = {}
"""The sizes of the corpora at work, then of those that wait. Every operation on it is atomic."""


@contextmanager
def turn(size: int, waiting: Callable[[int], object]) -> Iterator[None]:
    """Wait for the turn of a corpus, and make room for the work on it; small ones need not wait.

    ``size`` is about how many bytes are read. Two may be at work at a time, and not together on
    more than :data:`LARGE`. Meanwhile ``waiting`` is told the place, from 1 for the next, some
    times a second. It may raise, which leaves the queue.
    """
    if size < SMALL:
        yield
        return
    ticket = object()
    _queue[ticket] = size
    try:
        while place := _place(ticket):
            waiting(place)
            time.sleep(LOOK_EVERY)
        memory.make_room(_WORK_BYTES * size)
        yield
    finally:
        del _queue[ticket]


def _place(ticket: object) -> int:
    """Return how many are to end before the turn comes, or 0."""
    tickets, sizes = zip(*list(_queue.items()), strict=True)
    index = tickets.index(ticket)
    return 0 if index == 1 and sizes[0] + sizes[1] <= LARGE else index


def _train(corpus: Corpus, recipe: Recipe, bar: TrainingBar) -> Trained:
    started = time.perf_counter()
    training = Training(corpus.texts, recipe, on_progress=bar.progress)
    spellings = [bytes([byte]) for byte in range(BYTES)]
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
    assert tokenizer.training is not None  # as all that is trained
    counted = usage.count(tokenizer, corpus.texts, bar.measuring)
    return Trained(
        tokenizer, tokenizer.training, training.stop_reason, training.corpus_bytes, seconds,
        training.learner, counted, training.sampled,
    )  # fmt: skip
