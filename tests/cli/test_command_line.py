"""The command line, as another program calls it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bpe.encoders import catalog

ROOT = Path(__file__).parents[2]


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "bpe", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )


@pytest.fixture
def corpus(tmp_path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_bytes("看路，看天。看路灯。low lower lowest".encode("gb18030"))
    return path


def test_train_encode_and_decode(corpus, tmp_path):
    output = str(tmp_path / "mine.json")
    trained = run("train", str(corpus), "--vocab-size", "270", "--output", output, "--json")
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout)["vocabulary_size"] == 270
    encoded = run("encode", "-t", output, "看路 low", "--json")
    ids = json.loads(encoded.stdout)["ids"]
    decoded = run("decode", "-t", output, *map(str, ids))
    assert decoded.stdout == "看路 low\n"
    assert run("decode", "-t", output, stdin=" ".join(map(str, ids))).stdout == "看路 low\n"


@pytest.mark.parametrize("algorithm", ["wordpiece", "sentencepiece-bpe", "unigram"])
def test_a_relative_is_trained_into_a_tokenizer_json(corpus, tmp_path, algorithm):
    output = str(tmp_path / "tokenizer.json")
    trained = run(
        *("train", str(corpus), "--algorithm", algorithm, "--vocab-size", "40"),
        *("--unknown", "<unk>", "--output", output, "--json"),
    )
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout)["vocabulary_size"] <= 40
    ids = json.loads(run("encode", "-t", output, "low 看路", "--json").stdout)["ids"]
    assert run("decode", "-t", output, *map(str, ids)).stdout == "low 看路\n"


@pytest.mark.parametrize("file_format", ["huggingface", "tiktoken", "gpt2"])
def test_every_format_encodes_alike(corpus, tmp_path, file_format):
    own, other = str(tmp_path / "own.json"), str(tmp_path / {"gpt2": "gpt2"}.get(file_format, "t"))
    other += {"huggingface": ".json", "tiktoken": ".tiktoken", "gpt2": ""}[file_format]
    for output, kind in ((own, "bpe"), (other, file_format)):
        arguments = ["--vocab-size", "265", "--output", output, "--format", kind]
        assert run("train", str(corpus), *arguments).returncode == 0
    texts = [run("decode", "-t", path, stdin=run("encode", "-t", path, "看路灯").stdout).stdout
             for path in (own, other)]  # fmt: skip
    assert texts == ["看路灯\n"] * 2


def test_characters_can_be_trained_and_saved(corpus, tmp_path):
    output = str(tmp_path / "characters.json")
    arguments = ["--algorithm", "character-bpe", "--vocab-size", "30", "--output", output]
    arguments += ["--unknown", "<unk>"]
    trained = run("train", str(corpus), *arguments)
    assert trained.returncode == 0, trained.stderr
    assert run("encode", "-t", output, "low").stdout.strip()


def test_count_speaks_json():
    counted = json.loads(
        run("count", "你好，世界", "-t", "o200k_base", "-t", "qwen3", "--json").stdout
    )
    assert counted == {
        "characters": 5,
        "bytes": 15,
        "tokens": {
            name: len(catalog.encoding(name).encode("你好，世界"))
            for name in ("o200k_base", "qwen3")
        },
    }


def test_count_takes_every_offline_tokenizer_by_default():
    lines = run("count", stdin="你好").stdout.splitlines()
    assert len(lines) == len(catalog.encodings())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["encode", "-t", "gpt-99", "x"], "neither a file nor an encoding"),
        (["decode", "99999999"], "no token id 99999999"),
        (["decode"], "whole numbers"),
        (["train", "missing.txt", "-o", "x.json"], "does not exist"),
        (["train", "README.md", "-o", "x.json", "--vocab-size", "9"], "too small"),
        (["train", "README.md", "-o", "x.json", "--normalisation", "loud"], "no normalisation"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(arguments, message):
    failed = run(*arguments, stdin="words")
    assert failed.returncode == 2
    assert message in failed.stderr
    assert "Traceback" not in failed.stderr
