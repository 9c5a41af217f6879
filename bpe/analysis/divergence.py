"""Why two programs learn other merges from one corpus: the first that differs, and the reason.

What programs do otherwise is tried out: the corpus is trained on again with one thing changed, up
to the first merge that is not the other program's. The change that goes farthest is a reason;
another may come on top of it. Nothing is guessed from the merges themselves.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, pairwise
from typing import Any, Literal

import regex

from bpe import compiled
from bpe.algorithm import incremental
from bpe.algorithm.basic import merge_pair
from bpe.algorithm.counts import WordCounts
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import BYTES, Recipe
from bpe.analysis.finality import common
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS
from bpe.text.readable import IN_ORDER, readable
from bpe.training.train import count_texts

Pair = tuple[bytes, bytes]
Kind = Literal[
    "tie-break",
    "pattern",
    "normalisation",
    "special-tokens",
    "documents",
    "prefix-space",
    "overlaps",
    "counts",
    "wrapped",
    "absent",
    "shifted",
    "min-frequency",
    "size",
]
Overlaps = Literal["as-defined", "counted-apart", "merged-from-right", "merged-twice"]

MOST_ROUNDS = 3
"""How many changes are looked for that only explain the merges together."""

_SMALL = 20_000  # characters in which pairs of changes are tried, too
_MOST_INDEXED = 3_000_000  # bytes of different words whose pairs are counted in plain Python
_WRAPS = 2**31  # from here on a count of 32 bits is negative
_SPECIAL = regex.compile(r"<\|[^\s<>|]{1,40}\|>|</?[a-z]{1,12}>|\[[A-Z]{2,12}\]")


@dataclass(frozen=True)
class Reason:
    """One thing that the other program does otherwise, and how it does it.

    ``value`` is the tie-break rule, the split pattern, the normalisation, the special tokens
    joined by spaces (none: they are text like any other), ``"lines"`` or ``"stripped lines"`` as
    documents, one of :data:`Overlaps`, the range of minimum frequencies, the number of merges
    more (``"-1"``: fewer) that a size leaves room for, or their next pair, which never occurs here.
    """

    kind: Kind
    value: str = ""


@dataclass(frozen=True)
class Divergence:
    """Where two lists of merges part, and why.

    ``place`` is how many merges are the same; ``ours`` and ``theirs`` are the next ones, ``None``
    at the end of a list, and the counts say how often each pair stands there by our counting
    (``None`` where that was not worked out). With all ``reasons`` together ``explained`` merges of
    theirs are the same. ``lengths`` are what may be the reason that one list is longer.
    """

    place: int
    ours: Pair | None
    theirs: Pair | None
    our_count: int | None
    their_count: int | None
    reasons: tuple[Reason, ...]
    explained: int
    merges: int
    """How many merges the other program made."""
    lengths: tuple[Reason, ...] = ()
    also: tuple[Reason, ...] = ()
    """Reasons that explain as much as the last one: this corpus does not tell them apart."""

    @property
    def is_explained(self) -> bool:
        return self.explained == self.merges


@dataclass(frozen=True)
class _Way:
    recipe: Recipe
    documents: str = ""
    prefix_space: bool = False
    overlaps: Overlaps = "as-defined"
    each_word_once: bool = False
    shifted: bool = False
    wraps: bool = False
    reasons: tuple[Reason, ...] = field(default=(), compare=False)
    changes: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The changes of the last reason, by the names of fields here and of the recipe."""

    def with_(self, reason: Reason, **changes: Any) -> "_Way":
        own = {name: changes[name] for name in changes if hasattr(self, name)}
        recipe = replace(self.recipe, **{name: changes[name] for name in changes.keys() - own})
        reasons = (*self.reasons, reason)
        return replace(self, recipe=recipe, reasons=reasons, changes=changes, **own)


