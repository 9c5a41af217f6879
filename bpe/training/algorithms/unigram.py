"""Unigram: pieces with their probabilities, fitted by Hugging Face ``tokenizers``."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any

from bpe.algorithm.films import Cut, Film
from bpe.encoders.base import Encoder, TrainingRecord
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.errors import library
from bpe.progress import OnProgress, Progress, while_waiting
from bpe.training.algorithms.base import Learner, Learning, OfSymbols, Step, Trained, Words
from bpe.training.algorithms.pieces import OfMetaspace

MOST_CHARACTERS = 2_000_000
"""Characters of the different words that Unigram is fitted to. Of more, the most frequent half is
taken, and an even sample of the others that counts for all of them."""

MOST_OCCURRENCES = 4_000_000
"""How often they all may occur; of more, all numbers are divided, and none falls below one."""

FEWEST_SEEDS, MOST_SEEDS = 400_000, 1_000_000
"""Pieces that a training begins with, where a corpus has so many. With a quarter of them English
words had 3 % more tokens at a vocabulary of 8,000."""

MOST_STEPS = 48
"""Steps in which pieces leave, in a film."""

_LONGEST_FITTED = 1_000
"""Characters of the longest word that Unigram is fitted to at once; the engine's stack overflows
somewhere between a hundred thousand and a million."""
_FITTED_AT_ONCE = 1_000
"""Characters of different words that are fitted in some milliseconds: where other threads work,
starting one and waiting for it takes ten times as long."""
_IN_UNKNOWN = re.compile("(?<=<UN)(?=K>)")
"""A place to cut the name that the engine has for what is unknown. It has no likelihood, and where
a word contains it, the engine panics."""


class Unigram(OfMetaspace):
    """Unigram as in T5. It makes no merges: it is fitted where the iteration begins, and ends."""

    asks = frozenset({"unknown"})
    makes_merges = False

    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Learning:
        return _Fitting(self, words, on_progress)

    def effort(self, size: int, characters: int, hanzi: float) -> tuple[float, float]:
        size = min(size, 20_000_000)  # of more, a sample is taken
        return size * 6e-6, size * 70

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
        first = dict(self.fit(words, whole=True))
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

        names = frozenset(entry for entry in self.fixed if entry.startswith("<0x"))
        return Film(tuple(first), cuts, bytes=names, dropped=dropped)

    def fit(
        self,
        word_counts: Mapping[str, int],
        on_progress: OnProgress = lambda progress: None,
        *,
        whole: bool = False,
    ) -> list[tuple[str, float]]:
        """Return pieces with their scores, until the vocabulary has the size of the recipe.

        The ``whole`` vocabulary is the one before any piece is dropped.
        The fitting takes words in no order, so that the last digits of its figures differ from run
        to run. They are rounded, and equal pieces put in order, for a recipe to give one tokenizer.
        """
        fixed = self.fixed
        alphabet = len(set().union(*word_counts)) if word_counts else 0
        size = max((self.recipe.vocabulary_size or 0) - len(fixed), alphabet)
        wanted = MOST_SEEDS if whole else size
        pieces = _pieces(word_counts, wanted, size, alphabet, on_progress) if alphabet else []
        # A byte must never be likelier than the characters that its name is spelled with.
        entries = [(entry, -1000.0 if entry.startswith("<0x") else 0.0) for entry in fixed]
        return [*entries, *(piece for piece in pieces if piece[0] not in fixed)]


ALGORITHM = Unigram


class _Fitting(OfSymbols):
    """A training without merges; what there is before are the characters."""

    def __init__(
        self, algorithm: Unigram, words: Mapping[str, int], on_progress: OnProgress
    ) -> None:
        symbols = dict.fromkeys([*algorithm.fixed, *chain.from_iterable(words)])
        super().__init__(algorithm.recipe, tuple(symbols), self._fit(words, on_progress))
        self.sampled = sum(map(len, words)) > MOST_CHARACTERS
        self._algorithm = algorithm
        self._entries: list[tuple[str, float]] = []

    def _fit(self, words: Mapping[str, int], on_progress: OnProgress) -> Iterator[Step]:
        self._entries = self._algorithm.fit(words, on_progress)
        yield from ()

    @property
    def vocabulary_size(self) -> int:
        return len(self._entries) or len(self.symbols)

    def tokenizer(self, corpus_digest: str, name: str) -> Trained:
        list(self)
        model = {
            "type": "Unigram",
            "unk_id": self._algorithm.fixed.index(self._algorithm.unknown),
            "vocab": [list(entry) for entry in self._entries],
            "byte_fallback": self.recipe.has_all_bytes,
        }
        vocabulary = {entry: number for number, (entry, _) in enumerate(self._entries)}
        record = TrainingRecord(self.recipe, corpus_digest, scores=tuple(self._entries))
        return self._algorithm.encoder(model, vocabulary, name, record)


def _pieces(
    word_counts: Mapping[str, int],
    size: int,
    seeds_for: int,
    alphabet: int,
    on_progress: OnProgress,
) -> list[tuple[str, float]]:
    """Return pieces with their scores, ``size`` at the most, which every character fits into.

    The training begins with as many as it does for a vocabulary of size ``seeds_for``.
    """
    tokenizers = library("tokenizers")
    engine = tokenizers.Tokenizer(tokenizers.models.Unigram())
    # Asked for fewer than ten characters and nothing else, the engine never ends.
    wanted = max(size, min(alphabet + 1, 10))
    seeds: Any = {"seed_size": min(max(12 * seeds_for, FEWEST_SEEDS), MOST_SEEDS)}  # not in stubs
    trainer = tokenizers.trainers.UnigramTrainer(
        vocab_size=wanted, show_progress=False, special_tokens=[], **seeds
    )
    sample = sampled(word_counts)
    divisor = max(sum(sample.values()) / MOST_OCCURRENCES, 1)
    words = (
        word[place : place + _LONGEST_FITTED]
        for whole, count in sample.items()
        for word in _IN_UNKNOWN.split(whole)
        for _ in range(max(round(count / divisor), 1))
        for place in range(0, len(word), _LONGEST_FITTED)
    )

    def fit() -> None:
        engine.train_from_iterator(words, trainer)

    if sum(map(len, sample)) <= _FITTED_AT_ONCE:
        fit()
    else:
        while_waiting(fit, lambda: on_progress(Progress("fitting", 0, None)))
    settled = _settled(json.loads(engine.to_str())["model"]["vocab"])
    longer = [piece for piece in settled if len(piece[0]) > 1]
    left_out = set(longer[len(longer) - max(len(settled) - size, 0) :])
    return [piece for piece in settled if piece not in left_out]


def _cut(engine: Any, word: str) -> list[str]:
    return [token.value for token in engine.tokenize(word)]


def sampled(word_counts: Mapping[str, int]) -> Mapping[str, int]:
    """Return some of the words where all are too many, with numbers that stand for all.

    A character of the others is a word of its own, so that all have a piece.
    """
    if sum(map(len, word_counts)) <= MOST_CHARACTERS:
        return word_counts
    ordered = sorted(word_counts.items(), key=lambda item: -item[1])
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


def _settled(pieces: Sequence[Sequence[Any]]) -> list[tuple[str, float]]:
    """Return pieces with their scores as every run gives them, the likeliest first.

    Characters without a piece of their own are put in at the end, each a ten-thousandth likelier
    than the one before, in the order of a hash table: all of them get the lowest score instead.
    """
    lowest = min(score for _, score in pieces)

    def settled(piece: str, score: float) -> float:
        steps = (score - lowest) * 10_000
        put_in = len(piece) == 1 and steps < len(pieces) and abs(steps - round(steps)) < 1e-6
        return round(lowest if put_in else score, 6)

    scored = [(str(piece), settled(piece, score)) for piece, score in pieces]
    return sorted(scored, key=lambda entry: (-entry[1], entry[0]))
