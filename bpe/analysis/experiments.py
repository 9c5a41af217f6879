"""Experiments: a training many times over, with one thing changed from one to the next.

How much of the corpus is Chinese, how large the corpus is, or what the recipe says. Each experiment
is a generator of results, so that its caller can show how far it is and stop it. For
byte-level BPE, whose smaller vocabularies are beginnings of the larger ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from bpe.algorithm.recipe import Recipe
from bpe.analysis.finality import common
from bpe.analysis.metrics import has_hanzi, language
from bpe.encoders.base import Encoder
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.progress import OnProgress
from bpe.text.unicode import scalar_text
from bpe.training.train import Training

HELD_OUT = 10
"""One line in so many is not trained on, but measured."""

MOST_HELD = 1_000_000
"""Characters of held-out text of which is said what new tokens save."""


class Measured(NamedTuple):
    """A text's bytes of UTF-8 and its tokens."""

    bytes: int
    tokens: int

    @property
    def bytes_per_token(self) -> float | None:
        return self.bytes / self.tokens if self.tokens else None


def measure(encoder: Encoder, texts: Iterable[str]) -> Measured:
    """Count bytes and tokens of texts, special tokens in them taken as ordinary text."""
    texts = list(map(scalar_text, texts))
    return Measured(
        sum(len(text.encode()) for text in texts), sum(encoder.count(text) for text in texts)
    )


@dataclass(frozen=True)
class Lines:
    """The lines of a corpus: those mostly in 汉字, and the others."""

    zh: tuple[str, ...]
    other: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str], *, without: Iterable[str] = ()) -> "Lines":
        """Cut texts into lines that are not blank, leaving out some."""
        zh: list[str] = []
        other: list[str] = []
        left_out = set(without)
        for text in texts:
            for line in text.splitlines():
                if line.strip() and line not in left_out:
                    (zh if language(line) == "zh" else other).append(line)
        return cls(tuple(zh), tuple(other))

    @property
    def most(self) -> int:
        """Bytes that every mixture of the two can have: those of the smaller part."""
        return min(map(_size, (self.zh, self.other)))

    def mixed(self, share: float, size: int) -> list[str]:
        """Return the first lines of both that have ``size`` bytes together, ``share`` in Chinese.

        A line that would exceed that is the last one, so that sizes differ by a line at the most.
        """
        return [*_first(self.zh, share * size), *_first(self.other, (1 - share) * size)]


def _size(lines: Iterable[str]) -> int:
    return sum(len(line.encode("utf-8", "surrogatepass")) + 1 for line in lines)


def _first(lines: Iterable[str], size: float) -> Iterator[str]:
    taken = 0
    for line in lines:
        if taken >= size:
            return
        yield line
        taken += _size([line])


@dataclass(frozen=True)
class Cell:
    """A vocabulary of some size, learned from a corpus of which a share is Chinese."""

    share: float
    size: int
    """As asked for."""
    reached: int
    """How large it became: a training may end before."""
    zh: Measured
    en: Measured

    @property
    def premium(self) -> float:
        return self.zh.tokens / self.en.tokens

    @property
    def bytes_per_token(self) -> float:
        return (self.zh.bytes + self.en.bytes) / (self.zh.tokens + self.en.tokens)


def shares_and_sizes(
    lines: Lines,
    recipe: Recipe,
    shares: Sequence[float],
    sizes: Sequence[int],
    pairs: Sequence[tuple[str, str]],
    *,
    most_bytes: int,
    on_progress: OnProgress = lambda progress: None,
) -> Iterator[list[Cell]]:
    """Train on each mixture once, and yield its cells, one for each size.

    ``pairs`` are parallel texts, Chinese and English, on which everything is measured; all
    corpora have the same number of bytes, up to ``most_bytes``.
    """
    budget = min(lines.most, most_bytes)
    if not budget or not pairs:
        raise BPEError("The corpus needs lines in Chinese and lines in another language.")
    zh, en = zip(*pairs, strict=True)
    for share in shares:
        largest = trained(lines.mixed(share, budget), with_size(recipe, max(sizes)), on_progress)
        cells = []
        for size in sizes:
            tokenizer = smaller(largest, size)
            reached = tokenizer.vocabulary_size
            cells.append(Cell(share, size, reached, measure(tokenizer, zh), measure(tokenizer, en)))
        yield cells


def with_size(recipe: Recipe, size: int) -> Recipe:
    return replace(recipe, vocabulary_size=max(size, recipe.first_merge_id), merges=None)


def smaller(tokenizer: Tokenizer, size: int) -> Tokenizer:
    """Return what the same training gives with a smaller vocabulary: a beginning of the merges."""
    recipe = with_size(tokenizer.recipe, size)
    merges = tokenizer.merges[: recipe.merge_limit]
    return Tokenizer(merges, recipe, tokenizer.corpus_digest, tokenizer.name)


def trained(
    texts: Sequence[str], recipe: Recipe, on_progress: OnProgress = lambda progress: None
) -> Tokenizer:
    """Return the tokenizer of byte-level BPE; other algorithms raise :class:`BPEError`."""
    if not recipe.of_bytes:
        raise BPEError("Experiments are made with byte-level BPE. Choose it as the algorithm.")
    made = Training(texts, recipe, on_progress=on_progress).finished()
    assert isinstance(made, Tokenizer)  # as of_bytes says
    return made


