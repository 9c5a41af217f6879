"""Training as a page needs it: with its progress in view, stopped by a click, and done once.

The same corpus and recipe are trained once for all sessions: the result is cached for the whole
server under the digests of both, while there is room. Of corpora that
take a while, two are trained at a time, and of large ones one: more take the memory that small
servers have, and hold up whoever reads.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.recipe import Merge, Recipe, StopReason
from bpe.algorithm.wordpiece import PieceMerge
from bpe.analysis.reach import unreachable
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.readable import readable
from bpe.training.algorithms.base import Step
from bpe.training.train import Training
from playground.train import usage
from playground.train.corpus import Corpus
from playground.train.progress_bar import NEWEST, TrainingBar
from playground.train.usage import Usage
from playground.ui import memory

LOOK_EVERY = 0.15
"""Seconds between two looks at the queue, in which who waits may be stopped."""


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
    documents: int
    corpus_bytes: int
    seconds: float
    learner: str
    """Which learner found the merges."""
    usage: Usage | None
    """How often each merge is made in the corpus; ``None`` of counted words, and where
    Unigram drops no piece or has a large corpus."""
    unreached: int | None = None
    """Tokens that their own text does not give; ``None`` where there are too many to try."""
    sampled: bool = False
    """Whether it was fitted to a sample of the words."""

    @property
    def identity(self) -> str:
        """A name: the same corpus and recipe, the same tokenizer."""
        return f"{self.corpus_digest}-{self.recipe.digest}"


MOST_TRIED = 20_000
"""Tokens that are each encoded after a training: some 20 µs each."""
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
    if (known := memory.shared.get(key)) is not None:
        return cast(Trained, known)
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
    training = Training(corpus.trained_on, recipe, on_progress=bar.progress)
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
    counted = None
    if corpus.counts is None:
        counted = usage.count(tokenizer, corpus.texts, bar.measuring, recipe=recipe, merges=merges)
    few = tokenizer.vocabulary_size <= MOST_TRIED
    unreached = len(unreachable(tokenizer)) if few else None
    return Trained(
        tokenizer,
        recipe,
        training.corpus_digest,
        tuple(merges),
        training.stop_reason,
        training.documents,
        training.corpus_bytes,
        seconds,
        training.learner,
        counted,
        unreached,
        training.sampled,
    )
