"""A frame of a film is what a tokenizer trained up to there says; the engine is the reference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.training.algorithms import algorithm_of
from bpe.training.train import Training

TEXTS = st.lists(st.text("ab ug江水,é", min_size=1, max_size=30), min_size=1, max_size=3)
RECIPES = [
    {"algorithm": "sentencepiece-bpe"},
    {"algorithm": "sentencepiece-bpe", "unknown": "<?>", "special_tokens": ("<|end|>",)},
    {"algorithm": "wordpiece", "score": "frequency"},
    {"algorithm": "wordpiece", "score": "likelihood", "unknown": "[?]"},
]


@pytest.mark.parametrize("options", RECIPES)
@given(texts=TEXTS, text=st.text("ab ug江水,éx", max_size=30))
def test_a_word_at_a_step_is_cut_as_by_a_tokenizer_trained_up_to_there(options, texts, text):
    recipe = bpe.Recipe(merges=25, **options)
    training = Training(texts, recipe)
    merges = list(training)
    tokenizer = training.tokenizer()
    algorithm = algorithm_of(recipe)
    film = algorithm.film(tokenizer, merges)
    cuts = [film.cuts(word) for word in algorithm.split(text)]
    for step in range(len(merges) + 1):
        smaller = bpe.train(texts, bpe.Recipe(merges=step, **options))
        shown = [
            piece if piece in smaller.engine.get_vocab() else algorithm.unknown
            for word in cuts
            for piece in max(cut for cut in word if cut[0] <= step)[1]
        ]
        assert shown == smaller.engine.encode(text, add_special_tokens=False).tokens
