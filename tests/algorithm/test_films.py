"""A frame of a film is what a tokenizer trained up to there says; the engine is the reference."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.documents import samples
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
@settings(max_examples=15)  # each trains as often as there are merges
@given(texts=TEXTS, text=st.text("ab ug江水,éx", max_size=30))
def test_a_word_at_a_step_is_cut_as_by_a_tokenizer_trained_up_to_there(options, texts, text):
    recipe = bpe.Recipe(merges=25, **options)
    training = Training(texts, recipe)
    merges = list(training)
    tokenizer = training.tokenizer()
    algorithm = algorithm_of(recipe)
    film = algorithm.film(tokenizer, merges)
    cuts = film.cuts(list(algorithm.split(text)))
    for step in range(len(merges) + 1):
        smaller = bpe.train(texts, bpe.Recipe(merges=step, **options))
        shown = [
            piece if piece in smaller.engine.get_vocab() else algorithm.unknown
            for word in cuts
            for piece in max(cut for cut in word if cut[0] <= step)[1]
        ]
        assert shown == smaller.engine.encode(text, add_special_tokens=False).tokens


def test_pieces_leave_from_all_that_unigram_begins_with_to_those_it_keeps():
    texts = [samples.corpus("zh", "news"), samples.corpus("en", "news")]
    recipe = bpe.Recipe(algorithm="unigram", vocabulary_size=1100)
    algorithm = algorithm_of(recipe)
    training = Training(texts, recipe)
    tokenizer = (list(training), training.tokenizer())[1]
    words = algorithm.count_words(texts, lambda progress: None, None, None)
    film = algorithm.film(tokenizer, (), words)
    left = set(film.symbols)
    whole = bpe.train(texts, bpe.Recipe(algorithm="unigram", vocabulary_size=100_000))
    assert left == {piece for piece, score in whole.scores}
    scores = dict(whole.scores)
    cuts = dict(zip(words, film.cuts(list(words)), strict=True))
    for step in range(len(film.dropped) + 1):
        if step:
            left -= set(film.dropped[step - 1])
        if step == len(film.dropped):
            scores = dict(tokenizer.scores)
            assert left == set(scores)
        for word in list(words)[:: 1 if step == len(film.dropped) else 40]:
            shown = max(cut for cut in cuts[word] if cut[0] <= step)[1]
            assert "".join(shown) == word
            assert left.issuperset(shown)
            best = likeliest(word, {piece: scores[piece] for piece in left})
            assert sum(scores[piece] for piece in shown) == pytest.approx(best)


def likeliest(word: str, scores: dict[str, float]) -> float:
    """The logarithm of the probability of the best cut, by trying each last piece."""
    best = [0.0]
    for end in range(1, len(word) + 1):
        best.append(
            max(best[at] + scores.get(word[at:end], -1e9) for at in range(max(end - 20, 0), end))
        )
    return best[-1]


def test_there_is_no_film_of_a_unigram_that_keeps_every_piece():
    recipe = bpe.Recipe(algorithm="unigram", vocabulary_size=400)
    training = Training(["ab ab abc"], recipe)
    tokenizer = (list(training), training.tokenizer())[1]
    algorithm = algorithm_of(recipe)
    assert algorithm.film(tokenizer, (), {"▁ab": 2, "▁abc": 1}) is None
    assert algorithm.film(tokenizer, (), None) is None
