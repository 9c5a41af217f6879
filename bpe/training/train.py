"""Train a tokenizer: read the corpus once, let a learner find the merges, make a value of them.

:func:`train` does it in one call. :class:`Training` does it a merge at a time, for whoever wants
to watch, stop early or draw progress; it is the same work.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal, cast

from bpe import compiled
from bpe.algorithm import basic, character, incremental, whole_characters
from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.counts import WordCounts, checked
from bpe.algorithm.recipe import BYTES, Merge, Recipe, StopReason
from bpe.algorithm.wordpiece import PieceMerge
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.extended import ExtendedTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.progress import OnProgress, Progress
from bpe.text import pretokenize
from bpe.text.digests import CorpusDigest, digest_of_counts
from bpe.text.unicode import text_only
from bpe.training import relatives
from bpe.training.start import Start

Learner = Literal["naive", "incremental", "compiled"]

Corpus = Iterable[str] | Mapping[str, int] | Mapping[bytes, int]
Trained = Tokenizer | CharacterTokenizer | TokenizerJsonEncoder | ExtendedTokenizer

SMALL_CHARACTERS = 600_000
"""Up to this size plain Python (some 12 s for Chinese) is better than waiting for the compiler."""

LARGE_START = 5_000
"""Tokens of a vocabulary to go on from whose merges plain Python would recover for too long."""

SMALL_IF_KEPT = 60_000
"""The same, where the machine code is on disk: what plain Python learns while it is loaded."""

Step = Merge | CharacterMerge | PieceMerge
"""What a learner yields."""


class Training:
    """A training under way. Iterating yields each merge as it is made.

    ``corpus`` is texts, or words with their numbers of occurrences: pre-tokens where the recipe is
    one of bytes, else what stands between white space. Counted words are taken as they are, without
    normalising or cutting.

    ``tokenizer()`` gives the result at any moment, of the merges made so far. ``documents``,
    ``corpus_bytes`` and ``corpus_digest`` describe what was read, ``learner`` who reads.

    With ``start`` the training goes on from the merges of a byte-level encoder, whose ids stay as
    they are (:mod:`bpe.training.start`); ``recipe`` then says how many merges are made, or how
    large the vocabulary becomes with those that are there.

    The corpus is read when the training is made, its pairs are indexed before the first merge;
    ``on_progress`` hears of both, and of merges that take long. What it raises stops the training.
    Unigram makes no merges: it is fitted where the iteration begins, and ends.
    """

    def __init__(
        self,
        corpus: Corpus,
        recipe: Recipe,
        *,
        start: Encoder | None = None,
        learner: Learner | None = None,
        name: str = "trained",
        on_progress: OnProgress | None = None,
    ) -> None:
        if isinstance(corpus, str):
            raise BPEError("Give the corpus as a list of texts, not as one string.")
        if not isinstance(corpus, Iterable):
            raise TypeError(f"Give the corpus as a list of texts, not {type(corpus).__name__}.")
        if not isinstance(recipe, Recipe):
            raise TypeError(
                "Give a recipe, such as bpe.Recipe(vocabulary_size=8000), not "
                f"{type(recipe).__name__}."
            )
        if learner not in (None, "naive", "incremental", "compiled"):
            raise BPEError(
                "There is no learner “{name}”. Choose one of: {names}.",
                name=learner,
                names="naive, incremental, compiled",
            )
        self.start = None if start is None else Start(start, recipe)
        self.recipe = recipe if self.start is None else self.start.recipe
        self.name = name
        self.learner: Learner = "incremental" if learner is None else learner
        self.documents = 0
        self.corpus_bytes = 0
        self._digest: CorpusDigest | str = CorpusDigest()
        self._on_progress = on_progress or (lambda progress: None)
        self._characters: int | None = None
        if isinstance(corpus, Sequence):
            self._characters = sum(len(text_only(text)) for text in corpus)
        self._merges: list[Step] = []
        self._symbols: tuple[str, ...] = ()
        self._made: set[str] = set()
        self._fitted: Encoder | None = None
        if recipe.algorithm == "byte-bpe":
            self._learned: Iterator[Step] = self._learn_bytes(corpus, learner)
        else:
            self._learned = self._learn_characters(corpus)

    def __iter__(self) -> Iterator[Step]:
        for merge in self._learned:
            self._merges.append(merge)
            if not isinstance(merge, Merge):
                self._made.add(merge.new)
            yield merge

    @property
    def corpus_digest(self) -> str:
        """A name for the corpus: 16 hexadecimal digits that change with any document."""
        return str(self._digest)

    @property
    def share(self) -> float:
        """The part of the merges that is made, from 0 to 1; 0 where no limit is set.

        Of characters it is how far the vocabulary has grown, and pruning may take it back a step.
        """
        recipe, done = self.recipe, len(self._merges)
        if self.start is not None:
            return Progress("merging", done, self.start.limit).share
        if recipe.algorithm == "byte-bpe":
            return Progress("merging", done, recipe.merge_limit).share
        shares = [Progress("merging", done, recipe.merges).share]
        if self._merges and recipe.vocabulary_size is not None:
            grown = self._vocabulary_size() - len(self._symbols)
            needed = recipe.vocabulary_size - len(self._symbols)
            shares.append(Progress("merging", max(grown, 0), needed).share)
        return max(shares)

    @property
    def stop_reason(self) -> StopReason:
        """Which rule ended the training."""
        recipe, done = self.recipe, len(self._merges)
        if self.start is not None:
            return self.start.stop_reason(done)
        if recipe.algorithm == "byte-bpe":
            return recipe.stop_reason(done)
        if recipe.vocabulary_size is not None:
            if len(self._symbols) > recipe.vocabulary_size:
                return "alphabet"
            if self._vocabulary_size() >= recipe.vocabulary_size:
                return "vocabulary-size"
        return "merges" if done == recipe.merges else "min-frequency"

    def _vocabulary_size(self) -> int:
        if self._fitted is not None:
            return self._fitted.vocabulary_size
        last = self._merges[-1] if self._merges else None
        if isinstance(last, CharacterMerge) and self.recipe.algorithm == "character-bpe":
            return last.vocabulary_size
        return len(self._symbols) + len(self._made.difference(self._symbols))

    def tokenizer(self) -> Trained:
        """Return the tokenizer of the merges made so far."""
        if self.start is not None:
            made = cast(list[Merge], self._merges)
            return self.start.tokenizer(made, corpus_digest=self.corpus_digest, name=self.name)
        if self.recipe.algorithm == "byte-bpe":
            merges = tuple(cast(list[Merge], self._merges))
            return Tokenizer(merges, self.recipe, self.corpus_digest, self.name)
        if self.recipe.algorithm == "character-bpe":
            return CharacterTokenizer(
                self._symbols,
                tuple(cast(list[CharacterMerge], self._merges)),
                self.recipe,
                self.corpus_digest,
                self.name,
            )
        if self.recipe.algorithm != "unigram":
            steps = cast(list[relatives.Step], self._merges)
            return relatives.from_merges(self._symbols, steps, self.recipe, name=self.name)
        if self._fitted is None:
            list(self)
        return cast(TokenizerJsonEncoder, self._fitted)

    def _read(self, texts: Iterable[str]) -> Iterator[str]:
        """Pass the texts on, taking their digest and size on the way."""
        digest = CorpusDigest()
        self._digest = digest
        for text in texts:
            self.documents += 1
            self.corpus_bytes += digest.add(text_only(text))
            yield text

    def _take(self, corpus: Mapping[Any, int], kind: type[str] | type[bytes]) -> Mapping[Any, int]:
        """Take a corpus that was counted elsewhere."""
        words = checked(corpus, kind)
        if isinstance(corpus, WordCounts) and (counted := corpus.counted) is not None:
            counted.refuse_others(self.recipe)
            self.documents, self.corpus_bytes = counted.documents, counted.bytes
            self._digest = counted.digest
            return words
        self._digest = digest_of_counts(words)
        lengths = map(len, words if kind is bytes else (word.encode() for word in words))
        self.corpus_bytes = sum(
            length * count for length, count in zip(lengths, words.values(), strict=True)
        )
        return words

    def _tell(self, progress: Progress) -> None:
        """Pass progress on; how long the corpus is, only this training may know."""
        if progress.phase == "counting":
            progress = progress._replace(total=self._characters)
        self._on_progress(progress)

    def _learn_characters(self, corpus: Corpus) -> Iterator[Step]:
        if self.learner == "compiled":
            raise BPEError(
                "There is no compiled learner for characters. Use “incremental” or “naive”."
            )
        recipe = self.recipe
        counted = self._take(corpus, str) if isinstance(corpus, Mapping) else None
        if recipe.algorithm == "character-bpe":
            words: Mapping[str, int] = (
                character.count_words(self._read(cast(Iterable[str], corpus)), recipe, self._tell)
                if counted is None
                else counted
            )
            self._symbols = character.initial_vocabulary(words, recipe)
            if self.learner == "naive":
                return character.learn(words, recipe)
            return character.learn_incrementally(words, recipe, self._on_progress)
        if counted is None:
            texts = self._read(cast(Iterable[str], corpus))
            words = relatives.count_words(texts, recipe, self._tell)
        else:
            cut = isinstance(corpus, WordCounts) and corpus.counted is not None
            words = counted if cut else relatives.marked(counted, recipe)
        self._symbols = relatives.first_symbols(words, recipe)
        if recipe.algorithm == "unigram":
            return self._fit(words)
        return relatives.learn(
            words, recipe, by_recounting=self.learner == "naive", on_progress=self._on_progress
        )

    def _fit(self, words: Mapping[str, int]) -> Iterator[Step]:
        self._fitted = relatives.fit_unigram(
            words, self.recipe, name=self.name, on_progress=self._on_progress
        )
        yield from ()

    def _learn_bytes(self, corpus: Corpus, learner: Learner | None) -> Iterator[Step]:
        recipe = self.recipe
        if self.start is not None and self.start.first_id > LARGE_START and learner is None:
            _wait_for_kernels(self._on_progress, None)  # all: its merges are recovered, too
        words: Mapping[bytes, int] | None = None
        texts: Iterator[str] = iter(())
        if isinstance(corpus, Mapping):
            words = self._take(corpus, bytes)
            self.learner = learner or _best_learner_of_counts(words, self._on_progress)
        else:
            texts = self._read(corpus)
            self.learner, texts = (
                (learner, texts) if learner else _best_learner(texts, self._on_progress)
            )
        options: dict[str, Any] = {
            "special_tokens": recipe.special_tokens,
            "normalisation": recipe.normalisation,
        }
        if self.start is not None:
            texts, options = self.start.texts(texts), {}
        if self.learner == "compiled" and not compiled.available():
            raise BPEError(
                "The compiled learner needs Numba, which cannot be imported here. Use "
                "“incremental”."
            )
        if words is None and self.learner == "compiled":
            from bpe.compiled.train import counting

            words = counting.count_words(texts, recipe.pattern, on_progress=self._tell, **options)
        elif words is None:
            words = pretokenize.count_words(
                texts, recipe.pattern, on_progress=self._tell, **options
            )
        if self.start is not None:
            return self.start.learn(words, self.learner, self._on_progress)
        if self.learner == "compiled":
            from bpe.compiled.train import learner as compiled_learner

            return compiled_learner.learn(words, recipe, on_progress=self._on_progress)
        if self.learner == "naive":
            return learn_by_recounting(words, recipe)
        return incremental.learn(words, recipe, self._on_progress)


def learn_by_recounting(word_counts: Mapping[bytes, int], recipe: Recipe) -> Iterator[Merge]:
    """Yield the merges of :func:`bpe.algorithm.basic.train`: the definition, and slow."""
    limit = recipe.merge_limit
    size = sys.maxsize if limit is None else recipe.first_merge_id + limit
    vocabulary = [bytes([byte]) for byte in range(BYTES)]
    vocabulary += [token.encode() for token in recipe.special_tokens]
    learn = whole_characters.train if recipe.whole_characters else basic.train
    for merge in map(Merge._make, learn(word_counts, vocabulary, size, recipe.tie_break)):
        if merge.count < recipe.min_frequency:
            return
        yield merge


def _best_learner(texts: Iterator[str], on_progress: OnProgress) -> tuple[Learner, Iterator[str]]:
    """Choose a byte-level learner by what is ready and, if need be, by looking at the first texts.

    Return it with all the texts, those looked at included.
    """
    if compiled.ready("train"):
        return "compiled", texts
    seen: list[str] = []
    characters = 0
    enough = SMALL_IF_KEPT
    for text in texts:
        seen.append(text)
        characters += len(text)
        if characters > enough and not compiled.kept("train"):
            enough = SMALL_CHARACTERS
        if characters > enough:
            _wait_for_kernels(on_progress)
            return ("compiled" if compiled.ready("train") else "incremental"), chain(seen, texts)
    return "incremental", iter(seen)


def _best_learner_of_counts(words: Mapping[bytes, int], on_progress: OnProgress) -> Learner:
    enough = SMALL_IF_KEPT if compiled.kept("train") else SMALL_CHARACTERS
    if not compiled.ready("train") and sum(map(len, words)) > enough:
        _wait_for_kernels(on_progress)
    return "compiled" if compiled.ready("train") else "incremental"


def _wait_for_kernels(on_progress: OnProgress, part: compiled.Part | None = "train") -> None:
    if compiled.ready(part):
        return
    warming = threading.Thread(
        target=compiled.warm, args=(False,), kwargs={"part": part}, daemon=True
    )
    warming.start()
    while warming.is_alive():
        on_progress(Progress("compiling", 0, None))
        warming.join(0.05)


def train(
    corpus: Corpus,
    recipe: Recipe,
    *,
    start: Encoder | None = None,
    on_merge: Callable[[Any], object] | None = None,
    on_progress: OnProgress | None = None,
    learner: Learner | None = None,
    name: str = "trained",
) -> Trained:
    """Train on ``corpus`` by ``recipe``: the documents, or words with their counts.

    ``start`` is a byte-level encoder to go on from: its ids stay as they are, new ones follow.
    ``on_merge`` is called with each merge, ``on_progress`` with how far the work has come, a few
    dozen times a second; what they raise stops it. ``learner`` chooses how (the merges are
    the same); by default it is the best one for the size of the corpus.

    >>> tokenizer = train(["Hello helo, I'm"], Recipe(merges=1))
    >>> tokenizer.encode("hello")
    [104, 101, 108, 256]
    >>> train({"low": 5, "lower": 2}, Recipe(merges=2)).encode("lowest")
    [257, 101, 115, 116]
    """
    training = Training(
        corpus, recipe, start=start, learner=learner, name=name, on_progress=on_progress
    )
    for merge in training:
        if on_merge is not None:
            on_merge(merge)
    return training.tokenizer()
