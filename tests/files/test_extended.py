"""A production tokenizer with new merges gives the same ids in Hugging Face ``tokenizers``."""

import json

import pytest
import tokenizers

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.encoders.huggingface import added_token
from bpe.errors import BPEError
from playground.train.downloads import AWKWARD
from tests.files.test_files import texts

CORPUS = (samples.corpus("zh"), samples.corpus("en"))


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "deepseek_v3", "qwen3", "glm4", "llama3"])
def test_ids_are_the_same_there_and_old_ones_have_not_moved(name):
    start = bpe.encoding(name)
    recipe = Recipe(merges=200, min_frequency=2, special_tokens=("<|mine|>",))
    tokenizer = bpe.train(CORPUS, recipe, start=start)
    content = files.dumps(tokenizer, "huggingface")["tokenizer.json"]
    theirs = tokenizers.Tokenizer.from_str(content.decode())
    for text in (*AWKWARD, *texts(), *CORPUS):
        if not any(special in text for special in tokenizer.special_tokens):
            assert theirs.encode(text, add_special_tokens=False).ids == tokenizer.encode(text)
    for special, token_id in start.special_tokens.items():
        assert theirs.token_to_id(special) == token_id
    assert theirs.token_to_id("<|mine|>") == start.vocabulary_size
    assert theirs.encode("a<|mine|>b", add_special_tokens=False).ids == [
        *start.encode("a"),
        start.vocabulary_size,
        *start.encode("b"),
    ]


def test_the_file_of_a_start_keeps_its_normaliser_and_added_tokens(tmp_path):
    values = json.loads(
        files.dumps(bpe.train(CORPUS, Recipe(merges=50)), "huggingface")["tokenizer.json"]
    )
    values["normalizer"] = {"type": "NFKC"}
    values["added_tokens"] = [added_token("<tool>", 306, special=False)]
    values["model"]["vocab"]["<tool>"] = 306
    start = files.loads({"tokenizer.json": json.dumps(values).encode()})
    tokenizer = bpe.train(CORPUS, Recipe(merges=50), start=start)
    theirs = tokenizers.Tokenizer.from_str(
        files.dumps(tokenizer, "huggingface")["tokenizer.json"].decode()
    )
    for text in ("① ﬁ<tool>看路", *AWKWARD, *texts()):
        assert theirs.encode(text, add_special_tokens=False).ids == tokenizer.encode(text)
    assert 306 in tokenizer.encode("a<tool>b")
    assert tokenizer.training.new_ids[0] == 307


def test_our_own_format_is_refused():
    tokenizer = bpe.train(["low low"], Recipe(merges=1), start=bpe.encoding("gpt2"))
    with pytest.raises(BPEError, match="from the beginning, not for trained. Choose one of: hugg"):
        files.dumps(tokenizer, "bpe")
