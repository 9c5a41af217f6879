"""Each reason for other merges, by a case that was made to have it."""

import json
from dataclasses import replace

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe.algorithm.recipe import Recipe
from bpe.analysis.divergence import Reason, explain
from bpe.documents import samples
from bpe.errors import BPEError
from bpe.text.readable import unspell

TEXTS = (samples.corpus("zh")[:700], samples.corpus("en")[:1500])
RECIPE = Recipe(merges=60, min_frequency=2)


def merges(texts=TEXTS, recipe=RECIPE, **options) -> list[tuple[bytes, bytes]]:
    tokenizer = bpe.train(texts, recipe, **options)
    return [
        (tokenizer.token_bytes(merge.left), tokenizer.token_bytes(merge.right))
        for merge in tokenizer.merges
    ]


def test_the_same_merges_are_the_same():
    found = explain(TEXTS, RECIPE, merges())
    assert (found.place, found.reasons, found.explained) == (60, (), found.merges)
    assert found.theirs is None


LINES = "low\n\n\n" * 6 + "lower\n" * 3 + "newest  \n" * 2
SPECIAL = ["<|end|>low lower<|end|>newest lowest<|end|>" * 3]
PREFIXED = ["low"] * 5 + ["new low"] * 3


@pytest.mark.parametrize(
    ("texts", "recipe", "other_texts", "changes", "reasons"),
    [
        (TEXTS, RECIPE, TEXTS, {"tie_break": "first-seen"}, [("tie-break", "first-seen")]),
        (TEXTS, RECIPE, TEXTS, {"tie_break": "smallest-ids"}, [("tie-break", "smallest-ids")]),
        (TEXTS, RECIPE, TEXTS, {"tie_break": "huggingface"}, [("tie-break", "huggingface")]),
        (TEXTS, RECIPE, TEXTS, {"pattern": "whitespace"}, [("pattern", "whitespace")]),
        (TEXTS, RECIPE, TEXTS, {"pattern": "cl100k"}, [("pattern", "cl100k")]),
        (TEXTS, RECIPE, TEXTS, {"pattern": "none"}, [("pattern", "none")]),
        (TEXTS, RECIPE, TEXTS, {"normalisation": "lowercase"}, [("normalisation", "lowercase")]),
        (TEXTS, RECIPE, TEXTS, {"normalisation": "NFKC"}, [("normalisation", "NFKC")]),
        (TEXTS, RECIPE, TEXTS, {"tie_break": "first-seen", "pattern": "cl100k"},
         [("tie-break", "first-seen"), ("pattern", "cl100k")]),
        (SPECIAL, Recipe(merges=6), SPECIAL, {"special_tokens": ("<|end|>",)},
         [("special-tokens", "<|end|>")]),
        (SPECIAL, Recipe(merges=6, special_tokens=("<|end|>",)), SPECIAL, {"special_tokens": ()},
         [("special-tokens", "")]),
        # each line is a document
        ([LINES], Recipe(merges=12, pattern="none"), LINES.splitlines(keepends=True), {},
         [("documents", "lines")]),
        ([LINES], Recipe(merges=12, pattern="none"), LINES.splitlines(), {},
         [("documents", "stripped lines")]),
        (PREFIXED, Recipe(merges=6), [" " + text for text in PREFIXED], {},
         [("documents", "space in front")]),
    ],
)  # fmt: skip
def test_another_recipe_or_corpus(texts, recipe, other_texts, changes, reasons):
    found = explain(texts, recipe, merges(other_texts, replace(recipe, **changes)))
    assert {*found.reasons} == {Reason(*reason) for reason in reasons}
    assert len(found.reasons) == len(reasons)
    assert found.place < recipe.merges
    assert found.explained == found.merges
    assert found.ours != found.theirs


def test_what_the_corpus_does_not_tell_apart_is_named():
    found = explain(TEXTS, RECIPE, merges(recipe=replace(RECIPE, pattern="o200k")))
    assert Reason("pattern", "o200k") in (*found.reasons, *found.also)
    assert found.explained == found.merges


def test_the_counts_tell_a_tie():
    found = explain(["ab cd"], Recipe(pattern="whitespace"), [(b"a", b"b")])
    assert (found.ours, found.our_count) == ((b"c", b"d"), 1)
    assert (found.theirs, found.their_count) == ((b"a", b"b"), 1)
    assert found.reasons == (Reason("tie-break", "first-seen"),)


def test_what_nothing_explains_is_said():
    found = explain(TEXTS, RECIPE, [(b"\x00", b"\x01")])
    assert (found.place, found.explained, found.reasons, found.their_count) == (0, 0, (), 0)


def test_a_pair_that_never_occurs_leaves_the_merges_before_it_explained():
    theirs = [*merges(recipe=replace(RECIPE, tie_break="first-seen")), (b"zq", b"x")]
    found = explain(TEXTS, RECIPE, theirs)
    assert (found.explained, found.merges) == (60, 61)
    assert found.reasons == (Reason("tie-break", "first-seen"),)


def hugging_face(texts, size: int) -> list[tuple[bytes, bytes]]:
    engine = tokenizers.Tokenizer(tokenizers.models.BPE())
    engine.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.train_from_iterator(texts, tokenizers.trainers.BpeTrainer(
        vocab_size=size, show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet()))  # fmt: skip
    merged = json.loads(engine.to_str())["model"]["merges"]
    return [(unspell(left), unspell(right)) for left, right in merged]


@pytest.mark.parametrize(
    ("texts", "size"),
    [([samples.corpus("zh")], 2_500), ([samples.corpus("en")], 1_800),
     ([*samples.corpus("zh").splitlines(), samples.corpus("en")], 4_000)],
    ids=["Chinese", "English", "both"],
)  # fmt: skip
def test_hugging_face_makes_the_merges_of_its_tie_break(texts, size):
    theirs = hugging_face(texts, size)
    assert len(theirs) > 90
    recipe = Recipe(vocabulary_size=size, tie_break="huggingface")
    for learner in ("incremental", "compiled"):
        assert merges(texts, recipe, learner=learner)[: len(theirs)] == theirs
    found = explain(texts, replace(recipe, tie_break="lexicographic"), theirs)
    assert Reason("tie-break", "huggingface") in (*found.reasons, *found.also)
    assert found.explained == found.merges


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab Ġ中é1'\n\x80🏳", max_size=40), min_size=1, max_size=4))
def test_hugging_face_makes_them_of_any_text(texts):
    theirs = hugging_face(texts, 320)
    assert merges(texts, Recipe(vocabulary_size=320, tie_break="huggingface")) == theirs


def test_characters_are_refused():
    with pytest.raises(BPEError, match=r"Only the merges of byte-level BPE"):
        explain(TEXTS, Recipe(algorithm="character-bpe"), [])
