"""The code that is shown runs, and does what the picture beside it shows."""

import contextlib
import io
from dataclasses import replace

import pytest

from bpe.algorithm import character
from bpe.algorithm.basic import encode, train
from bpe.algorithm.recipe import Recipe
from bpe.teaching import code
from bpe.teaching.tables import tables

WORDS = {"low": 5, "lower": 2, "newest": 6, "看路灯": 3, "aaaa": 2, "aaaaaaaaa": 1}


def printed(script: str) -> list[str]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(script, {"__name__": "__main__"})
    return said.getvalue().splitlines()


@pytest.mark.parametrize("tie_break", ["first-seen", "lexicographic", "smallest-ids"])
def test_the_script_of_bytes_prints_the_merges(tie_break):
    vocabulary = [bytes([byte]) for byte in range(256)]
    counts = {word.encode(): count for word, count in WORDS.items()}
    merges = list(train(counts, vocabulary, 256 + 12, tie_break))
    expected = [f"{n} {vocabulary[a]} {vocabulary[b]} {count}" for a, b, n, count in merges]
    assert printed(code.training_script(WORDS, 12, tie_break, bytes_=True)) == expected


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("end", ["</w>", ""])
@pytest.mark.parametrize("tie_break", ["first-seen", "lexicographic"])
def test_the_script_of_characters_prints_the_merges_of_the_textbook(tie_break, end, prune):
    recipe = Recipe(algorithm="character-bpe", merges=12, tie_break=tie_break, end_of_word=end)
    merges = list(character.learn(WORDS, replace(recipe, prune=prune, unknown=None)))
    options = {"end": (end,) if end else (), "prune": prune}
    script = code.training_script(WORDS, 12, tie_break, bytes_=False, **options)
    assert printed(script) == [f"{each.left} {each.right} {each.count}" for each in merges]
    shown = code.train_characters(WORDS, 12, tie_break, **options)
    assert [size for *_, size in shown] == [each.vocabulary_size for each in merges]


def test_the_script_of_an_encoding_prints_the_tokens():
    merges = [(b"l", b"o"), (b"lo", b"w"), (b"e", b"r")]
    known = {pair: b"".join(pair) for pair in merges}
    symbols = [bytes([byte]) for byte in b"lowers"]
    assert printed(code.encoding_script(symbols, merges)) == [str(encode(symbols, known))]


def test_the_script_of_the_fast_learner_prints_the_merges_that_its_tables_show():
    text = "看路看天看路灯 low lower"
    steps = tables(text, Recipe(merges=5))
    shown = [str(step.merge) for step in steps if step.merge]
    assert printed(code.incremental_script(text, 5)) == shown


def test_the_source_that_is_shown_has_no_types_and_no_docstring():
    for function in (train, encode, code.train_characters):
        shown = code.source(function)
        assert not any(sign in shown for sign in ('"""', "->", ": list"))
        compile(shown, "shown", "exec")
