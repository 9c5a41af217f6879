"""Tokenizers trained by every recipe, the files that they are saved in, and what is loaded."""

from functools import lru_cache

from hypothesis import assume, given
from hypothesis import strategies as st

import bpe
from bpe import files
from bpe.algorithm.merge import merge_by_heap
from bpe.algorithm.recipe import TIE_BREAKS, TIE_BREAKS_OF_ALL, Recipe
from bpe.compiled.encode.encoder import CompiledEncoder
from bpe.documents import samples
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.text.pretokenize import NORMALISATIONS, PATTERNS, split
from fuzz import properties
from tests.support.texts import PIECES, several, steps, texts

CORPUS = (samples.corpus("zh")[:2000], samples.corpus("en")[:2000], " ".join(PIECES * 3))

normalisations = st.lists(st.sampled_from(NORMALISATIONS), max_size=3, unique=True).map(
    lambda steps: "+".join(steps) or "none"
)
recipes = st.builds(
    Recipe,
    merges=st.sampled_from([0, 10, 150]),
    pattern=st.sampled_from(list(PATTERNS)),
    normalisation=st.just("none") | normalisations,
    tie_break=st.sampled_from(TIE_BREAKS),
    special_tokens=st.sampled_from([(), ("<|end|>", "<|endoftext|>", "中")]),
)
character_recipes = st.builds(
    Recipe,
    algorithm=st.just("character-bpe"),
    merges=st.sampled_from([0, 10, 60]),
    normalisation=normalisations,
    tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
    end_of_word=st.sampled_from(["</w>", "", "中"]),
    prune=st.booleans(),
    unknown=st.sampled_from([None, "<unk>"]),
    special_tokens=st.sampled_from([(), ("<unk>",), ("a", "<|end|>")]),
)


@lru_cache(maxsize=256)
def trained(recipe: Recipe) -> Tokenizer:
    tokenizer = bpe.train(CORPUS, recipe)
    assert isinstance(tokenizer, Tokenizer)
    return tokenizer


@lru_cache(maxsize=64)
def trained_on_characters(recipe: Recipe) -> CharacterTokenizer | None:
    try:
        tokenizer = bpe.train([text[:400] for text in CORPUS], recipe)
    except BPEError:  # such as an end of a word that is a special token, too
        return None
    assert isinstance(tokenizer, CharacterTokenizer)
    return tokenizer


@given(recipe=recipes, text=texts)
def bytes_are_the_text(recipe: Recipe, text: str) -> None:
    properties.the_bytes_are_the_text(trained(recipe), text)


@given(recipe=recipes, text=texts, step=steps)
def counting_in_steps(recipe: Recipe, text: str, step: int) -> None:
    properties.counting_to_a_limit_is_counting(trained(recipe), text, step)


@given(recipe=recipes, texts=several, step=steps)
def streams(recipe: Recipe, texts: list[str], step: int) -> None:
    properties.a_stream_has_the_ids_of_the_whole(trained(recipe), texts, step)


@given(recipe=recipes, texts=several)
def arrays_and_batches(recipe: Recipe, texts: list[str]) -> None:
    properties.arrays_and_batches_have_the_same_ids(trained(recipe), texts)


@given(recipe=recipes, text=texts)
def compiled_is_plain(recipe: Recipe, text: str) -> None:
    tokenizer = trained(recipe)
    normalised = properties.prepared(tokenizer, text)
    ranks = {merge[:2]: (merge.new_id, merge.new_id) for merge in tokenizer.merges}
    words = split(normalised, recipe.pattern)
    plain = [token for word in words for token in merge_by_heap(list(word.encode()), ranks.get)]
    assert compiled(recipe).encode(normalised) == plain
    assert tokenizer.encode_ordinary(text) == plain


@lru_cache(maxsize=256)
def compiled(recipe: Recipe) -> CompiledEncoder:
    return CompiledEncoder.from_merges(trained(recipe).merges, recipe.pattern)


@given(recipe=character_recipes, text=texts)
def characters(recipe: Recipe, text: str) -> None:
    tokenizer = trained_on_characters(recipe)
    assume(tokenizer is not None)
    assert tokenizer is not None
    try:
        ids = tokenizer.encode_ordinary(text)
    except BPEError:  # a character without a token, where none stands for the unknown
        return
    again = files.loads(files.dumps(tokenizer))
    assert again == tokenizer
    assert again.encode_ordinary(text) == ids


@given(recipe=recipes, text=texts, format=st.sampled_from(files.FORMATS))
def saved_and_loaded(recipe: Recipe, text: str, format: files.Format) -> None:
    # What Hugging Face's normalisers make of newer characters differs, as its module says.
    assume(format == "bpe" or recipe.normalisation == "none")
    tokenizer = trained(recipe)
    try:
        content = files.dumps(tokenizer, format)
    except BPEError:  # the format cannot say what the recipe asks for
        return
    again = files.loads(content, pattern=recipe.pattern)
    assert again.encode_ordinary(text) == tokenizer.encode_ordinary(text)
