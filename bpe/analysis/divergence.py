"""Why two programs learn other merges from one corpus: the first that differs, and the reason.

Recipes of other programs are tried out with one thing changed, up to the first merge that differs.
The change that goes farthest is a reason; another may come on top of it. Nothing is guessed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import Literal

import regex

from bpe.algorithm.counts import WordCounts
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import BYTES, Merge, Recipe
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS
from bpe.training.train import Training, count_texts

Pair = tuple[bytes, bytes]
Kind = Literal["tie-break", "pattern", "special-tokens", "normalisation", "documents"]

MOST_ROUNDS = 3
"""How many changes are looked for that only explain the merges together."""

_MOST_INDEXED = 3_000_000  # bytes of different words whose pairs are counted in plain Python
_SPECIAL = regex.compile(r"<\|[^\s<>|]{1,40}\|>|</?[a-z]{1,12}>|\[[A-Z]{2,12}\]")
_DOCUMENTS: Mapping[str, Callable[[str], Iterable[str]]] = {
    "whole": lambda text: [text],
    "lines": lambda text: text.splitlines(keepends=True),
    "stripped lines": str.splitlines,
    "space in front": lambda text: [" " + text],
}


@dataclass(frozen=True)
class Reason:
    """One thing that the other program does otherwise, and how it does it.

    ``value`` is the tie-break rule, the split pattern, the normalisation, the special tokens
    joined by spaces (none: they are text like any other), or how a text becomes documents:
    ``"lines"``, ``"stripped lines"``, or whole with a ``"space in front"``.
    """

    kind: Kind
    value: str = ""


@dataclass(frozen=True)
class Divergence:
    """Where two lists of merges part, and why.

    ``place`` is how many merges are the same; ``ours`` and ``theirs`` are the next ones, ``None``
    at the end of a list, and the counts say how often each pair stands there by our counting
    (``None`` where that would take too long). With all ``reasons`` together ``explained`` of the
    other program's ``merges`` are the same; those in ``also`` explain as much as the last of them.
    """

    place: int
    ours: Pair | None
    theirs: Pair | None
    our_count: int | None
    their_count: int | None
    reasons: tuple[Reason, ...]
    also: tuple[Reason, ...]
    explained: int
    merges: int


_Way = tuple[Recipe, str]
"""How a program may have trained: a recipe, and a key of :data:`_DOCUMENTS`."""


def explain(texts: Sequence[str], recipe: Recipe, theirs: Sequence[Pair]) -> Divergence:
    """Say where the merges of ``recipe`` on ``texts`` part from ``theirs``, and why.

    ``theirs`` are pairs of byte strings in order.
    """
    if not recipe.of_bytes:
        raise BPEError("Only the merges of byte-level BPE can be compared.")
    corpus = _Corpus(texts)
    way: _Way = replace(recipe, merges=None, vocabulary_size=None, min_frequency=1), "whole"
    ours = list(islice(corpus.merges(way), len(theirs) + 1))
    place = explained = _common(ours, theirs)
    count = corpus.counts_after(way, ours[:place])
    our_next, their_next = (next(iter(merges[place:]), None) for merges in (ours, theirs))
    reasons: list[Reason] = []
    also: list[Reason] = []
    while explained < len(theirs) and len(reasons) < MOST_ROUNDS:
        trials = dict(_trials(way, corpus))
        reached = {each: _common(corpus.merges(trials[each]), theirs) for each in trials}
        most = max(reached.values())
        if most <= explained:
            break
        best, *also = (reason for reason in reached if reached[reason] == most)
        explained, way = most, trials[best]
        reasons.append(best)
    return Divergence(
        place, our_next, their_next, count(our_next), count(their_next),
        tuple(reasons), tuple(also), explained, len(theirs),
    )  # fmt: skip


def _common(ours: Iterable[Pair], theirs: Iterable[Pair]) -> int:
    """Return how many merges two lists have in common at their starts."""
    pairs = zip(ours, theirs, strict=False)
    return sum(1 for _same in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _trials(way: _Way, corpus: "_Corpus") -> Iterator[tuple[Reason, _Way]]:
    """Yield ways with one thing changed, the likeliest first."""
    recipe, documents = way
    for rule in recipe.kind.tie_breaks:
        yield Reason("tie-break", rule), (replace(recipe, tie_break=rule), documents)
    for pattern in PATTERNS:
        yield Reason("pattern", pattern), (replace(recipe, pattern=pattern), documents)
    for tokens in corpus.special_tokens(recipe):
        changed = replace(recipe, special_tokens=tokens)
        yield Reason("special-tokens", " ".join(tokens)), (changed, documents)
    for name in ("none", "NFC", "NFKC", "lowercase", "NFKC+lowercase"):
        yield Reason("normalisation", name), (replace(recipe, normalisation=name), documents)
    for name in _DOCUMENTS:
        yield Reason("documents", name), (recipe, name)


class _Corpus:
    """Texts, and their words in every way in which they were counted already."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._words: dict[tuple[object, ...], WordCounts] = {}

    def special_tokens(self, recipe: Recipe) -> list[tuple[str, ...]]:
        spelled = sorted({match for text in self._texts for match in _SPECIAL.findall(text)})
        every = tuple(dict.fromkeys([*recipe.special_tokens, *spelled]))
        return [(), every, *((token,) for token in spelled)][:12]

    def words(self, way: _Way) -> WordCounts:
        recipe, documents = way
        key = (recipe.pattern, recipe.normalisation, recipe.special_tokens, documents)
        if key not in self._words:
            texts = (document for text in self._texts for document in _DOCUMENTS[documents](text))
            self._words[key] = count_texts(texts, recipe)
        return self._words[key]

    def merges(self, way: _Way) -> Iterator[Pair]:
        spelling = [bytes([byte]) for byte in range(BYTES)]
        spelling += [b""] * (way[0].first_merge_id - BYTES)
        for merge in Training(self.words(way), way[0]):
            assert isinstance(merge, Merge)  # as the recipe is one of bytes
            left, right = spelling[merge.left], spelling[merge.right]
            spelling.append(left + right)
            yield left, right

    def counts_after(
        self, way: _Way, merges: Sequence[Pair]
    ) -> Callable[[Pair | None], int | None]:
        """Return what says how often a pair stands side by side after these merges."""
        words = self.words(way)
        if sum(map(len, words)) > _MOST_INDEXED:
            return lambda pair: None
        index = PairIndex.of_bytes(words, None)
        ids = {bytes([byte]): byte for byte in range(BYTES)}
        for left, right in merges:
            index.merge((ids[left], ids[right]), ids.setdefault(left + right, len(ids)))
        return lambda pair: (
            pair and index.counts.get((ids.get(pair[0], -1), ids.get(pair[1], -1)), 0)
        )
