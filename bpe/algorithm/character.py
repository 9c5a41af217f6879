"""BPE as first published for text: characters, an end-of-word mark, and a pruned vocabulary.

Sennrich et al. 2016 (arXiv 1508.07909) start from characters and mark the end of each word;
lecture notes add that a symbol which no longer occurs on its own leaves the vocabulary. Here is how
it is learned; what encodes is in :mod:`bpe.encoders.character`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple

from bpe.algorithm.basic import best_pair, count_pairs, merge_pair
from bpe.algorithm.pair_index import PairIndex
from bpe.algorithm.recipe import Recipe
from bpe.progress import OnProgress
from bpe.text.pretokenize import split


class CharacterMerge(NamedTuple):
    """One step: the two symbols, how often they met, and what happened to the vocabulary.

    ``removed`` are the parts that no longer occur on their own and left the vocabulary;
    ``vocabulary_size`` is its size after this step.
    """

    left: str
    right: str
    count: int  # type: ignore[assignment]  # hides tuple.count, which is not needed here
    removed: tuple[str, ...]
    vocabulary_size: int

    @property
    def new(self) -> str:
        return self.left + self.right


def words_of(text: str, recipe: Recipe) -> list[str]:
    """Return the words of a text: what white space divides, or what another pattern cuts.

    >>> words_of("low, lower", Recipe(algorithm="character-bpe"))
    ['low,', 'lower']
    >>> words_of("low, lower", Recipe(algorithm="character-bpe", pattern=r"regex:\\w+|\\W"))
    ['low', ',', ' ', 'lower']
    """
    return list(split(text, recipe.pattern)) if recipe.has_own_words else text.split()


def split_word(word: str, recipe: Recipe) -> list[str]:
    """Return the characters of a word and the mark at its end.

    >>> split_word("low", Recipe(algorithm="character-bpe"))
    ['l', 'o', 'w', '</w>']
    """
    return [*word, recipe.end_of_word] if recipe.end_of_word else list(word)


def initial_vocabulary(word_counts: Mapping[str, int], recipe: Recipe) -> tuple[str, ...]:
    """Return special tokens, the unknown token, and every character in order of occurrence."""
    first = [*recipe.special_tokens, *([recipe.unknown] if recipe.unknown else [])]
    return tuple({**dict.fromkeys(first), **dict.fromkeys(symbols_of(word_counts, recipe))})


def symbols_of(word_counts: Mapping[str, int], recipe: Recipe) -> dict[str, int]:
    """Number the characters and the end of a word by first occurrence."""
    first = split_word(next(iter(word_counts)), recipe) if word_counts else []
    symbols = dict.fromkeys(chain(first, chain.from_iterable(word_counts)))
    return {symbol: number for number, symbol in enumerate(symbols)}


def learn(word_counts: Mapping[str, int], recipe: Recipe) -> Iterator[CharacterMerge]:
    """Yield the merges of a corpus of words, recounting every pair in every round."""
    words, spelling = numbered(word_counts, recipe)
    ids = {symbol: number for number, symbol in spelling.items()}
    vocabulary = set(initial_vocabulary(word_counts, recipe))
    for done in count():
        counts = count_pairs(words)
        if not counts or limit_reached(recipe, done, len(vocabulary)):
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
        yield prune((spelling[left], spelling[right]), frequency, vocabulary, present, recipe)


def learn_incrementally(
    word_counts: Mapping[str, int], recipe: Recipe, on_progress: OnProgress = lambda progress: None
) -> Iterator[CharacterMerge]:
    """Yield the same merges as :func:`learn`, visiting only what each merge changes.

    ``on_progress`` is called as in :mod:`bpe.algorithm.incremental`.
    """
    words, spelling = numbered(word_counts, recipe)
    index = PairIndex(
        words, spelling, recipe.tie_break, on_progress=on_progress, limit=recipe.merges
    )
    yield from learn_from(index, initial_vocabulary(word_counts, recipe), recipe)


def learn_from(
    index: PairIndex, initial: Iterable[str], recipe: Recipe
) -> Iterator[CharacterMerge]:
    """Yield the merges of the words in ``index``, starting from the ``initial`` vocabulary."""
    ids = {symbol: number for number, symbol in index.spelling.items()}
    occurrences = Counter(index.symbol_counts())
    vocabulary = set(initial)
    while not limit_reached(recipe, index.made, len(vocabulary)):
        pair = index.pop_best()
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
        yield prune((left, right), frequency, vocabulary, present, recipe)


def numbered(
    word_counts: Mapping[str, int], recipe: Recipe
) -> tuple[list[tuple[list[int], int]], dict[int, str]]:
    """Return the words as symbol numbers, which count up by first occurrence, and the symbols.

    >>> numbered({"low": 2}, Recipe(algorithm="character-bpe"))
    ([([0, 1, 2, 3], 2)], {0: 'l', 1: 'o', 2: 'w', 3: '</w>'})
    """
    numbers = symbols_of(word_counts, recipe)
    end = (recipe.end_of_word,) if recipe.end_of_word else ()
    words = [
        ([*map(numbers.__getitem__, chain(word, end))], count)
        for word, count in word_counts.items()
    ]
    return words, {number: symbol for symbol, number in numbers.items()}


def limit_reached(recipe: Recipe, merges_done: int, vocabulary_size: int) -> bool:
    return merges_done == recipe.merges or (
        recipe.vocabulary_size is not None and vocabulary_size >= recipe.vocabulary_size
    )


def prune(
    pair: tuple[str, str], count: int, vocabulary: set[str], present: set[str], recipe: Recipe
) -> CharacterMerge:
    """Add the new symbol to ``vocabulary``, prune it, and say so.

    A special token and the unknown token stay, even where words spell one of them.
    """
    vocabulary.add("".join(pair))
    if not recipe.prune:
        return CharacterMerge(*pair, count, (), len(vocabulary))
    staying = {*present, *recipe.special_tokens, recipe.unknown}
    removed = [part for part in dict.fromkeys(pair) if part not in staying]
    vocabulary.difference_update(removed)
    return CharacterMerge(*pair, count, tuple(removed), len(vocabulary))


def apply_merges(symbols: Sequence[str], merges: Iterable[tuple[str, str]]) -> list[str]:
    """Run through the list of merges in order, applying each wherever it fits.

    >>> apply_merges(["l", "o", "w", "e", "s", "t", "</w>"], [("o", "w"), ("l", "ow")])
    ['low', 'e', 's', 't', '</w>']
    """
    merged = list(symbols)
    for pair in merges:
        merged = merge_pair(merged, pair, "".join(pair))
    return merged
