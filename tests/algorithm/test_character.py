"""Character BPE; the worked examples of lecture notes are held to it in ``test_lessons``."""

import contextlib
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe import limits
from bpe.algorithm.basic import merge_pair
from bpe.algorithm.character import (
    apply_merges,
    initial_vocabulary,
    learn,
    learn_incrementally,
    split_word,
)
from bpe.algorithm.recipe import Recipe
from bpe.compiled.train.symbols import learn_characters
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.errors import BPEError
from bpe.training.algorithms import algorithm_of
from bpe.training.train import Training, train

LEARNERS = pytest.mark.parametrize("learner", [learn, learn_incrementally, learn_characters])


def recipe(**options) -> Recipe:
    return Recipe(algorithm="character-bpe", **{"tie_break": "first-seen", **options})


def count_words(texts, options: Recipe) -> dict[str, int]:
    return algorithm_of(options).count_words(iter(texts), lambda progress: None, None, None)


def trained(texts, options: Recipe) -> CharacterTokenizer:
    words = count_words(texts, options)
    merges = tuple(learn(words, options))
    return CharacterTokenizer(initial_vocabulary(words, options), merges, options)


def test_what_is_pruned_or_unseen_is_an_error_or_the_unknown_token():
    with pytest.raises(BPEError, match="“</w>” is not in the vocabulary"):
        trained(["low low"], recipe(merges=1, tie_break="lexicographic")).encode("lo")
    with pytest.raises(BPEError, match="“!” is not in the vocabulary"):
        trained(["low"], recipe(prune=False)).encode("low!")
    tokenizer = trained(["low"], recipe(unknown="<unk>", prune=False))
    assert tokenizer.lossy
    assert tokenizer.decode(tokenizer.encode("low!")) == "low<unk>"


def test_it_is_an_encoder_that_says_it_changes_white_space():
    tokenizer = trained(["低头 看路 low"], recipe(merges=3))
    assert isinstance(tokenizer, Encoder)
    assert tokenizer.normalises == "white space"
    assert tokenizer.decode(tokenizer.encode("看路\n低头  low")) == "看路 低头 low"


def test_special_tokens_are_cut_out_and_have_ids():
    tokenizer = trained(["a b<|end|>a"], recipe(special_tokens=("<|end|>",), prune=False))
    assert tokenizer.encode("a<|end|>", allowed_special="all")[-1] == 0
    assert tokenizer.token_bytes(0) == b"<|end|>"


@LEARNERS
@pytest.mark.parametrize("options", [{"special_tokens": ("a",)}, {"unknown": "a"}])
def test_pruning_never_takes_a_special_token(learner, options):
    options = recipe(normalisation="lowercase", **options)
    words = count_words(["AA AA AA"], options)
    assert words == {"aa": 3}
    merges = tuple(learner(words, options))
    tokenizer = CharacterTokenizer(initial_vocabulary(words, options), merges, options)
    assert tokenizer.vocabulary == ("a", "aa</w>")
    assert tokenizer.encode("AA") == [1]
    assert tokenizer.encode("x a" if options.unknown else "a", allowed_special="all")[0] == 0


words_of_few_letters = st.dictionaries(
    st.text("ab", min_size=1, max_size=10), st.integers(1, 4), max_size=6
)


@given(words=words_of_few_letters, word=st.text("ab", max_size=12))
def test_encoding_is_running_through_the_merges_once(words, word):
    merges = tuple(learn(words, recipe()))
    tokenizer = CharacterTokenizer(("a", "b"), merges, recipe())
    expected = apply_merges(split_word(word, recipe()), [merge[:2] for merge in merges])
    assert tokenizer.encode_word(word) == expected


@LEARNERS
def test_a_pair_becomes_more_frequent_when_its_symbol_is_made_once_more(learner):
    # “ab” is the end of a word and then a merge too: what rarely stood beside it may no longer.
    options = recipe(end_of_word="ab", min_frequency=2, prune=False)
    words = {"baaba": 1, "abaaabb": 3, "babab": 1, "bbbbb": 1, "bb": 1}
    merges = list(learner(words, options))
    assert merges == list(learn(words, options))
    assert "ab" in [merge.new for merge in merges]


class TestALargeCorpus:
    text = "".join(map(chr, range(0x4E00, 0x9000))) * 5

    def heard(self, stop_at: str | None = None) -> list[str]:
        phases: list[str] = []

        def hear(progress):
            if progress.phase not in phases:
                phases.append(progress.phase)
            if progress.phase == stop_at:
                raise KeyboardInterrupt

        options = recipe(merges=2, min_frequency=2)
        with contextlib.suppress(KeyboardInterrupt):
            for _ in Training([self.text], options, on_progress=hear):
                pass
        return phases

    def test_it_says_what_it_is_doing_and_can_be_stopped_in_every_phase(self):
        phases = self.heard()
        assert phases == ["counting", "indexing", "merging"]
        assert [self.heard(stop_at=phase)[-1] for phase in phases] == phases

    def test_one_that_is_too_large_is_refused(self, monkeypatch):
        monkeypatch.setattr(limits, "available_memory", lambda: 50_000_000)
        with pytest.raises(BPEError, match="needs some 95 MB of memory"):
            next(learn_characters({"a" * 1_000_000: 1, "b" * 900_000: 1}, recipe()))


CHAPTER = ["这只猫🐈很可爱", "the quick brown fox jumps over the lazy 🐕🦺"]
FOUR_KINDS = r"\p{L}+|\p{N}+|[^\p{L}\p{N}\s]+|\s+"
"""Letters, numbers, signs and white space apart, as courses cut words before they are merged."""


def test_words_are_cut_by_a_pattern_that_is_not_the_usual_one():
    recipe = Recipe(
        algorithm="character-bpe",
        merges=20,
        pattern=f"regex:{FOUR_KINDS}",
        tie_break="first-seen",
        prune=False,
    )
    tokenizer = train(CHAPTER, recipe)
    rows = [[*word, "</w>"] for text in CHAPTER for word in regex.findall(FOUR_KINDS, text)]
    for merge in tokenizer.merges:  # by the definition: the first of the most frequent pairs
        pairs = Counter(pair for row in rows for pair in pairwise(row))
        best = max(pairs, key=pairs.__getitem__)
        assert (merge.left, merge.right, merge.count) == (*best, pairs[best])
        rows = [merge_pair(row, best, "".join(best)) for row in rows]
    assert len(tokenizer.merges) == 20
    assert tokenizer.normalises is None
    text = "the quick  fox 🐕"
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert train(CHAPTER, replace(recipe, pattern="gpt2")).merges != tokenizer.merges


@pytest.mark.parametrize("algorithm", ["wordpiece", "sentencepiece-bpe", "unigram"])
def test_a_pattern_is_refused_where_it_would_be_ignored(algorithm):
    with pytest.raises(BPEError, match="cuts words in its own way"):
        Recipe(algorithm=algorithm, vocabulary_size=400, pattern="cl100k")
    old = {**Recipe(algorithm=algorithm, vocabulary_size=400).as_json(), "pattern": "cl100k"}
    assert Recipe.from_json(old).pattern == "gpt2"  # as files of older versions may say
