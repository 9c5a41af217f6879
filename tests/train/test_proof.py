"""The files of a tokenizer are loaded by the library that they are for, and that is said."""

import pytest

import bpe
from bpe import files
from playground.train.downloads import AWKWARD, Proof, outcome, prove

TEXTS = ["low lower lowest 看路看天", ""]


@pytest.mark.parametrize("kind", ["bpe", "huggingface", "gpt2", "tiktoken"])
def test_each_library_gives_the_ids_of_ours(kind):
    recipe = bpe.Recipe(merges=20, special_tokens=("<|endoftext|>",))
    tokenizer = bpe.train(TEXTS, recipe)
    found = prove(tokenizer, kind, files.dumps(tokenizer, kind), TEXTS)
    assert (found.texts, found.differing) == (1 + len(AWKWARD), ())
    assert found.ids > found.texts
    assert "import" in found.snippet
    said = outcome(found)
    assert said.startswith(f"Loaded by {found.library} {found.version}".rstrip() + " just now: ")
    assert said.endswith(f"{found.texts} texts, {found.ids:,} ids, all the same.")


def test_other_ids_are_counted_and_the_first_text_with_them_is_shown():
    said = outcome(Proof("tokenizers", "1.0", 3, 9, ("*c*",), "import x")).replace("\\", "")
    assert "Loaded by tokenizers 1.0 just now: other ids for 1 of 3 texts." in said
    assert "The first: “*c*”" in said