def explain(
    texts: Sequence[str] | Mapping[bytes, int],
    recipe: Recipe,
    theirs: Sequence[Pair],
    *,
    on_progress: Callable[[float], object] = lambda share: None,
) -> Divergence:
    """Say where the merges of ``recipe`` on ``texts`` part from ``theirs``, and why.

    ``texts`` may be counted words, too, of which nothing is tried that would cut them otherwise.
    ``theirs`` are pairs of byte strings in order. ``on_progress`` is called with the share of
    the first round of trials that is done; what it raises stops the work.
    """
    if not recipe.of_bytes:
        raise BPEError("Only the merges of byte-level BPE can be compared.")
    corpus = _CountedTexts(texts)
    way = base = _Way(replace(recipe, merges=None, vocabulary_size=None, min_frequency=1))
    ours = list(islice(corpus.merges(base), len(theirs) + 1))
    place = explained = common(ours, theirs)
    also: tuple[Reason, ...] = ()
    for round_ in range(MOST_ROUNDS):
        if explained == len(theirs):
            break
        trials = list(_trials(way, corpus))
        best = way
        equal: list[Reason] = []
        for number, trial in enumerate(trials):
            if round_ == 0:
                on_progress(number / len(trials))
            reached = common(corpus.merges(trial), theirs)
            if reached > explained:
                best, explained, equal = trial, reached, []
            elif reached == explained and best is not way:
                equal.append(trial.reasons[-1])
        if best is way and round_ == 0 and corpus.characters <= _SMALL:
            best, explained = _best_of_two(base, trials, corpus, theirs, explained)
        if best is way:
            break
        way, also = best, tuple(equal)
    counts = corpus.counts_at(base, ours, place, [*ours[place : place + 1], *theirs[place:][:1]])
    reasons, following = way.reasons, theirs[explained : explained + 1]
    as_counted = not (way.shifted or way.wraps)
    if as_counted and corpus.counts_at(way, theirs, explained, following) == [0]:
        reasons += (Reason("absent", " + ".join(map(readable, following[0]))),)
    return Divergence(
        place,
        ours[place] if place < len(ours) else None,
        theirs[place] if place < len(theirs) else None,
        counts[0] if counts and place < len(ours) else None,
        counts[-1] if counts and place < len(theirs) else None,
        reasons,
        explained,
        len(theirs),
        tuple(_lengths(corpus, way, recipe, len(theirs))) if explained == len(theirs) else (),
        also,
    )


def _trials(way: _Way, corpus: "_CountedTexts") -> Iterator[_Way]:
    """Yield ways with one thing changed, the likeliest first."""
    recipe = way.recipe
    for rule in recipe.tie_breaks:
        if rule != recipe.tie_break:
            yield way.with_(Reason("tie-break", rule), tie_break=rule)
    if corpus.is_text:
        yield from _cut_otherwise(way, corpus)
    if not way.shifted:
        yield way.with_(Reason("shifted"), shifted=True)
    if way.overlaps == "as-defined":
        names: tuple[Overlaps, ...] = ("counted-apart", "merged-from-right", "merged-twice")
        for overlaps in names:
            yield way.with_(Reason("overlaps", overlaps), overlaps=overlaps)
    if not way.each_word_once:
        yield way.with_(Reason("counts"), each_word_once=True)
    if not way.wraps and corpus.occurrences(way) >= _WRAPS:
        yield way.with_(Reason("wrapped"), wraps=True)


def _cut_otherwise(way: _Way, corpus: "_CountedTexts") -> Iterator[_Way]:
    recipe = way.recipe
    for pattern in PATTERNS:
        if pattern != recipe.pattern:
            yield way.with_(Reason("pattern", pattern), pattern=pattern)
    for tokens in corpus.special_tokens(recipe):
        if set(tokens) != set(recipe.special_tokens):
            reason = Reason("special-tokens", " ".join(tokens))
            yield way.with_(reason, special_tokens=tokens)
    for name in ("none", "NFC", "NFKC", "lowercase", "NFKC+lowercase"):
        if name != recipe.normalisation:
            yield way.with_(Reason("normalisation", name), normalisation=name)
    for documents in ("lines", "stripped lines"):
        if documents != way.documents:
            yield way.with_(Reason("documents", documents), documents=documents)
    if not way.prefix_space:
        yield way.with_(Reason("prefix-space"), prefix_space=True)


