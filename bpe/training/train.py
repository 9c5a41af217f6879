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
from bpe.algorithm import basic, character, incremental
from bpe.algorithm.character import CharacterMerge, CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.training import pretokenize
from bpe.training.identity import CorpusDigest
from bpe.training.progress import OnProgress, Progress
from bpe.training.recipe import BYTES, Merge, Recipe

Learner = Literal["naive", "incremental", "compiled"]

SMALL_CHARACTERS = 600_000
"""Up to this size plain Python (some 12 s for Chinese) is better than waiting for the compiler."""


class Training:
    """A training under way. Iterating yields each merge as it is made.

    ``tokenizer()`` gives the result at any moment, of the merges made so far. ``documents``,
    ``corpus_bytes`` and ``corpus_digest`` describe what was read, ``learner`` who reads.

    The corpus is read when the training is made, its pairs are indexed before the first merge;
    ``on_progress`` hears of both, and of merges that take long. What it raises stops the training.
    """

    def __init__(
        self,
        texts: Iterable[str],
        recipe: Recipe,
        *,
        learner: Learner | None = None,
        name: str = "trained",
        on_progress: OnProgress | None = None,
    ) -> None:
        if isinstance(texts, str):
            raise BPEError("Give the corpus as a list of texts, not as one string.")
        self.recipe = recipe
        self.name = name
        self.learner: Learner
        self.documents = 0
        self.corpus_bytes = 0
        self._digest = CorpusDigest()
        self._on_progress = on_progress or (lambda progress: None)
        self._characters = sum(map(len, texts)) if isinstance(texts, Sequence) else None
        self._merges: list[Merge | CharacterMerge] = []
        self._symbols: tuple[str, ...] = ()
        self._learned = self._start(self._read(texts), learner)

    def __iter__(self) -> Iterator[Merge | CharacterMerge]:
        for merge in self._learned:
            self._merges.append(merge)
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
        if recipe.algorithm == "byte-bpe":
            return Progress("merging", done, recipe.merge_limit).share
        shares = [Progress("merging", done, recipe.merges).share]
        if self._merges and recipe.vocabulary_size is not None:
            grown = cast(CharacterMerge, self._merges[-1]).vocabulary_size - len(self._symbols)
            needed = recipe.vocabulary_size - len(self._symbols)
            shares.append(Progress("merging", max(grown, 0), needed).share)
        return max(shares)

    def tokenizer(self) -> Tokenizer | CharacterTokenizer:
        """Return the tokenizer of the merges made so far."""
        if self.recipe.algorithm == "character-bpe":
            return CharacterTokenizer(
                self._symbols,
                tuple(cast(list[CharacterMerge], self._merges)),
                self.recipe,
                self.corpus_digest,
                self.name,
            )
        merges = tuple(cast(list[Merge], self._merges))
        return Tokenizer(merges, self.recipe, self.corpus_digest, self.name)

    def _read(self, texts: Iterable[str]) -> Iterator[str]:
        """Pass the texts on, taking their digest and size on the way."""
        for text in texts:
            self.documents += 1
            self.corpus_bytes += self._digest.add(text)
            yield text

    def _tell(self, progress: Progress) -> None:
        """Pass progress on; how long the corpus is, only this training may know."""
        if progress.phase == "counting":
            progress = progress._replace(total=self._characters)
        self._on_progress(progress)

    def _start(
        self, texts: Iterator[str], learner: Learner | None
    ) -> Iterator[Merge | CharacterMerge]:
        if learner not in (None, "naive", "incremental", "compiled"):
            raise BPEError(
                "There is no learner “{name}”. Choose one of: {names}.",
                name=learner,
                names="naive, incremental, compiled",
            )
        recipe = self.recipe
        if recipe.algorithm == "character-bpe":
            if learner == "compiled":
                raise BPEError(
                    "There is no compiled learner for characters. Use “incremental” or “naive”."
                )
            self.learner = learner or "incremental"
            words = character.count_words(texts, recipe, self._tell)
            self._symbols = character.initial_vocabulary(words, recipe)
            if self.learner == "naive":
                return character.learn(words, recipe)
            return character.learn_incrementally(words, recipe, self._on_progress)
        self.learner, texts = (
            (learner, texts) if learner else _best_learner(texts, self._on_progress)
        )
        options: dict[str, Any] = {
            "special_tokens": recipe.special_tokens,
            "normalisation": recipe.normalisation,
        }
        if self.learner == "compiled":
            if not compiled.available():
                raise BPEError(
                    "The compiled learner needs Numba, which cannot be imported here. Use "
                    "“incremental”."
                )
            from bpe.compiled.train import counting
            from bpe.compiled.train import learner as compiled_learner

            return compiled_learner.learn(
                counting.count_words(texts, recipe.pattern, on_progress=self._tell, **options),
                recipe,
                on_progress=self._on_progress,
            )
        byte_words = pretokenize.count_words(texts, recipe.pattern, **options)
        if self.learner == "naive":
            return learn_by_recounting(byte_words, recipe)
        return incremental.learn(byte_words, recipe)


def learn_by_recounting(word_counts: Mapping[bytes, int], recipe: Recipe) -> Iterator[Merge]:
    """Yield the merges of :func:`bpe.algorithm.basic.train`: the definition, and slow."""
    limit = recipe.merge_limit
    size = sys.maxsize if limit is None else recipe.first_merge_id + limit
    vocabulary = [bytes([byte]) for byte in range(BYTES)]
    vocabulary += [token.encode() for token in recipe.special_tokens]
    for merge in map(Merge._make, basic.train(word_counts, vocabulary, size, recipe.tie_break)):
        if merge.count < recipe.min_frequency:
            return
        yield merge


def _best_learner(texts: Iterator[str], on_progress: OnProgress) -> tuple[Learner, Iterator[str]]:
    """Choose a byte-level learner by what is ready and, if need be, by looking at the first texts.

    Return it with all the texts, those looked at included.
    """
    if compiled.ready():
        return "compiled", texts
    seen: list[str] = []
    characters = 0
    for text in texts:
        seen.append(text)
        characters += len(text)
        if characters > SMALL_CHARACTERS:
            _wait_for_kernels(on_progress)
            return ("compiled" if compiled.ready() else "incremental"), chain(seen, texts)
    return "incremental", iter(seen)


def _wait_for_kernels(on_progress: OnProgress) -> None:
    warming = threading.Thread(target=compiled.warm, args=(False,), daemon=True)
    warming.start()
    while warming.is_alive():
        on_progress(Progress("compiling", 0, None))
        warming.join(0.05)


def train(
    texts: Iterable[str],
    recipe: Recipe,
    *,
    on_merge: Callable[[Merge | CharacterMerge], object] | None = None,
    on_progress: OnProgress | None = None,
    learner: Learner | None = None,
    name: str = "trained",
) -> Tokenizer | CharacterTokenizer:
    """Train on ``texts`` (the documents of a corpus) by ``recipe``.

    ``on_merge`` is called with each merge, ``on_progress`` with how far the work has come, a few
    dozen times a second; what they raise stops it. ``learner`` chooses how (the merges are
    the same); by default it is the best one for the size of the corpus.

    >>> tokenizer = train(["Hello helo, I'm"], Recipe(merges=1))
    >>> tokenizer.encode("hello") == [104, 101, 108, 256]
    True
    """
    training = Training(texts, recipe, learner=learner, name=name, on_progress=on_progress)
    for merge in training:
        if on_merge is not None:
            on_merge(merge)
    return training.tokenizer()
