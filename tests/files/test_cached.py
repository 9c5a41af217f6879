"""A tokenizer from a file whose tables are cached: the same one, and read when that is needed."""

import json
import os
import pickle

import pytest

import bpe
from bpe import compiled, files
from bpe.compiled import loading
from bpe.compiled.loading.cache import CACHE
from bpe.documents import samples
from bpe.encoders import cached_tables

TEXT = samples.corpus("zh") + samples.corpus("en") + " naïve 😀 <|end|> \x00"
pytestmark = pytest.mark.skipif(not loading.can_link, reason="nothing is cached here")


@pytest.fixture(scope="module")
def tokenizer():
    recipe = bpe.Recipe(vocabulary_size=700, special_tokens=("<|end|>",), pattern="cl100k")
    return bpe.train([TEXT], recipe)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder that is the cache."""
    compiled.warm(background=False, part="encode")
    monkeypatch.setattr(compiled, "is_linked", lambda: True)
    monkeypatch.setattr(CACHE, "folders", [tmp_path / "cache"])
    return tmp_path / "cache"


@pytest.fixture
def path(tokenizer, tmp_path):
    bpe.save(tokenizer, tmp_path / "tokenizer.json", format="huggingface")
    return tmp_path / "tokenizer.json"


def read_nothing(*_arguments, **_options):
    raise AssertionError("the file was read")


def loaded_twice(path):
    first = bpe.load(path)
    first.encode_ordinary(TEXT * 20)
    return first, bpe.load(path)


def test_the_second_time_the_file_is_not_taken_apart(place, path, tokenizer, monkeypatch):
    first, again = loaded_twice(path)
    monkeypatch.setattr(files, "loads", read_nothing)
    assert again.encode_ordinary(TEXT) == first.encode_ordinary(TEXT)
    assert again.encode("<|end|>", allowed_special="all") == [256]
    assert again.count(TEXT) == len(tokenizer.encode_ordinary(TEXT))
    assert again.special_tokens == first.special_tokens
    assert (again.name, again.pattern, again.kind) == (first.name, first.pattern, first.kind)
    with pytest.raises(AssertionError, match="the file was read"):
        again.decode([1])


def test_what_else_it_can_do_is_read_when_it_is_asked_for(place, path, tokenizer):
    first, again = loaded_twice(path)
    assert again.merges == first.merges
    assert again.decode(again.encode_ordinary(TEXT)) == TEXT
    assert again.token_bytes(600) == tokenizer.token_bytes(600)
    assert len(again) == len(tokenizer)
    assert again.engine.compiled.encode("low " * 20) == again.encode_ordinary("low " * 20)
    unpickled = pickle.loads(pickle.dumps(again))
    assert unpickled.encode_ordinary(TEXT) == tokenizer.encode_ordinary(TEXT)


def test_another_content_or_name_is_another_tokenizer(place, path, tokenizer):
    _, again = loaded_twice(path)
    other = json.loads(path.read_text("utf-8"))
    other["model"]["merges"] = other["model"]["merges"][:-100]
    path.write_text(json.dumps(other), "utf-8")
    assert len(bpe.load(path).merges) == len(tokenizer.merges) - 100
    assert bpe.load(path.rename(path.with_name("other.json"))).name == "other.json"
    assert again.name == "tokenizer.json"


def test_a_normalizer_is_kept_as_well(place, path):
    values = json.loads(path.read_text("utf-8"))
    values["normalizer"] = {"type": "NFC"}
    path.write_text(json.dumps(values), "utf-8")
    first, again = loaded_twice(path)
    assert (again.normalises, first.normalises) == ("NFC", "NFC")
    assert again.encode_ordinary("e\u0301 é") == first.encode_ordinary("é é")


def test_only_the_files_that_were_cached_last_stay(place, path, monkeypatch):
    monkeypatch.setattr(cached_tables, "MOST_FILES", 2)
    for number in range(4):
        copy = path.with_name(f"{number}.json")
        copy.write_bytes(path.read_bytes())
        bpe.load(copy).encode_ordinary(TEXT * 20)
        (newest,) = place.glob(
            f"{cached_tables.name_of_files({copy.name: copy.read_bytes()}, None, None)}*"
        )
        os.utime(newest, (number, number))
    assert len(list(place.glob("file_*.tables"))) == 2
    assert newest.exists()


def test_where_nothing_can_be_written_everything_works(path, tokenizer, tmp_path, monkeypatch):
    (tmp_path / "no folder").write_text("")
    monkeypatch.setattr(CACHE, "folders", [tmp_path / "no folder"])
    _, again = loaded_twice(path)
    assert again.encode_ordinary(TEXT) == tokenizer.encode_ordinary(TEXT)


def test_a_cached_file_takes_blanks_off_spans_as_the_file_says(place, path):
    values = json.loads(path.read_text("utf-8"))
    values["post_processor"] = {**values["decoder"], "trim_offsets": True}
    path.write_text(json.dumps(values), "utf-8")
    first, again = loaded_twice(path)
    assert first.encode_with_offsets("x the")[1][-1] == (2, 5)
    assert again.encode_with_offsets("x the") == first.encode_with_offsets("x the")