def _best_of_two(
    base: _Way,
    trials: Sequence[_Way],
    corpus: "_CountedTexts",
    theirs: Sequence[Pair],
    explained: int,
) -> tuple[_Way, int]:
    best = base
    for one, other in combinations(trials, 2):
        if one.reasons[-1].kind == other.reasons[-1].kind:
            continue
        both = one.with_(other.reasons[-1], **other.changes)
        reached = common(corpus.merges(both), theirs)
        if reached > explained:
            best, explained = both, reached
    return best, explained


def _lengths(corpus: "_CountedTexts", way: _Way, recipe: Recipe, theirs: int) -> Iterator[Reason]:
    """Yield what may be the reason that the other list ends where it does."""
    limit = recipe.merge_limit
    merges = islice(corpus.counted_merges(way), max(theirs + 1, limit or 0))
    counts = [count for _, count in merges]
    least = recipe.min_frequency
    frequent = next((number for number, count in enumerate(counts) if count < least), len(counts))
    ours = frequent if limit is None else min(frequent, limit)
    if theirs in (0, ours):
        return
    last, following = counts[theirs - 1], counts[theirs] if theirs < len(counts) else 0
    by_frequency = following < last and (theirs < ours or ours != limit)
    if ours == limit or not by_frequency:
        yield Reason("size", f"{theirs - ours:+}")
    if by_frequency:
        yield Reason("min-frequency", f"{following + 1}–{last}")


class _CountedTexts:
    """Texts, and their words in every way in which they were counted already; or words alone."""

    def __init__(self, texts: Sequence[str] | Mapping[bytes, int]) -> None:
        self._given = texts if isinstance(texts, Mapping) else None
        self._texts = () if isinstance(texts, Mapping) else texts
        self._words: dict[tuple[object, ...], Mapping[bytes, int]] = {}
        self.characters = sum(map(len, texts))

    @property
    def is_text(self) -> bool:
        return self._given is None

    def occurrences(self, way: _Way) -> int:
        """Return how many bytes the words of a way have, each as often as it occurs."""
        return WordCounts.of(self._counted(way)).occurrences

    def special_tokens(self, recipe: Recipe) -> list[tuple[str, ...]]:
        spelled = {match for text in self._texts for match in _SPECIAL.findall(text)}
        every = tuple(dict.fromkeys([*recipe.special_tokens, *sorted(spelled)]))
        return [(), every, *((token,) for token in sorted(spelled))][:12]

    def merges(self, way: _Way) -> Iterator[Pair]:
        merges = (pair for pair, _ in self.counted_merges(way))
        return islice(merges, 1, None) if way.shifted else merges

    def counted_merges(self, way: _Way) -> Iterator[tuple[Pair, int]]:
        """Yield the merges that a way leads to, and how often each pair was there."""
        words = self._counted(way)
        if way.overlaps != "as-defined" or way.wraps:
            yield from _learn_otherwise(words, way.recipe, way.overlaps, wraps=way.wraps)
            return
        spelling = [bytes([byte]) for byte in range(BYTES)]
        first = way.recipe.first_merge_id
        spelling += [b""] * (first - BYTES)
        if compiled.ready("train"):
            from bpe.compiled.train import learner  # only here: its kernels take long

            merges = learner.learn(words, way.recipe)
        else:
            merges = incremental.learn(words, way.recipe)
        for left, right, _, count in merges:
            spelling.append(spelling[left] + spelling[right])
            yield (spelling[left], spelling[right]), count

    def counts_at(
        self, way: _Way, ours: Sequence[Pair], place: int, wanted: Sequence[Pair]
    ) -> list[int]:
        """Return how often pairs stand side by side after ``place`` merges; nothing if too long."""
        words = self._counted(way)
        if sum(map(len, words)) > _MOST_INDEXED:
            return []
        index = PairIndex.of_bytes(words, None)
        ids = {bytes([byte]): byte for byte in range(BYTES)}
        for left, right in ours[:place]:
            index.merge((ids[left], ids[right]), ids.setdefault(left + right, len(ids)))
        return [
            index.counts.get((ids.get(left, -1), ids.get(right, -1)), 0) for left, right in wanted
        ]

    def _counted(self, way: _Way) -> Mapping[bytes, int]:
        if self._given is not None:
            return dict.fromkeys(self._given, 1) if way.each_word_once else self._given
        recipe = way.recipe
        cut = (recipe.pattern, recipe.normalisation, recipe.special_tokens)
        key = (*cut, way.documents, way.prefix_space)
        if key not in self._words:
            self._words[key] = count_texts(self._read(way), recipe)
        words = self._words[key]
        return dict.fromkeys(words, 1) if way.each_word_once else words

    def _read(self, way: _Way) -> Iterable[str]:
        for text in self._texts:
            documents = [text]
            if way.documents:
                documents = text.splitlines(keepends=way.documents == "lines")
            for document in documents:
                yield " " + document if way.prefix_space else document


