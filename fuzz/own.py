"""Tokenizers of every recipe beside plain byte-level BPE, whose subject is ``trained``.

What holds for every encoder is in ``encoders``.
"""

from collections.abc import Callable
from functools import cache

from hypothesis import assume, given
from hypothesis import strategies as st

import bpe
from bpe import files
from bpe.algorithm import wordpiece
from bpe.algorithm.recipe import TIE_BREAKS_OF_ALL, Recipe
from bpe.compiled.train import symbols
from bpe.documents import samples
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.training.algorithms.parity import learn_by_parity, merges_by_parity
from fuzz import properties
from tests.support.texts import PIECES, texts

CORPUS = (samples.corpus("zh")[:2000], samples.corpus("en")[:2000], " ".join(PIECES * 3))
PARALLEL = {
    "zh": [pair.zh for pair in samples.pairs()],
    "en": [pair.en for pair in samples.pairs()],
}


def _trained(algorithm: str = "byte-bpe", **options: object) -> Callable[[], Encoder]:
    return lambda: bpe.train(CORPUS, Recipe(algorithm=algorithm, **options))  # type: ignore[arg-type]


RECIPES: dict[str, Callable[[], Encoder]] = {
    "bytes": _trained(merges=200, special_tokens=("<|end|>", "中")),
    "bytes, first-seen, o200k": _trained(merges=200, pattern="o200k", tie_break="first-seen"),
    "bytes, NFKC, lower case": _trained(merges=100, normalisation="NFKC+lowercase"),
    "bytes, own pattern": _trained(merges=100, pattern=r"regex:\p{Han}|\s+|[^\s\p{Han}]+"),
    "characters": _trained("character-bpe", merges=100, unknown="<unk>", special_tokens=("<unk>",)),
    "WordPiece": _trained("wordpiece", vocabulary_size=900, special_tokens=("[CLS]",)),
    "SentencePiece BPE": _trained("sentencepiece-bpe", vocabulary_size=900),
    "SentencePiece BPE with <unk>": _trained(
        "sentencepiece-bpe", vocabulary_size=900, unknown="<unk>"
    ),
    "Unigram": _trained("unigram", vocabulary_size=900),
    "Unigram with <unk>": _trained("unigram", vocabulary_size=900, unknown="<unk>"),
    "superwords": _trained("superwords", merges=200),
    "parity": lambda: bpe.train(PARALLEL, Recipe(algorithm="parity", merges=200)),
}
names = st.sampled_from(list(RECIPES))


@cache
def encoder(name: str) -> Encoder:
    return RECIPES[name]()


@cache
def _again(name: str, format: files.Format) -> Encoder | None:
    """Return what is loaded from the saved file; ``None`` where the format cannot hold it."""
    try:
        content = files.dumps(encoder(name), format)  # type: ignore[arg-type]
    except BPEError:
        return None
    return files.loads(content, pattern=getattr(encoder(name), "pattern", None) or "gpt2")


@given(name=names, text=texts, format=st.sampled_from(["bpe", "huggingface", "gpt2", "tiktoken"]))
def saved_and_loaded(name: str, text: str, format: files.Format) -> None:
    # What Hugging Face's normalisers make of newer characters differs, as its module says.
    assume(format == "bpe" or "NFKC" not in name)
    again = _again(name, format)
    assume(again is not None)
    assert again is not None
    assert again.encode_ordinary(text) == encoder(name).encode_ordinary(text)
    properties.no_byte_is_wrong(again, text)


words = st.dictionaries(st.text("ab中", min_size=1, max_size=9), st.integers(1, 5), max_size=8)


@given(
    words=words,
    recipe=st.builds(
        Recipe,
        algorithm=st.just("wordpiece"),
        vocabulary_size=st.none() | st.integers(1, 40),
        tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
        min_frequency=st.integers(1, 3),
        unknown=st.sampled_from([None, "[UNK]"]),
        score=st.sampled_from(["frequency", "likelihood"]),
    ),
)
def wordpiece_learners(words: dict[str, int], recipe: Recipe) -> None:
    slow = list(wordpiece.learn(words, recipe))
    assert list(symbols.learn_pieces(words, recipe)) == slow


@given(
    languages=st.lists(words, min_size=1, max_size=3),
    recipe=st.builds(
        Recipe,
        algorithm=st.just("parity"),
        merges=st.just(14),
        tie_break=st.sampled_from(TIE_BREAKS_OF_ALL),
        share=st.sampled_from([0.0, 0.3, 1.0]),
        min_frequency=st.integers(1, 3),
    ),
)
def parity_learners(languages: list[dict[str, int]], recipe: Recipe) -> None:
    counts = [{word.encode(): count for word, count in each.items()} for each in languages]
    assert list(learn_by_parity(counts, recipe)) == list(merges_by_parity(counts, recipe))
