"""An estimate by five weights: what they miss, and the functions that are copied."""

import json
import shutil
import subprocess

import pytest

import bpe
from bpe.analysis.weights import KINDS, as_code, features, weights
from tests.cli.running import run, said

TEXT = "Hello 你好, 123 次。\n龘 𠮷 don't été 😀 ①"


@pytest.mark.parametrize(
    ("name", "chinese", "english"),
    [("cl100k_base", 0.09, 0.06), ("o200k_base", 0.08, 0.05), ("deepseek_v3", 0.1, 0.05)],
)
def test_the_weights_miss_held_out_texts_by_little(name, chinese, english):
    found = weights(bpe.encoding(name))
    assert found.errors["chinese"] < chinese
    assert found.errors["english"] < english
    assert found.errors.keys() == {"chinese", "english", "traditional", "code", "table"}
    assert 0 < found.letter < found.digit
    assert all(getattr(found, kind) >= 0 for kind in KINDS)


def test_characters_are_counted_by_kind():
    assert features(TEXT) == [5, 12, 4, 9, 4]
    assert sum(features(TEXT)) == len(TEXT)


def test_the_function_in_python_gives_what_the_weights_do():
    found = weights(bpe.encoding("gpt2"))
    place = {}
    exec(as_code(found, "python", "gpt2"), place)
    for text in (TEXT, "", "一二三" * 50, "abc def " * 50):
        assert place["estimate_tokens"](text) == found.estimate(text)


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
def test_the_function_in_javascript_gives_it_too():
    found = weights(bpe.encoding("gpt2"))
    code = f"{as_code(found, 'javascript', 'gpt2')}console.log(estimateTokens({json.dumps(TEXT)}))"
    done = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == found.estimate(TEXT)


def test_the_command_prints_weights_and_what_they_miss():
    assert "han" in run("inspect", "-t", "gpt2", "--weights").output
    found = said("inspect", "-t", "gpt2", "--weights")
    assert found["han"] > 1
    assert set(found["errors"]) >= {"chinese", "english"}
