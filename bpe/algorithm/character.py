"""BPE as first published for text: characters, an end-of-word mark, and a pruned vocabulary.

Sennrich et al. 2016 (arXiv 1508.07909) start from characters and mark the end of each word;
lecture notes add that a symbol which no longer occurs on its own leaves the vocabulary. Bytes,
which need no unknown token, are in :mod:`bpe.encoders.trained`.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, count, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import regex

from bpe.algorithm.basic import best_pair, count_pairs, merge_pair
from bpe.algorithm.incremental import PairIndex
from bpe.encoders.base import Encoder, MadeOf, Symbol
from bpe.errors import BPEError
from bpe.text.unicode import scalar_text
from bpe.training.pretokenize import normaliser
from bpe.training.progress import OnProgress, Progress
from bpe.training.recipe import Recipe, StopReason
from bpe.training.special_tokens import split_specials


class CharacterMerge(NamedTuple):
    """One step: the two symbols, how often they met, and what happened to the vocabulary.

    ``removed`` are the parts that no longer occur on their own and left the vocabulary;
    ``vocabulary_size`` is its size after this step.
    """

    left: str
    right: str
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    removed: tuple[str, ...]
    vocabulary_size: int

    @property
    def new(self) -> str:
        """The symbol that the merge makes."""
        return self.left + self.right


MOST_CHARACTERS = 5_000_000
"""Characters that the different words of a corpus may have together: less than 1 GB of memory."""

_CHUNK = 1 << 16
_SPACE = regex.compile(r"\s")


def count_words(
    texts: Iterable[str],
    recipe: Recipe,
    on_progress: OnProgress = lambda progress: None,
) -> dict[str, int]:
    """Count the words of a corpus, which white space divides, in order of first occurrence.

    >>> count_words(["low low lower"], Recipe(algorithm="character-bpe"))
    {'low': 2, 'lower': 1}
    """
    normalise = normaliser(recipe.normalisation)
    counts: dict[str, int] = {}
    done = 0
    for text in texts:
        for part, special in split_specials(scalar_text(text), recipe.special_tokens):
            for chunk in [] if special else _chunks(part):
                for word in normalise(chunk).split():
                    counts[word] = counts.get(word, 0) + 1
                on_progress(Progress("counting", done + len(chunk), None))
                done += len(chunk)
    return counts


def _chunks(text: str) -> Iterator[str]:
    """Cut a text before white space, where no normalisation looks across."""
    at = 0
    while at < len(text):
        found = _SPACE.search(text, at + _CHUNK)
        end = found.start() if found else len(text)
        yield text[at:end]
        at = end


def split_word(word: str, recipe: Recipe) -> list[str]:
    """Return the characters of a word and the mark at its end.

    >>> split_word("low", Recipe(algorithm="character-bpe"))
    ['l', 'o', 'w', '</w>']
    """
    return [*word, recipe.end_of_word] if recipe.end_of_word else list(word)


def initial_vocabulary(word_counts: Mapping[str, int], recipe: Recipe) -> tuple[str, ...]:
    """Return special tokens, the unknown token, and every character in order of occurrence."""
    first = [*recipe.special_tokens, *([recipe.unknown] if recipe.unknown else [])]
    return tuple({**dict.fromkeys(first), **dict.fromkeys(_symbols(word_counts, recipe))})


def _symbols(word_counts: Mapping[str, int], recipe: Recipe) -> dict[str, int]:
    """Number the characters and the end of a word by first occurrence."""
    symbols: dict[str, None] = {}
    for word in word_counts:
        symbols.update(dict.fromkeys(word))
        if recipe.end_of_word:
            symbols[recipe.end_of_word] = None
    return {symbol: number for number, symbol in enumerate(symbols)}


def learn(word_counts: Mapping[str, int], recipe: Recipe) -> Iterator[CharacterMerge]:
    """Yield the merges of a corpus of words, recounting every pair in every round."""
    words, spelling = numbered(word_counts, recipe)
    ids = {symbol: number for number, symbol in spelling.items()}
    vocabulary = set(initial_vocabulary(word_counts, recipe))
    for done in count():
        counts = count_pairs(words)
        if not counts or _limit_reached(recipe, done, len(vocabulary)):
            return
        left, right = best_pair(counts, recipe.tie_break, spelling.__getitem__)
        frequency = counts[left, right]
        if frequency < recipe.min_frequency:
            return
        # Two ways to spell one symbol are one symbol.
        new = ids.setdefault(spelling[left] + spelling[right], len(ids))
        spelling[new] = spelling[left] + spelling[right]
        words = [(merge_pair(symbols, (left, right), new), number) for symbols, number in words]
        present = {spelling[symbol] for symbols, _ in words for symbol in symbols}
        yield _step((spelling[left], spelling[right]), frequency, vocabulary, present, recipe)


def learn_incrementally(
    word_counts: Mapping[str, int],
    recipe: Recipe,
    on_progress: OnProgress = lambda progress: None,
) -> Iterator[CharacterMerge]:
    """Yield the same merges as :func:`learn`, visiting only what each merge changes.

    ``on_progress`` hears of the indexing, and of merges that take long. More words than
    :data:`MOST_CHARACTERS` raise :class:`BPEError`.
    """
    refuse_if_too_large(word_counts)
    done = 0

    def breathe() -> None:
        on_progress(Progress("merging", done, recipe.merges))

    numbers = _symbols(word_counts, recipe)
    index = PairIndex(
        _laid_out(word_counts, recipe, numbers),
        {number: symbol for symbol, number in numbers.items()},
        recipe.tie_break,
        least=recipe.min_frequency,
        on_index=lambda done, total: on_progress(Progress("indexing", done, total)),
        breathe=breathe,
    )
    for merge in learn_from(index, initial_vocabulary(word_counts, recipe), recipe):
        done += 1
        yield merge


def _laid_out(
    word_counts: Mapping[str, int], recipe: Recipe, numbers: Mapping[str, int]
) -> Iterator[tuple[Iterable[int], int]]:
    end = (recipe.end_of_word,) if recipe.end_of_word else ()
    for word, number in word_counts.items():
        yield map(numbers.__getitem__, chain(word, end)), number


def refuse_if_too_large(word_counts: Mapping[str, int]) -> None:
    """Raise :class:`BPEError` if the words have more than :data:`MOST_CHARACTERS` together."""
    characters = sum(map(len, word_counts))
    if characters > MOST_CHARACTERS:
        raise BPEError(
            "The different words of this corpus have {size} million characters together; training "
            "on characters takes up to {most} million. Train on a part of it, or on bytes.",
            size=round(characters / 1e6, 1),
            most=MOST_CHARACTERS // 10**6,
        )


def learn_from(
    index: PairIndex, initial: Iterable[str], recipe: Recipe
) -> Iterator[CharacterMerge]:
    """Yield the merges of the words in ``index``, starting from the ``initial`` vocabulary."""
    ids = {symbol: number for number, symbol in index.spelling.items()}
    occurrences = Counter(index.symbol_counts())
    vocabulary = set(initial)
    for done in count():
        pair = None if _limit_reached(recipe, done, len(vocabulary)) else index.pop_best()
        if pair is None or index.counts[pair] < recipe.min_frequency:
            return
        frequency = index.counts[pair]
        left, right = (index.spelling[part] for part in pair)
        new = ids.setdefault(left + right, len(ids))
        merged = index.merge(pair, new)
        occurrences.subtract({pair[0]: merged})
        occurrences.subtract({pair[1]: merged})
        occurrences[new] += merged
        present = {index.spelling[part] for part in pair if occurrences[part]}
        yield _step((left, right), frequency, vocabulary, present, recipe)


def numbered(
    word_counts: Mapping[str, int], recipe: Recipe
) -> tuple[list[tuple[list[int], int]], dict[int, str]]:
    """Return the words as symbol numbers, which count up by first occurrence, and the symbols.

    >>> numbered({"low": 2}, Recipe(algorithm="character-bpe"))
    ([([0, 1, 2, 3], 2)], {0: 'l', 1: 'o', 2: 'w', 3: '</w>'})
    """
    numbers = _symbols(word_counts, recipe)
    words = [(list(row), count) for row, count in _laid_out(word_counts, recipe, numbers)]
    return words, {number: symbol for symbol, number in numbers.items()}


def _limit_reached(recipe: Recipe, merges_done: int, vocabulary_size: int) -> bool:
    return merges_done == recipe.merges or (
        recipe.vocabulary_size is not None and vocabulary_size >= recipe.vocabulary_size
    )


def _step(
    pair: tuple[str, str], count: int, vocabulary: set[str], present: set[str], recipe: Recipe
) -> CharacterMerge:
    """Add the new symbol to ``vocabulary``, prune it, and say so.

    A special token and the unknown token stay, even where words spell one of them.
    """
    vocabulary.add("".join(pair))
    kept = {*present, *recipe.special_tokens, recipe.unknown}
    removed = [part for part in dict.fromkeys(pair) if recipe.prune and part not in kept]
    vocabulary.difference_update(removed)
    return CharacterMerge(*pair, count, tuple(removed), len(vocabulary))


def from_merges(
    merges: Iterable[tuple[str, str]],
    characters: Iterable[str] = "",
    *,
    end_of_word: str = "</w>",
    unknown: str | None = None,
) -> "CharacterTokenizer":
    """Return the tokenizer of a list of merges of one's own, in the order of the list.

    Its vocabulary is the characters of the merges and ``characters``, the end of a word, and what
    the merges make. Nothing is pruned, and no merge has a count.

    >>> tokenizer = from_merges([("o", "w"), ("l", "ow"), ("e", "s"), ("es", "t")])
    >>> tokenizer.encode_word("lowest")
    ['low', 'est', '</w>']
    >>> tokenizer.decode(tokenizer.encode("lowest low"))
    'lowest low'
    """
    pairs = list(merges)
    if not all(len(pair) == 2 and all(isinstance(p, str) and p for p in pair) for pair in pairs):
        raise BPEError("A merge is two pieces of text, each of at least one character.")
    recipe = Recipe(
        algorithm="character-bpe", end_of_word=end_of_word, prune=False, unknown=unknown
    )
    parts = (part.replace(end_of_word, "") if end_of_word else part for p in pairs for part in p)
    symbols = initial_vocabulary(dict.fromkeys(["".join([*parts, *characters])], 1), recipe)
    vocabulary = set(symbols)
    steps = tuple(_step(pair, 0, vocabulary, vocabulary, recipe) for pair in pairs)
    return CharacterTokenizer(symbols, steps, recipe, name="own merges")


def apply_merges(symbols: Sequence[str], merges: Iterable[tuple[str, str]]) -> list[str]:
    """Run through the list of merges in order, applying each wherever it fits.

    >>> apply_merges(["l", "o", "w", "e", "s", "t", "</w>"], [("o", "w"), ("l", "ow")])
    ['low', 'e', 's', 't', '</w>']
    """
    merged = list(symbols)
    for pair in merges:
        merged = merge_pair(merged, pair, "".join(pair))
    return merged


def _apply_ranks(symbols: list[str], ranks: Mapping[tuple[str, str], Sequence[int]]) -> list[str]:
    """Do what :func:`apply_merges` does, going straight to the next merge that fits.

    A pair has several ranks where its parts can be spelled in several ways ("ab" + "c" and
    "a" + "bc"); only those behind the last merge applied still count.
    """
    last = -1
    while True:
        next_ranks = {}
        for pair in pairwise(symbols):
            ahead = [rank for rank in ranks.get(pair, ()) if rank > last]
            if ahead:
                next_ranks[ahead[0]] = pair
        if not next_ranks:
            return symbols
        last = min(next_ranks)
        pair = next_ranks[last]
        symbols = merge_pair(symbols, pair, "".join(pair))


@dataclass(frozen=True, repr=False)
class CharacterTokenizer(Encoder):
    """A trained character-level tokenizer: an immutable value made of symbols and merges.

    ``symbols`` is the vocabulary before the first merge. Ids number the vocabulary after pruning,
    in the order in which its entries came to be, or in ``order`` where a file has another one.
    """

    symbols: tuple[str, ...]
    merges: tuple[CharacterMerge, ...]
    recipe: Recipe
    corpus_digest: str = ""
    name: str = "trained"
    order: tuple[str, ...] = ()

    kind = "character-bpe"
    provenance = "trained"

    def __post_init__(self) -> None:
        recipe = self.recipe
        steps = [] if recipe.normalisation == "none" else [recipe.normalisation]
        self.__dict__.update(
            special_tokens=MappingProxyType({t: self.ids[t] for t in recipe.special_tokens}),
            normalises="+".join([*steps, "white space"]),
            lossy=recipe.unknown is not None,
        )

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """The symbols that an id stands for, in the order of ids."""
        if self.order:
            return self.order
        symbols = dict.fromkeys(self.symbols)
        for merge in self.merges:
            symbols[merge.new] = None
            for removed in merge.removed:
                symbols.pop(removed, None)
        return tuple(symbols)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Symbol to id."""
        return {symbol: index for index, symbol in enumerate(self.vocabulary)}

    @property
    def stop_reason(self) -> StopReason:
        """Which rule ended the training."""
        limit = self.recipe.vocabulary_size
        if limit is not None and len(self.symbols) > limit:
            return "alphabet"
        if limit is not None and self.vocabulary_size >= limit:
            return "vocabulary-size"
        return "merges" if len(self.merges) == self.recipe.merges else "min-frequency"

    def encode_word(self, word: str) -> list[str]:
        """Return the symbols of one word, also those that have no id.

        Words are cached, as most of them come again.
        """
        return list(self._cached_word(word))

    @cached_property
    def _cached_word(self) -> Callable[[str], tuple[str, ...]]:
        ranks: dict[tuple[str, str], list[int]] = {}
        for rank, merge in enumerate(self.merges):
            ranks.setdefault((merge.left, merge.right), []).append(rank)

        @lru_cache(maxsize=1 << 16)
        def encode_word(word: str) -> tuple[str, ...]:
            return tuple(_apply_ranks(split_word(word, self.recipe), ranks))

        return encode_word

    def _encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of ``text``.

        A symbol without an id (an unseen character, or one that was pruned) becomes the recipe's
        ``unknown`` token; where there is none it raises :class:`BPEError`.
        """
        words = normaliser(self.recipe.normalisation)(text).split()
        return [self._id(symbol) for word in words for symbol in self.encode_word(word)]

    def _id(self, symbol: str) -> int:
        known = self.ids.get(symbol)
        if known is None and self.recipe.unknown is not None:
            known = self.ids[self.recipe.unknown]
        if known is None:
            raise BPEError(
                "“{symbol}” is not in the vocabulary: it does not occur on its own in the "
                "training text. Add text that contains it, or train with an unknown token such "
                "as <unk>.",
                symbol=symbol,
            )
        return known

    @cached_property
    def _token_table(self) -> Sequence[bytes | None]:
        return [self._spelled(symbol) for symbol in self.vocabulary]

    def _spelled(self, symbol: str) -> bytes:
        """Return the UTF-8 of a symbol; the end of a word is a space."""
        end = self.recipe.end_of_word
        if end and symbol.endswith(end) and symbol not in self.recipe.special_tokens:
            symbol = symbol[: -len(end)] + " "
        return scalar_text(symbol).encode()

    def symbol(self, token_id: int, /) -> Symbol:
        """Return a token as a symbol; an unknown id raises :class:`BPEError`."""
        return Symbol(self.token_bytes(token_id), token_id, self.vocabulary[token_id])

    def made_of(self, symbol: Symbol) -> MadeOf | None:
        """Return what a symbol was merged from; ``None`` of characters and special tokens."""
        made = self._made.get(str(symbol.key))
        if made is None or symbol.key in self.recipe.special_tokens:
            return None
        parts = tuple(Symbol(self._spelled(part), self.ids.get(part), part) for part in made[:2])
        return MadeOf(parts, *made[2:])

    @cached_property
    def _made(self) -> Mapping[str, tuple[str, str, int, int]]:
        made: dict[str, tuple[str, str, int, int]] = {}
        for rank, merge in enumerate(self.merges, start=1):
            made.setdefault(merge.new, (merge.left, merge.right, rank, merge.count))
        return made

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids, words divided by single spaces."""
        text = self.decode_bytes(ids).decode()
        return text.removesuffix(" ") if self.recipe.end_of_word else text

    def vocab_json(self) -> str:
        """Return the content of ``vocab.json``: symbol to id."""
        return json.dumps(self.ids, ensure_ascii=False, indent=2) + "\n"

    def merges_txt(self) -> str:
        """Return the content of ``merges.txt``: a version line, then a merge a line."""
        lines = ["#version: 0.2", *(f"{merge.left} {merge.right}" for merge in self.merges)]
        return "\n".join(lines) + "\n"

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep only the fields: what is derived is made anew."""
        return type(self), tuple(getattr(self, name) for name in self.__dataclass_fields__)
