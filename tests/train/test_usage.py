"""How often merges are made follows from one encoding; making them again is the reference."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.algorithm import character
from bpe.algorithm.incremental import token_counts
from bpe.documents import samples
from bpe.text import pretokenize
from bpe.training.algorithms import algorithm_of
from playground.train import explorer, usage

TEXTS = st.lists(st.text("ab 中文江。", max_size=30), min_size=1, max_size=4)


PATTERNS = ["gpt2", "whitespace", "none", r"regex:(?<=a)b\w|(?s:.)"]


@given(TEXTS, st.sampled_from(PATTERNS))
def test_merges_are_made_as_often_as_making_them_again_says(texts, pattern):
    tokenizer = bpe.train(texts, bpe.Recipe(merges=20, pattern=pattern))
    counted = usage.count(tokenizer, [*texts, texts[0]])
    words = pretokenize.count_words([*texts, texts[0]], pattern)
    merges = [merge[:3] for merge in tokenizer.merges]
    left = list(token_counts(words.items(), merges))
    assert counted.made.sum(axis=0).tolist() == [-step for step in np.diff(left)]
    assert sum(counted.symbols) == counted.base[:256].sum() == left[0]
    assert counted.head is None


@given(TEXTS, st.booleans())
def test_so_are_those_of_characters(texts, marked):
    recipe = bpe.Recipe(algorithm="character-bpe", merges=20, end_of_word="</w>" if marked else "")
    tokenizer = bpe.train(texts, recipe)
    counted = usage.count(tokenizer, texts)
    counts = algorithm_of(recipe).count_words(iter(texts), lambda progress: None, None, None)
    words = [(character.split_word(word, recipe), number) for word, number in counts.items()]
    merges = [(merge.left, merge.right, merge.new) for merge in tokenizer.merges]
    left = list(token_counts(words, merges))
    assert counted.made.sum(axis=0).tolist() == [-step for step in np.diff(left)]
    assert sum(counted.symbols) == left[0]


@pytest.mark.parametrize("algorithm", ["byte-bpe", "character-bpe"])
def test_pre_tokens_with_hanzi_are_counted_apart_with_the_white_space_before_them(algorithm):
    recipe = bpe.Recipe(algorithm=algorithm, merges=5, special_tokens=("<|end|>",))
    tokenizer = bpe.train(["ab ab 江水 江水"], recipe)
    counted = usage.count(tokenizer, ["ab ab<|end|>江水  ab\n"])
    assert counted.sizes == (6, 2 + 3 + 4 + 1)
    assert counted.made.sum() > 0
    assert explorer.size(recipe, "ab ab<|end|>江水  ab\n") == 5 + 7 + 6 + 5


def test_a_large_corpus_is_counted_in_part():
    tokenizer = bpe.train(["江水"], bpe.Recipe(merges=2))
    counted = usage.count(tokenizer, ["江" * (usage.MOST_CHARACTERS - 1), "江水"])
    assert counted.head in (usage.MOST_CHARACTERS, usage.MOST_UNCOMPILED)
    assert counted.sizes[0] in (3 * usage.MOST_CHARACTERS, 3 * usage.MOST_UNCOMPILED)


def test_the_last_step_of_unigram_has_the_tokens_of_its_tokenizer():
    texts = [samples.corpus("zh", "news"), samples.corpus("en", "news")]
    recipe = bpe.Recipe(algorithm="unigram", vocabulary_size=1100)
    tokenizer = bpe.train(texts, recipe)
    counted = usage.count(tokenizer, texts)
    occurs = Counter(dict(zip(counted.film.symbols, counted.base.tolist(), strict=True)))
    for changes in counted.changes:
        occurs.update(changes)
    pieces = Counter(piece for text in texts for piece in tokenizer.engine.encode(text).tokens)
    assert +occurs == pieces
    drawn = explorer.model(tokenizer, counted)
    assert drawn["sizes"][-1] == tokenizer.vocabulary_size
    assert len(drawn["count"]) == len(drawn["sizes"]) - 1
    assert usage.count(tokenizer, [texts[0] * 30]) is None, "only a part is counted"
