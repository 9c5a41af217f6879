"""Counted words: as three arrays, which the counter makes and the learner takes, without a dict.

A training takes any mapping of words to numbers of occurrences, so that a corpus may be counted
elsewhere: of bytes the pre-tokens, of characters what stands between white space.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bpe.algorithm.recipe import ALGORITHMS, Kind, Recipe
from bpe.errors import BPEError, translatable, whole_number
from bpe.text.digests import CorpusDigest, digest_of_counts
from bpe.text.unicode import utf8


@dataclass(frozen=True)
class Counted:
    """The corpus that words were counted in, and how they were cut."""

    algorithm: str
    pattern: str
    normalisation: str
    special_tokens: tuple[str, ...]
    documents: int
    bytes: int
    """Of all documents, in UTF-8."""
    digest: str
    """16 hexadecimal digits that name the corpus."""
    in_order: bool
    """Whether the words stand in the order of their first occurrence."""
    total: str = ""
    """That of :class:`bpe.text.digests.CorpusDigest`, from which ``digest`` follows; empty where
    the texts are not known, and ``digest`` is that of the words."""

    @classmethod
    def by(cls, recipe: Recipe, read: CorpusDigest | None = None) -> "Counted":
        """Return how a recipe cuts words, and what was ``read``."""
        cut = (recipe.algorithm, recipe.pattern, recipe.normalisation, recipe.special_tokens)
        if read is None:
            return cls(*cut, 0, 0, "", in_order=False)
        return cls(*cut, read.documents, read.size, str(read), in_order=True, total=read.total)

    def differs(self, other: "Counted | Recipe") -> tuple[str, str, str] | None:
        """Return in what else words are cut there: its name, what it is here, and there."""
        names = {
            "algorithm": translatable("algorithm"),
            "normalisation": translatable("normalisation"),
            "special_tokens": translatable("special tokens"),
            "pattern": translatable("split pattern"),
        }
        if ALGORITHMS.get(self.algorithm, Kind()).unit != "bytes":
            del names["pattern"]  # of no account
        for field, name in names.items():
            here, there = getattr(self, field), getattr(other, field)
            if here != there:
                return name, _shown(here), _shown(there)
        return None

    def refuse_others(self, recipe: Recipe) -> None:
        """Raise :class:`BPEError` where a recipe cuts words in another way."""
        if difference := self.differs(recipe):
            field, here, there = difference
            raise BPEError(
                "These words were counted with another {field} ({here}) than that of the recipe "
                "({there}). Change the recipe, or count again.",
                field=field,
                here=here,
                there=there,
            )
        if recipe.tie_break == "first-seen" and not self.in_order:
            raise BPEError(
                "The tie-break rule “first-seen” needs the words in the order of their first "
                "occurrence, which counts of many files do not keep. Choose another rule."
            )


def _shown(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value) or "–"


@dataclass(frozen=True, eq=False)
class WordCounts(Mapping[bytes, int]):
    """How often each word (pre-token) occurs, in the order of first occurrence.

    Behaves as the ``dict`` of :func:`bpe.text.pretokenize.count_words`, at a tenth of its
    memory::

        {b"low": 3, b" lower": 1}      text     l o w _ l o w e r     uint8[bytes]
                                       offsets  0     3           9   int64[words + 1]
                                       counts   3     1               int64[words]

    The arrays are never changed once they are here.
    """

    text: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    counted: Counted | None = None
    """The corpus they were counted in; ``None`` where that is not known."""

    @classmethod
    def of(cls, word_counts: Mapping[bytes, int] | Mapping[str, int]) -> "WordCounts":
        """Return counts in this form, words in UTF-8; unchanged where they have it."""
        if isinstance(word_counts, cls):
            return word_counts
        words = checked(word_counts, bytes)
        offsets = np.zeros(len(words) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, words), np.int64, len(words)), out=offsets[1:])
        counts = np.fromiter(words.values(), np.int64, len(words))
        return cls(np.frombuffer(b"".join(words), np.uint8).copy(), offsets, counts)

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[bytes]:
        text = self.text.tobytes()
        ends = self.offsets.tolist()
        for word in range(len(self)):
            yield text[ends[word] : ends[word + 1]]

    def __getitem__(self, word: bytes) -> int:
        return int(self.counts[self._index[word]])

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    @property
    def occurrences(self) -> int:
        """How many bytes all words have together, each as often as it occurs."""
        return int(np.dot(np.diff(self.offsets), self.counts))

    @cached_property
    def digest(self) -> str:
        """The name of the corpus: that of the texts, or else that of the words in their order."""
        return digest_of_counts(self) if self.counted is None else self.counted.digest

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {word: index for index, word in enumerate(self)}


MOST = 2**62
"""The most that all pairs of symbols may be in sum: the learners add them up in 64 bits."""


def checked(word_counts: Mapping[Any, int], kind: type[str] | type[bytes]) -> Mapping[Any, int]:
    """Return counts from outside, their words as text or as UTF-8.

    What is no count of words raises :class:`BPEError`.

    >>> checked({"low": 5}, bytes)
    {b'low': 5}
    """
    if isinstance(word_counts, WordCounts) and kind is bytes:
        return word_counts
    checked: dict[Any, int] = {}
    total = 0
    for word, count in word_counts.items():
        plain = type(count) is int and count >= 0  # nearly all: a call takes as long as the rest
        number = count if plain else whole_number(count, at_least=0)
        if not isinstance(word, str | bytes) or number is None:
            raise BPEError(
                "A count of words is a piece of text with a whole number, not {word!r} with "
                "{count!r}.",
                word=word,
                count=count,
            )
        if isinstance(word, str) and kind is bytes:
            word = utf8(word)
        elif isinstance(word, bytes) and kind is str:
            word = word.decode("utf-8", "replace")
        checked[word] = checked.get(word, 0) + number
        total += number * max(1, len(word) - 1)
    if total > MOST:
        raise BPEError("The counts of the words are too large: together they exceed 2⁶².")
    return checked
