"""Large tokenizer files are parsed in another process, and are the same tokenizers afterwards."""

import io
import json
import pickle
from functools import partial

import pytest

import bpe
from bpe import files, limits, reading, sandbox
from bpe.encoders import huggingface
from bpe.errors import BPEError
from bpe.files import isolated
from bpe.sandbox import places
from fuzz.hostile_files import piece

TEXT = "low lower 最低 <|end|> ʼn"
RECIPES = {
    "bpe": {"algorithm": "byte-bpe", "pattern": "o200k", "normalisation": "NFC"},
    "characters": {"algorithm": "character-bpe", "unknown": "<unk>"},
    "huggingface": {"algorithm": "byte-bpe", "normalisation": "lowercase"},
    "gpt2": {"algorithm": "byte-bpe"},
    "tiktoken": {"algorithm": "byte-bpe"},
    "unigram": {"algorithm": "unigram", "vocabulary_size": 300},
    "wordpiece": {"algorithm": "wordpiece", "vocabulary_size": 300},
}


def saved(kind: str) -> dict[str, bytes]:
    recipe = bpe.Recipe(special_tokens=("<|end|>",), **{"vocabulary_size": 270, **RECIPES[kind]})
    tokenizer = bpe.train(["low lower lowest 最低 最低"] * 3, recipe)
    form = kind if kind in files.formats_of(tokenizer) else files.formats_of(tokenizer)[0]
    return files.dumps(tokenizer, form)


def runaway() -> dict[str, bytes]:
    """Return a file that is not only parsed in a process: its texts are encoded there, too."""
    ((name, content),) = saved("huggingface").items()
    split = huggingface.split({"Regex": "(l+)+o"})
    return {name: json.dumps({**json.loads(content), "pre_tokenizer": split}).encode()}


def sentencepiece() -> dict[str, bytes]:
    pieces = [piece("<unk>", kind=2), *(piece(each, -1.0) for each in ("▁low", "er", "最"))]
    return {"t.model": b"".join(pieces)}


@pytest.fixture
def elsewhere(monkeypatch, limit_sandbox):
    """Let this process parse nothing."""
    run, runs = sandbox.run, []

    def refuse(*_given):
        raise AssertionError("parsed in this process")

    def run_once(*given, **options):
        runs.append(given)
        return run(*given, **options)

    def start():
        limit_sandbox(bytes_parsed=0)
        monkeypatch.setattr(reading, "parse_json", refuse)
        monkeypatch.setattr(sandbox, "run", run_once)

    yield start
    monkeypatch.undo()
    assert len(runs) == 1


@pytest.mark.parametrize("kind", [*RECIPES, "runaway", "sentencepiece"])
def test_what_comes_back_is_the_tokenizer_of_the_file(kind, elsewhere, monkeypatch):
    make = {"runaway": runaway, "sentencepiece": sentencepiece}.get(kind, partial(saved, kind))
    given = make()
    expected = files.loads(given, name="ours", pattern="o200k")
    elsewhere()
    made = files.loads(given, name="ours", pattern="o200k")
    monkeypatch.undo()
    assert type(made) is type(expected)
    assert made.name == expected.name
    assert made.encode_ordinary(TEXT) == expected.encode_ordinary(TEXT)
    assert made.encode(TEXT, allowed_special="all") == expected.encode(TEXT, allowed_special="all")
    assert made.decode(made.encode_ordinary(TEXT)) == expected.decode(made.encode_ordinary(TEXT))
    assert list(made.token_table) == list(expected.token_table)
    assert made.special_tokens == expected.special_tokens
    form = files.formats_of(expected)[0]
    assert files.dumps(made, form) == files.dumps(expected, form)
    assert pickle.loads(pickle.dumps(made)).encode_ordinary(TEXT) == made.encode_ordinary(TEXT)


def test_the_hub_is_read_so_too(elsewhere):
    ((_, other),) = saved("huggingface").items()
    elsewhere()
    assert bpe.from_hub("a/b", fetch=lambda *_asked: other).name == "a/b"


def test_an_error_is_the_same_as_in_this_process(limit_sandbox):
    given = {"a.json": b'{"format": "bpe-playground", "version": 7}'}
    with pytest.raises(BPEError) as here:
        files.loads(given)
    limit_sandbox(bytes_parsed=0)
    with pytest.raises(BPEError) as there:
        files.loads(given)
    assert there.value.template == here.value.template
    assert there.value.values == here.value.values


def test_where_no_memory_is_free_it_is_refused(monkeypatch, limit_sandbox):
    evicted = []
    limit_sandbox(bytes_parsed=0)
    monkeypatch.setattr(places, "available_memory", lambda: 0)
    monkeypatch.setattr(limits, "make_room", evicted.append)
    with pytest.raises(BPEError, match=r"^a\.json: reading it needs more memory than is free"):
        files.loads({"a.json": b'{"model": [' + b"[]," * 1_000_000 + b"[]]}"})
    assert evicted[0] > 600_000_000


def test_nothing_but_encoders_is_unpickled():
    for hostile in (print, pickle.Unpickler, sandbox.run):
        with pytest.raises(pickle.UnpicklingError, match="not part of an encoder"):
            isolated._Unpickler(io.BytesIO(pickle.dumps(hostile))).load()
