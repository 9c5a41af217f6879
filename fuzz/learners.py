"""The learners against each other: recounting, incremental, compiled."""

from collections.abc import Iterator, Mapping

from hypothesis import given
from hypothesis import strategies as st

from bpe.algorithm import character, incremental
from bpe.algorithm.recipe import TIE_BREAKS, TIE_BREAKS_OF_ALL, Recipe
from bpe.compiled.train import counting, learner, symbols
from bpe.errors import BPEError
from bpe.text.pretokenize import PATTERNS, count_words
from bpe.training.algorithms import algorithm_of
from bpe.training.algorithms.byte_bpe import learn_by_recounting
from fuzz.trained import character_recipes, normalisations
from tests.support.texts import SPECIALS, several

words = st.dictionaries(
    st.text("ab中", min_size=1, max_size=24).map(str.encode) | st.binary(max_size=12),
    st.integers(1, 6),
    max_size=12,
)
recipes = st.builds(
    Recipe,
    merges=st.none() | st.integers(0, 40),
    tie_break=st.sampled_from(TIE_BREAKS),
    min_frequency=st.integers(1, 4),
    special_tokens=st.sampled_from([(), ("<s>", "</s>")]),
)


@given(words=words, recipe=recipes)
def of_words(words: Mapping[bytes, int], recipe: Recipe) -> None:
    merges = list(learn_by_recounting(words, recipe))
    assert list(incremental.learn(words, recipe)) == merges
    assert list(learner.learn(words, recipe)) == merges


@given(texts=several, recipe=recipes, pattern=st.sampled_from(list(PATTERNS)))
def of_texts(texts: list[str], recipe: Recipe, pattern: str) -> None:
    counts = count_words(texts, pattern)
    merges = list(learn_by_recounting(counts, recipe))
    assert list(incremental.learn(counts, recipe)) == merges
    assert list(learner.learn(counting.count_words(iter(texts), pattern), recipe)) == merges


@given(
    texts=several,
    pattern=st.sampled_from(list(PATTERNS)),
    specials=st.sampled_from([(), SPECIALS]),
    normalisation=normalisations,
)
def counted_words(
    texts: list[str], pattern: str, specials: tuple[str, ...], normalisation: str
) -> None:
    slow = count_words(texts, pattern, special_tokens=specials, normalisation=normalisation)
    fast = counting.count_words(
        iter(texts), pattern, special_tokens=specials, normalisation=normalisation
    )
    assert list(fast.items()) == list(slow.items())


@given(texts=several, recipe=character_recipes)
def of_characters(texts: list[str], recipe: Recipe) -> None:
    algorithm = algorithm_of(recipe)
    counts = algorithm.count_words(iter(texts), lambda progress: None, None, None)
    slow = _until_error(character.learn(counts, recipe))
    assert _until_error(character.learn_incrementally(counts, recipe)) == slow
    assert _until_error(symbols.learn_characters(counts, recipe)) == slow


@given(
    words=st.dictionaries(st.text("ab", min_size=1, max_size=10), st.integers(1, 4), max_size=6),
    recipe=st.builds(
        Recipe,
        algorithm=st.just("character-bpe"),
        tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
        vocabulary_size=st.none() | st.integers(1, 20),
        end_of_word=st.sampled_from(["</w>", "", "ab"]),
        prune=st.booleans(),
        min_frequency=st.integers(1, 3),
    ),
)
def of_words_of_few_characters(words: Mapping[str, int], recipe: Recipe) -> None:
    slow = list(character.learn(words, recipe))
    assert list(character.learn_incrementally(words, recipe)) == slow
    assert list(symbols.learn_characters(words, recipe)) == slow


def _until_error(merges: Iterator[object]) -> list[object]:
    found: list[object] = []
    try:
        found.extend(merges)
    except BPEError as error:
        found.append(str(error))
    return found
