"""What a production tokenizer learns from a corpus, and what that saves on lines it has not seen.

One line in ten is held out: new tokens are learned from the others, and counted on these.
"""

from dataclasses import dataclass
from typing import cast

from bpe.algorithm.recipe import Recipe
from bpe.analysis.experiments import Saved, hold_out, savings
from bpe.encoders.base import Encoder
from bpe.encoders.extended import ExtendedTokenizer
from bpe.training.train import Training
from playground.train import job
from playground.train.corpus import Corpus
from playground.train.progress_bar import TrainingBar
from playground.ui import caches
from playground.ui.i18n import _

_TOKEN_BYTES = 200
"""About how much memory a token of the vocabulary takes."""


@dataclass(frozen=True)
class Mine:
    """A production tokenizer with new tokens, and what they save."""

    tokenizer: ExtendedTokenizer
    saved: tuple[Saved, ...]
    held_out: bool
    """Whether the lines are held out; a corpus of few lines is measured on itself."""
    sample: str
    """The line that is cut with the most tokens fewer."""


def learn(corpus: Corpus, code: str, start: Encoder, tokens: int) -> Mine:
    """Return ``start`` with new tokens of the corpus, cached in the session."""
    return caches.cached(
        ("extended", corpus.digest, code, tokens),
        lambda: _learn(corpus, start, tokens),
        memory=start.vocabulary_size * _TOKEN_BYTES,
        of=(start,),
    )


def _learn(corpus: Corpus, start: Encoder, tokens: int) -> Mine:
    train, held = hold_out(corpus.texts)
    bar = TrainingBar()
    with job.turn(2 * sum(map(len, train)), bar):
        training = Training(
            train,
            Recipe(merges=tokens, min_frequency=2),
            start=start,
            name=f"{start.name} + {corpus.name}",
            on_progress=bar.progress,
        )
        for number, merge in enumerate(training, start=1):
            if bar.is_due():
                bar.merged(number, training.share, _("token {id}").format(id=merge[2]), merge.count)
        bar.measuring()
    tokenizer = cast(ExtendedTokenizer, training.tokenizer())  # as it has a start
    saved, sample = savings(start, tokenizer, held or train)
    bar.remove()
    return Mine(tokenizer, saved, bool(held), sample)


def rows(tokenizer: ExtendedTokenizer) -> list[tuple[int, str, str, str, int]]:
    """Return id, new token, its parts and its count, for each new merge in order."""
    merges = map(tokenizer.readable_merge, tokenizer.new_merges)
    return [(each.id or 0, each.new, each.left, each.right, each.count) for each in merges]
