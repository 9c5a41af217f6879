"""Train a tokenizer: read the corpus once, let a learner find the merges, make a value of them.

:func:`train` does it in one call. :class:`Training` does it a merge at a time, to watch, to stop
early or to draw progress; it is the same work. What differs between algorithms is in
:mod:`bpe.training.algorithms`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from bpe.algorithm.counts import Counted, WordCounts, checked
from bpe.algorithm.recipe import Recipe, StopReason
from bpe.encoders.base import Encoder
from bpe.encoders.models import encoding_for_model
from bpe.errors import BPEError
from bpe.progress import OnProgress, Progress
from bpe.text.digests import CorpusDigest, digest, digest_of_counts
from bpe.text.unicode import text_only
from bpe.training.algorithms import algorithm_of
from bpe.training.algorithms.base import Algorithm, Learner, Step, Trained, Words
from bpe.training.extend import BaseTokenizer

Corpus = Iterable[str] | Mapping[str, int] | Mapping[bytes, int] | Mapping[str, Iterable[str]]


@runtime_checkable
class Digesting(Protocol):
    """Texts that are read in parts of documents, and take the digest of the whole ones."""

    digest: CorpusDigest

    def __iter__(self) -> Iterator[str]: ...


class Training:
    """A training under way. Iterating yields each merge as it is made.

    ``corpus`` is texts, or words with their numbers of occurrences: pre-tokens where the recipe is
    one of bytes, else what stands between white space. Counted words are taken as they are, without
    normalising or cutting. For ``"parity"`` it is the texts of each language by its name.

    ``tokenizer()`` gives the result at any moment, of the merges made so far. ``documents``,
    ``corpus_bytes`` and ``corpus_digest`` describe the texts read, ``learner`` how it is learned.

    With ``start`` the merges of a byte-level encoder are extended; its ids stay as they are
    (:mod:`bpe.training.extend`). ``recipe`` then says how many merges are made, or how large the
    vocabulary becomes with those that are there.

    The corpus is read when the training is made, its pairs are indexed before the first merge;
    ``on_progress`` is called during both, and in merges that take long. What it raises stops the
    training. Unigram makes no merges: it is fitted where the iteration begins, and ends.
    """

    def __init__(
        self,
        corpus: Corpus,
        recipe: Recipe,
        *,
        start: Encoder | str | None = None,
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
        if not isinstance(name, str):
            raise TypeError(f"Give the name of a tokenizer as text, not {type(name).__name__}.")
        if isinstance(start, str):
            start = encoding_for_model(start)
        algorithm = algorithm_of(recipe) if start is None else BaseTokenizer(start, recipe)
        if learner is not None:
            algorithm.check_learner(learner)
        self.recipe = algorithm.recipe
        self.name = name
        self.learner: Learner
        self._read: CorpusDigest | Counted = CorpusDigest()
        self._on_progress = on_progress or (lambda progress: None)
        self._characters: int | None = None
        if isinstance(corpus, Sequence):
            self._characters = sum(len(text_only(text)) for text in corpus)
        words = self._words(corpus, algorithm, learner)
        self._algorithm = algorithm
        self._steps = algorithm.learn(words, self.learner, self._on_progress)
        self._alphabet = algorithm.size(())
        self._merges: list[Any] = []
        self.sampled = algorithm.sampled
        """Whether it learns from a sample of the words, as Unigram does where they are too many."""
        self.chosen_by: Mapping[int, int] = algorithm.chosen_by
        """Of parity, how many merges each language has chosen, by its place; -1 for all."""

    def __iter__(self) -> Iterator[Step]:
        for step in self._steps:
            self._merges.append(step)
            yield step

    @property
    def _counted(self) -> Counted:
        read = self._read
        return read if isinstance(read, Counted) else Counted.by(self.recipe, read)

    @property
    def documents(self) -> int:
        return self._counted.documents

    @property
    def corpus_digest(self) -> str:
        """A name for the corpus: 16 hexadecimal digits that change with any document."""
        return self._counted.digest

    @property
    def corpus_bytes(self) -> int:
        """The UTF-8 bytes of the texts read."""
        return self._counted.bytes

    @property
    def share(self) -> float:
        """The part of the merges that is made, from 0 to 1, or how far the vocabulary has grown.

        It is 0 where no limit is set. Pruning may reduce it.
        """
        shares = [Progress("merging", len(self._merges), self.recipe.merges).share]
        if self._merges and self.recipe.vocabulary_size is not None:
            grown = max(self._algorithm.size(self._merges) - self._alphabet, 0)
            needed = self.recipe.vocabulary_size - self._alphabet
            shares.append(Progress("merging", grown, needed).share)
        return max(shares)

    @property
    def stop_reason(self) -> StopReason:
        """Which rule ended the training."""
        size = self._algorithm.size(self._merges)
        return self.recipe.stop_reason(len(self._merges), size, alphabet=self._alphabet)

    def tokenizer(self) -> Trained:
        return self._algorithm.tokenizer(self._merges, self.corpus_digest, self.name)

    def finished(self, on_merge: Callable[[Any], object] | None = None) -> Trained:
        """Make all merges, calling ``on_merge`` with each, and return the tokenizer."""
        for merge in self:
            if on_merge is not None:
                on_merge(merge)
        return self.tokenizer()

    def _words(self, corpus: Corpus, algorithm: Algorithm, learner: Learner | None) -> Words:
        if algorithm.of_languages:
            self.learner = learner or "incremental"
            return self._of_languages(corpus)
        if isinstance(corpus, Mapping):
            words = self._take(corpus, algorithm)
            if learner is None:
                learner = algorithm.learner_for(sum(map(len, words)), self._on_progress)
            self.learner = learner
            return words
        if isinstance(corpus, Digesting):
            self._read, texts = corpus.digest, iter(corpus)
        else:
            self._read = digest = CorpusDigest()
            texts = _adding(corpus, digest)
        if learner is None:
            learner, texts = algorithm.choose_learner(texts, self._on_progress)
        self.learner = learner
        return algorithm.count_words(texts, self._tell, learner, None)

    def _of_languages(self, corpus: Corpus) -> Words:
        if not isinstance(corpus, Mapping) or len(corpus) < 2:
            raise BPEError(
                "The algorithm “{name}” takes the texts of each language, of two at least: a "
                "mapping of their names to lists.",
                name=self.recipe.algorithm,
            )
        words = {}
        counted = []
        for language, texts in corpus.items():
            if isinstance(texts, int | str):
                raise BPEError("Give the corpus as a list of texts, not as one string.")
            words[language] = counts = count_texts(texts, self.recipe)
            assert counts.counted is not None  # as of all that is counted here
            counted.append(counts.counted)
        self._read = replace(
            Counted.by(self.recipe),
            documents=sum(each.documents for each in counted),
            bytes=sum(each.bytes for each in counted),
            digest=digest(each.digest for each in counted),
        )
        return words

    def _take(self, corpus: Words, algorithm: Algorithm) -> Words:
        words = checked(corpus, algorithm.words)
        if isinstance(corpus, WordCounts) and (counted := corpus.counted) is not None:
            counted.refuse_others(self.recipe)
            self._read = counted
            return words
        size = WordCounts.of(words).occurrences
        self._read = replace(Counted.by(self.recipe), bytes=size, digest=digest_of_counts(words))
        return algorithm.as_counted(words)

    def _tell(self, progress: Progress) -> None:
        """Pass progress on; how long the corpus is, only this training may know."""
        if progress.phase == "counting":
            progress = progress._replace(total=self._characters)
        self._on_progress(progress)


def train(
    corpus: Corpus,
    recipe: Recipe,
    *,
    start: Encoder | str | None = None,
    on_merge: Callable[[Any], object] | None = None,
    on_progress: OnProgress | None = None,
    learner: Learner | None = None,
    name: str = "trained",
) -> Trained:
    """Train on ``corpus`` by ``recipe``: the documents, or words with their counts.

    ``start`` is a byte-level encoder to extend, or the name of an encoding or a model: its ids
    stay as they are, new ones follow.
    ``on_merge`` is called with each merge, ``on_progress`` with how far the work has come, a few
    dozen times a second; what they raise stops it. ``learner`` chooses how (the merges are
    the same); by default it is the best one for the size of the corpus.

    >>> tokenizer = train(["Hello helo, I'm"], Recipe(merges=1))
    >>> tokenizer.encode("hello")
    [104, 101, 108, 256]
    >>> train({"low": 5, "lower": 2}, Recipe(merges=2)).encode("lowest")
    [257, 101, 115, 116]
    """
    if not isinstance(corpus, Mapping):
        refuse_names_of_files(corpus)
    training = Training(
        corpus, recipe, start=start, learner=learner, name=name, on_progress=on_progress
    )
    return training.finished(on_merge)


# Counting alone, for a training later or elsewhere.

_LONGEST_NAME = 1_000


def count_words(
    texts: Iterable[str], recipe: Recipe, *, on_progress: OnProgress = lambda progress: None
) -> WordCounts:
    """Count the words of texts as the recipe cuts them; train on the result as on the texts.

    Words keep the order of their first occurrence. Files are counted by
    :func:`bpe.count_files`; their names instead of texts raise :class:`BPEError`.
    """
    refuse_names_of_files(texts)
    return count_texts(texts, recipe, on_progress=on_progress)


def refuse_names_of_files(texts: Any) -> None:
    """Raise :class:`BPEError` for one text, or a list in which each is the name of a file.

    Only for callers on this machine: to anybody else it would tell which files there are.
    """
    if isinstance(texts, str):
        raise BPEError("Give the corpus as a list of texts, not as one string.")
    if isinstance(texts, list | tuple) and texts and all(map(_is_file, texts)):
        raise BPEError(
            "Each of these texts is the name of a file, such as “{name}”. Give the texts "
            "themselves, or train on what bpe.count_files counts in the files.",
            name=texts[0],
        )


def _is_file(text: object) -> bool:
    try:
        return isinstance(text, str) and len(text) < _LONGEST_NAME and Path(text).is_file()
    except (OSError, ValueError):  # nothing that a file can be called
        return False


def count_texts(
    texts: Iterable[str],
    recipe: Recipe,
    *,
    on_progress: OnProgress = lambda progress: None,
    threads: int | None = None,
    read: CorpusDigest | None = None,
) -> WordCounts:
    """Count the words of a corpus as the recipe cuts them, for a training later or elsewhere.

    Pre-tokens of bytes, or the words of the other algorithms in UTF-8, in the order of their first
    occurrence. ``threads`` count, if not one per core. ``read`` is given where documents come in
    parts, whose digest is taken elsewhere.

    >>> count_texts(["low low lower"], Recipe(pattern="whitespace")) == {
    ...     b"low": 1, b" low": 1, b" lower": 1
    ... }
    True
    """
    if read is None:
        read = CorpusDigest()
        texts = _adding(texts, read)
    words = algorithm_of(recipe).count_words(iter(texts), on_progress, None, threads)
    return replace(WordCounts.of(words), counted=Counted.by(recipe, read))


def _adding(texts: Iterable[str], digest: CorpusDigest) -> Iterator[str]:
    for text in texts:
        digest.add(text_only(text))
        yield text
