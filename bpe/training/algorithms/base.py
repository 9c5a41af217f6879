"""The interface of algorithms: counting words, learning merges, making a tokenizer."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Literal

from bpe import compiled
from bpe.algorithm.character import CharacterMerge
from bpe.algorithm.films import Film
from bpe.algorithm.recipe import Merge, Recipe
from bpe.algorithm.wordpiece import PieceMerge
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.errors import BPEError
from bpe.progress import OnProgress, Progress, while_waiting
from bpe.text.cuts import Cutter, between_pre_tokens
from bpe.text.pretokenize import count_pieces, normaliser
from bpe.text.special_tokens import split_specials
from bpe.text.unicode import scalar_text

Learner = Literal["naive", "incremental", "compiled"]
Words = Mapping[Any, Any]
"""Words as the learner takes them, text or UTF-8, with their numbers of occurrences; of parity
those of each language by its name."""
Step = Merge | CharacterMerge | PieceMerge
"""A step that a learner yields."""
Trained = BytePairEncoder | CharacterTokenizer | TokenizerJsonEncoder


class Algorithm(ABC):
    """How a recipe is trained, once; one subclass for each algorithm.

    The subclass says how texts are cut into words, what is learned from their counts, and which
    tokenizer that makes. All else has a default, which is that of an algorithm that begins with
    characters.
    """

    asks: ClassVar[frozenset[str]] = frozenset({"merges", "tie_break", "min_frequency"})
    """The fields of a recipe that a form has to ask for, beside those that every one has."""
    makes_merges: ClassVar[bool] = True
    of_languages: ClassVar[bool] = False
    """Whether it trains on the words of each language by itself."""
    words: ClassVar[type[str] | type[bytes]] = str
    """The form in which the learner takes words."""
    learners: ClassVar[tuple[Learner, ...]] = ("naive", "incremental")
    """Those that learn this, the fastest one last."""
    small = 600_000
    """Up to so many characters plain Python (some 12 s for Chinese) is better than waiting for the
    compiler."""
    small_if_cached = 60_000
    """The same where the machine code is on disk: as many as are learned while it is loaded."""

    sampled = False
    """Whether it learns from a sample of the words, as they are too many."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.chosen_by: dict[int, int] = {}
        """Of parity, how many merges each language has chosen, by its place; -1 for all."""

    @abstractmethod
    def split(self, text: str) -> Iterable[str]:
        """Return the words of a text that is normalised and has no special tokens."""

    def parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the special tokens of a text, and what is between them, normalised.

        With each comes whether it is a special token.
        """
        normalise = normaliser(self.recipe.normalisation)
        for part, special in split_specials(scalar_text(text), self.recipe.special_tokens):
            yield (part if special else normalise(part)), special

    def count_words(
        self, texts: Iterable[str], tell: OnProgress, learner: Learner | None, threads: int | None
    ) -> Words:
        """Count the words of a corpus, in order of first occurrence.

        ``tell`` is called with the progress. ``learner`` will take them, if that is known;
        ``threads`` count, if not one per core.
        """
        recipe = self.recipe
        return count_pieces(texts, self.split, recipe.special_tokens, recipe.normalisation, tell)

    @abstractmethod
    def learn(self, words: Words, learner: Learner, on_progress: OnProgress) -> Iterator[Step]:
        """Begin a training on counted words; return what makes its merges."""

    @abstractmethod
    def size(self, merges: Sequence[Any]) -> int:
        """Return how many entries the vocabulary has with the merges made so far."""

    @abstractmethod
    def tokenizer(self, merges: Sequence[Any], corpus_digest: str, name: str) -> Trained:
        """Return the tokenizer of the merges made so far."""

    def effort(self, size: int, characters: int, hanzi: float) -> tuple[float, float]:
        """Return the seconds and the bytes of memory that a corpus takes at the most.

        By its bytes, its characters and the share of 汉字 in the bytes, as measured on two cores of
        a small server (``docs/performance.md``).
        """
        is_fast = "compiled" in self.learners and self.recipe.score == "frequency"
        if is_fast and self._is_enough(characters) and compiled.available():
            return size * 0.3e-6, size * (15 + 30 * hanzi)
        return size * (0.4e-6 + 3.6e-6 * hanzi), size * (20 + 110 * hanzi)

    def as_counted(self, words: Words) -> Words:
        """Return words that were counted elsewhere as :meth:`count_words` would have them."""
        return words

    def film(
        self, tokenizer: Encoder, merges: Sequence[Any], words: Words | None = None
    ) -> Film | None:
        """Return how the vocabularies on the way to a tokenizer cut words.

        ``words`` are those of the corpus, if they are at hand. ``None`` where it cannot be told, or
        follows from the merges alone, as in the tokenizers of our own engine.
        """
        return None

    def check_learner(self, learner: Learner) -> None:
        """Raise :class:`BPEError` for a learner that does not learn this, or not here."""
        if learner not in self.learners:
            raise BPEError(
                "There is no learner “{name}” of this algorithm. Choose one of: {names}.",
                name=learner,
                names=", ".join(self.learners),
            )
        if learner == "compiled" and not compiled.available():
            raise BPEError(
                "The compiled learner needs Numba, which cannot be imported here. Use “{name}”.",
                name=self._slower,
            )

    def choose_learner(
        self, texts: Iterator[str], on_progress: OnProgress
    ) -> tuple[Learner, Iterator[str]]:
        """Return the best learner for these texts, and all of them again.

        That is told by what is ready and, if need be, by looking at the first texts.
        """
        seen: list[str] = []
        characters = 0
        while not self._is_enough(characters) and (text := next(texts, None)) is not None:
            seen.append(text)
            characters += len(text)
        return self.learner_for(characters, on_progress), chain(seen, texts)

    @property
    def _slower(self) -> Learner:
        """The best learner without kernels."""
        return [learner for learner in self.learners if learner != "compiled"][-1]

    def _is_enough(self, characters: int) -> bool:
        """Return whether so many are worth waiting for kernels."""
        if "compiled" not in self.learners or compiled.ready("train"):
            return True
        return characters > self.small_if_cached and (
            characters > self.small or compiled.cached("train")
        )

    def learner_for(self, characters: int, on_progress: OnProgress) -> Learner:
        """Return the best learner for so many characters of different words, or of a text."""
        if "compiled" not in self.learners:
            return self._slower
        if self._is_enough(characters):
            wait_for_kernels(on_progress)
        return "compiled" if compiled.ready("train") else self._slower

    def cutter(self) -> Cutter | None:
        """Return what finds places in a text that no word reaches across, if anything does."""
        return between_pre_tokens("whitespace", "lowercase")  # before a blank behind a word


def wait_for_kernels(on_progress: OnProgress, part: compiled.Part | None = "train") -> None:
    """Compile or load the kernels, calling ``on_progress`` meanwhile."""
    if not compiled.ready(part):
        while_waiting(
            lambda: compiled.warm(background=False, part=part),
            lambda: on_progress(Progress("compiling", 0, None)),
        )
