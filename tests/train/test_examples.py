"""The examples of the Train page come to the merges that the notes print."""

import json

import bpe
from playground.train.presets import OWN


def test_nanjing():
    _label, text, recipe = OWN["nanjing"]
    tokenizer = bpe.train(text.split("\n"), recipe)
    made = [tokenizer.token_bytes(merge.new_id) for merge in tokenizer.merges]
    words = [token.encode() for token in ("长江", "大桥", "长江大桥")]
    assert [token for token in made if token in words] == words


def test_low_lower_newest_widest():
    _label, counts, recipe = OWN["low-newest"]
    words = [word for word, number in json.loads(counts).items() for _ in range(number)]
    made = [merge.new for merge in bpe.train(words, recipe).merges]
    assert made[:7] == ["es", "est", "est</w>", "lo", "low", "ne", "new"]
