"""What a production tokenizer learns from a corpus, and what that saves on lines it has not seen.

One line in ten is held out: new tokens are learned from the others, and counted on these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import regex

from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import Encoder
from bpe.encoders.extended import ExtendedTokenizer
from bpe.training.train import Training
from playground.train import job
from playground.train.corpus import Corpus
from playground.train.progress_bar import TrainingBar
from playground.ui import caches
from playground.ui.i18n import _

HELD_OUT = 10
"""One line in so many is held out."""

MOST_HELD = 1_000_000
"""Characters of held-out text that are counted."""

_TOKEN_BYTES = 200
"""About how much memory a token of the vocabulary takes."""
_HANZI = regex.compile(r"\p{Script=Han}")


@dataclass(frozen=True)
class Saved:
    """Tokens of held-out text before and after."""

    kind: Literal["zh", "other"]
    """Lines with 汉字, or the others."""
    characters: int
    before: int
    after: int


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
    train, held = split_lines(corpus.texts)
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
    saved, sample = measure(start, tokenizer, held or train)
    bar.remove()
    return Mine(tokenizer, saved, bool(held), sample)


def split_lines(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the texts without each tenth line, and these lines; none of fewer than ten.

    >>> split_lines(["1\\n2\\n", "3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11"])
    (['1\\n2\\n', '3\\n4\\n5\\n6\\n7\\n8\\n9\\n11'], ['10\\n'])
    """
    train: list[str] = []
    held: list[str] = []
    number = 0
    for text in texts:
        learned: list[str] = []
        for line in text.splitlines(keepends=True):
            number += 1
            (learned if number % HELD_OUT else held).append(line)
        train.append("".join(learned))
    return train, held


def measure(before: Encoder, after: Encoder, lines: Sequence[str]) -> tuple[tuple[Saved, ...], str]:
    """Count lines by both tokenizers; return the sums, and the line that becomes shortest."""
    sums: dict[Literal["zh", "other"], list[int]] = {"zh": [0, 0, 0], "other": [0, 0, 0]}
    sample, most, characters = "", 0, 0
    for line in lines:
        part = line[: MOST_HELD - characters]
        characters += len(part)
        if not part:
            break
        counts = (len(part), before.count(part), after.count(part))
        row = sums["zh" if _HANZI.search(part) else "other"]
        for at, count in enumerate(counts):
            row[at] += count
        if counts[1] - counts[2] > most and len(part) <= 200:
            sample, most = part.strip(), counts[1] - counts[2]
    saved = tuple(Saved(kind, *row) for kind, row in sums.items() if row[0])
    return saved, sample


def rows(tokenizer: ExtendedTokenizer) -> list[tuple[int, str, str, str, int]]:
    """Return id, new token, its parts and its count, for each new merge in order."""
    merges = map(tokenizer.readable_merge, tokenizer.new_merges)
    return [(each.id or 0, each.new, each.left, each.right, each.count) for each in merges]
