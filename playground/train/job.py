"""Training as a page needs it: with its progress in view, stopped by a click, and done once.

The same corpus and recipe are trained once for all sessions: the result is cached for the whole
server under the digests of both, while there is room. Of corpora that
take a while, two are trained at a time, and of large ones one: more take the memory that small
servers have, and hold up whoever reads.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any, cast

import streamlit as st

from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import Merge, Recipe, StopReason
from bpe.algorithm.wordpiece import PieceMerge
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.progress import Progress
from bpe.text.readable import readable
from bpe.training.algorithms.base import Step
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
NEWEST = 12
"""Tokens that are shown as they are learned."""
_BARS = 60
"""Points of the curve."""


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
            self._film = st.empty()
            if over_former:
                st.caption(_("Below is still the former result."))
        self._drawn = 0.0
        self._began: float | None = None
        self._counts: list[int] = []

    def waiting(self, place: int) -> None:
        """Say which place in the queue this training has, from 1 for the next."""
        if self.is_due():
            self._text = _("Other corpora are trained first; place in the queue: {place}").format(
                place=place
            )
            self._draw(0.0)

    def progress(self, progress: Progress) -> None:
        """Draw the progress of a training; while it merges, only where a merge takes long.

        Otherwise :meth:`merged` draws, and has more to say.
        """
        if self.is_due(2 * REDRAW if progress.phase == "merging" else REDRAW):
            match progress.phase:
                case "compiling":
                    self._text = _("Compiling the learner, once for this server…")
                case "counting":
                    self._text = _("Counting words: {done} of {total} characters").format(
                        done=f"{progress.done:,}", total=f"{progress.total or progress.done:,}"
                    )
                case "joining":
                    self._text = _("Gathering the words…")
                case "indexing":
                    self._text = _("Looking up where each pair occurs…")
                case "fitting":
                    self._text = _("Fitting the pieces…")
            self._draw(progress.share)

    def merged(self, number: int, share: float, tokens: Sequence[str], count: int) -> None:
        """Draw the last merges, and the part of all merges that is made, from 0 to 1.

        ``tokens`` are what they made, the newest last; ``count`` is how often that one was seen.
        """
        if not self.is_due():
            return
        self._text = _("Merge {number}: `{token}`, seen {count} times").format(
            number=f"{number:,}", token=tokens[-1].replace("`", "ˋ"), count=f"{count:,}"
        )
        self._draw(share)
        self._counts.append(count)
        if self._began is None:
            self._began, self._first = self._drawn, number
        facts = []
        if seconds := self._drawn - self._began:
            rate = f"{(number - self._first) / seconds:,.0f}"
            facts.append(_("{rate} merges a second").format(rate=rate))
        if seconds and share:
            rest = f"{seconds / share * (1 - share):.0f}"
            facts.append(_("about {seconds} s left").format(seconds=rest))
        self._film.html(_film(tokens, self._counts, " · ".join(facts)))

    def measuring(self) -> None:
        """Say that the merges are made and the curve is being measured."""
        if self.is_due():
            self._text = _("Measuring the curve…")
            self._draw(1.0)

    def remove(self) -> None:
        self._place.empty()

    def is_due(self, seconds: float = REDRAW) -> bool:
        """Whether the last drawing is old enough for another."""
        return time.perf_counter() - self._drawn > seconds

    def _draw(self, share: float) -> None:
        self._drawn = time.perf_counter()
        self._bar.progress(share, text=self._text)


def _film(tokens: Sequence[str], counts: Sequence[int], line: str) -> str:
    """Return the newest tokens, the curve of their counts (logarithmic), and a line below."""
    shown = "".join(f"<span>{escape(token)}</span>" for token in reversed(tokens))
    heights = [math.log1p(count) for count in counts[:: len(counts) // _BARS + 1]]
    bars = "".join(f'<i style="height:{height / max(heights):.0%}"></i>' for height in heights)
    return (
        f'<div class="training-film"><p aria-hidden="true">{shown}</p>'
        f'<div aria-hidden="true">{bars}</div><small>{escape(line)}</small></div>'
    )


class TrainingQueue:
    """A queue of threads with work of some size. All methods may be called from several.

    Two may be at work at a time, and not together on more than :data:`LARGE`.
    """

    def __init__(self) -> None:
        self._queue: list[list[int]] = []
        """The sizes of those at work, then of those who wait."""
        self._moved = threading.Condition()

    def __len__(self) -> int:
        return len(self._queue)

    @contextmanager
    def turn(self, size: int, waiting: Callable[[int], object]) -> Iterator[None]:
        """Wait for the turn, and have it until the end of the block.

        Meanwhile ``waiting`` is told the place, from 1 for the next, some times a second. It may
        raise, which leaves the queue.
        """
        ticket = [size]  # a list, as equal sizes are not the same ticket
        with self._moved:
            self._queue.append(ticket)
        try:
            while (place := self._place(ticket)) > 0:
                waiting(place)
                with self._moved:
                    self._moved.wait(LOOK_EVERY)
            yield
        finally:
            with self._moved:
                del self._queue[self._index(ticket)]
                self._moved.notify_all()

    def _index(self, ticket: list[int]) -> int:
        return next(place for place, each in enumerate(self._queue) if each is ticket)

    def _place(self, ticket: list[int]) -> int:
        """Return how many are to end before the turn comes, or 0."""
        with self._moved:
            index = self._index(ticket)
            both = index == 1 and self._queue[0][0] + ticket[0] <= LARGE
            return 0 if both else index


_turns = TrainingQueue()


@dataclass
class Trained:
    """A trained tokenizer with what its page shows beside it."""

    tokenizer: Encoder
    recipe: Recipe
    corpus_digest: str
    merges: tuple[Any, ...]
    """Of Unigram, none."""
    stop_reason: StopReason
    corpus_bytes: int
    seconds: float
    learner: str
    """Which learner found the merges."""
    usage: Usage | None
    """How often each merge is made in the corpus; ``None`` where Unigram drops no piece or has a
    large corpus."""
    sampled: bool = False
    """Whether it was fitted to a sample of the words."""

    @property
    def identity(self) -> str:
        """A name: the same corpus and recipe, the same tokenizer."""
        return f"{self.corpus_digest}-{self.recipe.digest}"


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
        with turn(corpus.work, bar):
            trained = memory.shared.get(key) or _train(corpus, recipe, bar)
    except BPEError:
        bar.remove()
        raise
    size = _PIECES_BYTES + _TOKEN_BYTES * len(trained.merges)
    memory.shared.put(key, trained, size)
    bar.remove()
    return trained


@contextmanager
def turn(size: int, bar: TrainingBar) -> Iterator[None]:
    """Wait for the turn of a corpus, and make room for the work on it; small ones need not wait.

    ``size`` is about how many bytes are read.
    """
    if size < SMALL:
        yield
        return
    with _turns.turn(size, bar.waiting):
        memory.make_room(_WORK_BYTES * size)
        yield


def _train(corpus: Corpus, recipe: Recipe, bar: TrainingBar) -> Trained:
    started = time.perf_counter()
    training = Training(corpus.texts, recipe, on_progress=bar.progress)
    spellings = [bytes([byte]) for byte in range(256)]
    spellings += [token.encode() for token in recipe.special_tokens]
    merges: list[Step] = []
    for number, merge in enumerate(training, start=1):
        merges.append(merge)
        if isinstance(merge, Merge):
            spellings.append(spellings[merge.left] + spellings[merge.right])
        if bar.is_due():
            newest = merges[-NEWEST:]
            new = [
                m.new
                if isinstance(m, CharacterMerge | PieceMerge)
                else readable(spellings[m.new_id])
                for m in newest
            ]
            bar.merged(number, training.share, new, merge.count)
    seconds = time.perf_counter() - started
    bar.measuring()
    tokenizer = training.tokenizer()
    counted = usage.count(tokenizer, corpus.texts, bar.measuring, recipe=recipe, merges=merges)
    return Trained(
        tokenizer,
        recipe,
        training.corpus_digest,
        tuple(merges),
        training.stop_reason,
        training.corpus_bytes,
        seconds,
        training.learner,
        counted,
        training.sampled,
    )