def _learn_otherwise(
    words: Mapping[bytes, int], recipe: Recipe, overlaps: Overlaps, *, wraps: bool = False
) -> Iterator[tuple[Pair, int]]:
    """Yield the merges of a program that treats ``aaa`` otherwise, and the counts of their pairs.

    With ``wraps`` its counts have 32 bits, and what is not positive is never merged. Only the words
    that a merge changes are counted again.
    """
    rows: list[list[bytes]] = [
        [word[place : place + 1] for place in range(len(word))] for word in words
    ]
    numbers = list(words.values())
    counts: dict[Pair, int] = {}
    places: dict[Pair, set[int]] = {}
    order = IN_ORDER if recipe.tie_break == "huggingface" else range(BYTES)
    ids = {bytes([byte]): place for place, byte in enumerate(order)}

    def count(number: int, sign: int) -> None:
        for pair in _pairs(rows[number], overlaps):
            counts[pair] = counts.get(pair, 0) + sign * numbers[number]
            places.setdefault(pair, set()).add(number)

    for number in range(len(rows)):
        count(number, 1)
    while counts:
        seen = counts
        if wraps:
            seen = {pair: (n + _WRAPS) % (2 * _WRAPS) - _WRAPS for pair, n in counts.items()}
        most = max(seen.values())
        if most <= 0:
            return
        tied = [pair for pair, number in seen.items() if number == most]
        match recipe.tie_break:
            case "lexicographic":
                best = max(tied)
            case "smallest-ids" | "huggingface":
                best = min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
            case _:
                best = _first_seen(rows, set(tied), overlaps)
        yield best, most
        ids.setdefault(b"".join(best), len(ids))
        for number in sorted(places.pop(best)):
            count(number, -1)
            rows[number] = _merged(rows[number], best, overlaps)
            count(number, 1)
        counts = {pair: number for pair, number in counts.items() if number > 0}


def _first_seen(rows: Iterable[Sequence[bytes]], tied: set[Pair], overlaps: Overlaps) -> Pair:
    return next(pair for row in rows for pair in _pairs(row, overlaps) if pair in tied)


def _pairs(row: Sequence[bytes], overlaps: Overlaps) -> Iterator[Pair]:
    """Yield the neighbours in a row; counted apart, ``aaa`` has one pair (a, a)."""
    last: Pair | None = None
    for pair in pairwise(row):
        if overlaps == "counted-apart" and pair == last:
            last = None
            continue
        last = pair
        yield pair


def _merged(row: Sequence[bytes], pair: Pair, overlaps: Overlaps) -> list[bytes]:
    new = pair[0] + pair[1]
    if overlaps == "merged-from-right":
        turned = merge_pair(row[::-1], (pair[1], pair[0]), new)
        return turned[::-1]
    if overlaps == "merged-twice" and pair[0] == pair[1]:
        return _twice(row, pair, new)
    return merge_pair(row, pair, new)


def _twice(row: Sequence[bytes], pair: Pair, new: bytes) -> list[bytes]:
    """Put ``new`` at each place of the pair, even where two overlap: aaa becomes aa aa."""
    merged: list[bytes] = []
    inside = False
    for place, symbol in enumerate(row):
        doubled = tuple(row[place : place + 2]) == pair
        if doubled:
            merged.append(new)
        elif not inside:
            merged.append(symbol)
        inside = doubled
    return merged