@dataclass(frozen=True)
class Growth:
    """The tokenizer of a corpus of some size, measured on lines that the corpus does not have."""

    corpus_bytes: int
    merges: int
    zh: Measured
    other: Measured


def growth(
    lines: Lines,
    recipe: Recipe,
    fractions: Sequence[float],
    *,
    most_bytes: int,
    on_progress: OnProgress = lambda progress: None,
) -> Iterator[Growth]:
    """Train on more and more of a corpus, and measure the lines that are held out of all.

    Each part begins as the one before, and has the languages in the same proportion.
    """
    (zh, held_zh), (other, held_other) = _hold_out(lines.zh), _hold_out(lines.other)
    sizes = [_size(zh), _size(other)]
    if not (held_zh or held_other):
        raise BPEError(
            "The corpus needs at least {lines} lines: one in {lines} is held out.", lines=HELD_OUT
        )
    scale = min(most_bytes / max(sum(sizes), 1), 1.0)
    for fraction in fractions:
        texts = [
            line
            for part, size in zip((zh, other), sizes, strict=True)
            for line in _first(part, fraction * scale * size)
        ]
        tokenizer = trained(texts, recipe, on_progress)
        yield Growth(
            _size(texts),
            len(tokenizer.merges),
            measure(tokenizer, held_zh),
            measure(tokenizer, held_other),
        )


Divided = tuple[list[str], list[str]]
"""Lines to learn from, and those held out."""


def _hold_out(lines: Iterable[str], before: int = 0) -> Divided:
    """Hold each tenth line out; ``before`` stand before the first."""
    learned: list[str] = []
    held: list[str] = []
    for number, line in enumerate(lines, before + 1):
        (learned if number % HELD_OUT else held).append(line)
    return learned, held


def hold_out(texts: Iterable[str]) -> Divided:
    """Return the texts without each tenth line, and these lines; none of fewer than ten.

    >>> hold_out(["1\\n2\\n", "3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11"])
    (['1\\n2\\n', '3\\n4\\n5\\n6\\n7\\n8\\n9\\n11'], ['10\\n'])
    """
    learned: list[str] = []
    held: list[str] = []
    number = 0
    for text in texts:
        lines = text.splitlines(keepends=True)
        learned_here, held_here = _hold_out(lines, number)
        learned.append("".join(learned_here))
        held += held_here
        number += len(lines)
    return learned, held


@dataclass(frozen=True)
class Saved:
    """Tokens of held-out text before and after."""

    kind: Literal["zh", "other"]
    """Lines with 汉字, or the others."""
    characters: int
    before: int
    after: int


def savings(before: Encoder, after: Encoder, lines: Iterable[str]) -> tuple[tuple[Saved, ...], str]:
    """Count lines by both tokenizers; return the sums, and the line that becomes shortest."""
    sums: dict[Literal["zh", "other"], list[int]] = {"zh": [0, 0, 0], "other": [0, 0, 0]}
    sample, most, characters = "", 0, 0
    for line in lines:
        part = line[: MOST_HELD - characters]
        characters += len(part)
        if not part:
            break
        counts = (len(part), before.count(part), after.count(part))
        row = sums["zh" if has_hanzi(part) else "other"]
        for at, count in enumerate(counts):
            row[at] += count
        if counts[1] - counts[2] > most and len(part) <= 200:
            sample, most = part.strip(), counts[1] - counts[2]
    saved = tuple(Saved(kind, *row) for kind, row in sums.items() if row[0])
    return saved, sample


class Joined(NamedTuple):
    """A merge as the bytes that it joins, and how often they met."""

    left: bytes
    right: bytes
    times: int


@dataclass(frozen=True)
class Differences:
    """Where two trainings part, and what their vocabularies share."""

    common_merges: int
    """How many merges both begin with."""
    first: Joined | None
    second: Joined | None
    """The first merges that differ; ``None`` where one has no more."""
    both: tuple[bytes, ...]
    only_first: tuple[bytes, ...]
    only_second: tuple[bytes, ...]
    """Learned tokens, in the order in which they were learned."""

    @property
    def share(self) -> float:
        """Common tokens among all that either has learned."""
        all_of_them = len(self.both) + len(self.only_first) + len(self.only_second)
        return len(self.both) / all_of_them if all_of_them else 1.0


def differences(first: Encoder, second: Encoder) -> Differences:
    """Compare two trainings merge by merge, by the bytes that they join."""
    ours, theirs = list(_joined(first)), list(_joined(second))
    place = common((merge[:2] for merge in ours), (merge[:2] for merge in theirs))
    mine: Mapping[bytes, None] = dict.fromkeys(left + right for left, right, _ in ours)
    others: Mapping[bytes, None] = dict.fromkeys(left + right for left, right, _ in theirs)
    return Differences(
        place,
        ours[place] if place < len(ours) else None,
        theirs[place] if place < len(theirs) else None,
        tuple(token for token in mine if token in others),
        tuple(token for token in mine if token not in others),
        tuple(token for token in others if token not in mine),
    )


def _joined(tokenizer: Encoder) -> Iterator[Joined]:
    for merge in tokenizer.training.merges if tokenizer.training else ():
        left, right = map(tokenizer.token_bytes, merge[:2])
        yield Joined(left, right, merge.count)
