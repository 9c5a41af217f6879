"""Unigram: pieces with their probabilities, run by Hugging Face ``tokenizers``."""

import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import accumulate, pairwise
from typing import Any

from bpe.algorithm import unigram
from bpe.algorithm.films import Cut, Film
from bpe.encoders.base import Encoder
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.errors import library
from bpe.progress import OnProgress
from bpe.training.algorithms.base import Learner, Step, Trained, Words
from bpe.training.algorithms.pieces import OfMetaspace

MOST_CHARACTERS = 3_000_000
"""Characters of the different words that Unigram is fitted to. Of more, the most frequent half is
taken, and an even sample of the others that counts for all of them."""

MOST_STEPS = 48
"""Steps in which pieces leave, in a film."""


class Unigram(OfMetaspace):
    """Unigram as in T5. It makes no merges: it is fitted where the iteration begins, and ends."""

    asks = frozenset({"unknown"})
    makes_merges = False
    learners = ("naive", "compiled")
    small_if_cached = 6_000

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Step]:
        self.sampled = sum(map(len, words)) > MOST_CHARACTERS
        self.begin_with([*self.fixed, *sorted(set().union(*words))])
        self._fitting = self._fitted(words, learner, on_progress)
        return self._fitting

    def _fitted(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Step]:
        self.scores = tuple(self.fit(words, learner, on_progress))
        self.begin_with(piece for piece, _ in self.scores)
        yield from ()

    def model(self, merges: Sequence[Any]) -> dict[str, Any]:
        return {
            "type": "Unigram",
            "unk_id": self.fixed.index(self.unknown),
            "vocab": [list(entry) for entry in self.scores],
            "byte_fallback": self.recipe.has_all_bytes,
        }

    def tokenizer(self, merges: Sequence[Any], corpus_digest: str, name: str) -> Trained:
        list(self._fitting)
        return super().tokenizer(merges, corpus_digest, name)

    def effort(self, size: int, characters: int, hanzi: float) -> tuple[float, float]:
        size = min(size, 20_000_000)  # of more, a sample is taken
        return size * 1.2e-6, size * 40

    def film(
        self, tokenizer: Encoder, merges: Sequence[Any], words: Words | None = None
    ) -> Film | None:
        """Return how pieces leave, from all that a training begins with to those of a tokenizer.

        The first vocabulary and the last are those of the training. Between them the least likely
        pieces leave first, by the scores of the first; the training drops them by what the corpus
        loses, in a few rounds, and fits the scores again after each.
        """
        if not words or not isinstance(tokenizer, TokenizerJsonEncoder):
            return None
        last = dict(tokenizer.scores)
        learner = self.learner_for(sum(map(len, words)), lambda progress: None)
        first = dict(self.fit(words, learner, lambda progress: None, whole=True))
        leaving = sorted(first.keys() - last.keys(), key=lambda piece: (first[piece], piece))
        if not leaving or not last.keys() <= first.keys():
            return None
        steps = min(MOST_STEPS, len(leaving))
        ends = [len(leaving) * step // steps for step in range(steps + 1)]
        dropped = tuple(tuple(leaving[place:end]) for place, end in pairwise(ends))

        def model(scores: Mapping[str, float]) -> Any:
            unknown = self.fixed.index(self.unknown)
            return library("tokenizers").models.Unigram(
                [*scores.items()], unknown, self.recipe.has_all_bytes
            )

        def cuts(words: Sequence[str]) -> list[list[Cut]]:
            engine = model(first)
            cuts_of = [[(0, _cut(engine, word))] for word in words]
            remaining = dict(first)
            for step, pieces in enumerate(dropped, start=1):
                for piece in pieces:
                    del remaining[piece]
                again = [
                    place
                    for place, cuts in enumerate(cuts_of)
                    if step == steps or not set(pieces).isdisjoint(cuts[-1][1])
                ]
                engine = model(last if step == steps else remaining) if again else engine
                for place in again:
                    pieces_now = _cut(engine, words[place])
                    if pieces_now != cuts_of[place][-1][1]:
                        cuts_of[place].append((step, pieces_now))
            return cuts_of

        return Film(tuple(first), cuts, bytes=frozenset(self.bytes), dropped=dropped)

    def fit(
        self, words: Words, learner: Learner, on_progress: OnProgress, *, whole: bool = False
    ) -> list[tuple[str, float]]:
        """Return pieces with their scores, until the vocabulary has the size of the recipe.

        The ``whole`` vocabulary is the one before any piece is dropped.
        """
        # A byte must never be likelier than the characters that its name is spelled with.
        entries = {entry: -1000.0 if entry.startswith("<0x") else 0.0 for entry in self.fixed}
        if any(words):
            kernels = import_module("bpe.compiled.train") if learner == "compiled" else None
            lattice = unigram.Lattice(sampled(words), kernels)
            size = (self.recipe.vocabulary_size or 0) - len(entries)
            for entry in unigram.fit(lattice, sys.maxsize if whole else size, on_progress):
                entries.setdefault(*entry)
        return [*entries.items()]


ALGORITHM = Unigram


def _cut(engine: Any, word: str) -> list[str]:
    return [token.value for token in engine.tokenize(word)]


def sampled(word_counts: Mapping[str, int]) -> Mapping[str, int]:
    """Return some of the words where all are too many, with numbers that stand for all.

    A character of the others is a word of its own, so that all have a piece.
    """
    if sum(map(len, word_counts)) <= MOST_CHARACTERS:
        return word_counts
    ordered = sorted(word_counts.items(), key=lambda item: (-item[1], item[0]))
    ends = list(accumulate(len(word) for word, _ in ordered))
    whole = bisect_right(ends, MOST_CHARACTERS // 2)
    every = -(-ends[-1] // (MOST_CHARACTERS // 2))
    taken = {
        word: count if place < whole else count * every
        for place, (word, count) in enumerate(ordered)
        if place < whole or place % every == 0
    }
    others = set().union(*word_counts).difference(*taken)
    return {**taken, **dict.fromkeys(sorted(others), 1)}
