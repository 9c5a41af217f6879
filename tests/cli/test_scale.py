"""The commands for corpora in many files, as another program calls them."""

import dataclasses
import json

import numpy as np
import pyarrow as arrow
import pytest
from pyarrow import parquet

import bpe
from bpe.documents import samples
from bpe.scale import count_files
from tests.cli.running import run, run_process, said

TEXTS = [line for pair in samples.pairs("news") for line in (pair.zh, pair.en)]


@pytest.fixture
def shards(tmp_path):
    folder = tmp_path / "shards"
    folder.mkdir()
    for number in range(3):
        rows = (json.dumps({"body": text}) for text in TEXTS[number::3])
        (folder / f"{number}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return folder


def test_counts_are_written_kept_and_added_up(shards, tmp_path):
    cut = ("--pattern", "o200k", "--column", "body")
    whole, part, rest = (tmp_path / f"{name}.counts.parquet" for name in ("whole", "part", "rest"))
    keep = tmp_path / "parts"
    counted = said("count-words", shards, "-o", whole, "--keep", keep, *cut)
    assert (counted["files"], counted["documents"]) == (3, len(TEXTS))
    assert counted["bytes"] == sum(len(text.encode()) for text in TEXTS)
    assert len(list(keep.iterdir())) == 3
    recipe = bpe.Recipe(pattern="o200k")
    assert count_files.read(str(whole)) == bpe.count_words(TEXTS, recipe)
    run("count-words", shards / "0.jsonl", "-o", part, *cut)
    # Workers run the main module of their parent again, which a test of a page may have replaced.
    run_process("count-words", shards / "[12].jsonl", "-o", rest, *cut, "--workers", "2")
    both = tmp_path / "both.counts.parquet"
    assert said("count-words", part, rest, "-o", both)["digest"] == counted["digest"]


def test_files_and_their_counts_give_the_same_tokenizer(shards, tmp_path):
    counts, by_files, by_counts = tmp_path / "c.parquet", tmp_path / "a.json", tmp_path / "b.json"
    (shards / "long.txt").write_text("the river, " * 4_000_000, encoding="utf-8")  # read in parts
    how = ("--column", "body", "--pattern", "o200k")
    recipe = ("--vocab-size", "300", "--format", "bpe")
    trained = said("train", shards, *how, *recipe, "-o", by_files)
    counted = said("count-words", shards, *how, "-o", counts)
    assert "words_left_out" not in said("train", "--counts", counts, *recipe, "-o", by_counts)
    assert trained["corpus_digest"] == counted["digest"]
    assert dataclasses.replace(bpe.load(by_counts), name="a") == bpe.load(by_files)
    other = run("train", "--counts", counts, "--pattern", "gpt2", "-o", by_counts, code=2)
    assert "another split pattern (o200k)" in other.errors


def test_words_that_are_left_out_are_said(shards, tmp_path):
    counts, out = tmp_path / "all.counts.parquet", tmp_path / "mine.json"
    run("count-words", shards, "-o", counts, "--column", "body")
    words = count_files.read(str(counts))
    train = ("train", "--counts", counts, "--merges", "20", "-o", out)
    trained = said(*train, "--min-word-count", "2")
    assert trained["words_left_out"] == sum(count < 2 for count in words.values())
    assert "words_left_out" not in said(*train, "--memory", "1GB")
    assert "MB are given" in run(*train, "--memory", "1MB", code=2).errors
    assert "--memory" in run(*train, "--memory", "much", code=2).errors
    of_a_file = run("train", "README.md", "-o", out, "--memory", "1GB", code=2)
    assert "are for --counts" in of_a_file.errors


def test_counts_of_another_program_are_taken_when_one_says_how_they_were_cut(tmp_path):
    theirs, out = tmp_path / "spark.parquet", tmp_path / "out.parquet"
    parquet.write_table(arrow.table({"word": [b"low"], "count": [5]}), theirs)
    done = run("count-words", theirs, "-o", out, code=2)
    assert not out.exists()
    assert "does not say how its words were cut" in done.errors
    train = ("train", "--counts", theirs, "--merges", "1", "-o", tmp_path / "t.json")
    assert "does not say how its words were cut" in run(*train, code=2).errors
    run(*train, "--pattern", "gpt2")
    run("count-words", theirs, "--pattern", "o200k", "-o", out)
    assert count_files.read(str(out)) == {b"low": 5}


def test_ids_are_written_with_an_index(shards, tmp_path):
    out = tmp_path / "ids"
    encoded = said("encode-files", shards, "-t", "cl100k_base", "-o", out, "--column", "body")
    encoder = bpe.encoding("cl100k_base")
    assert encoded["tokens"] == sum(len(encoder.encode(text)) for text in TEXTS)
    index = json.loads((out / "index.json").read_text(encoding="utf-8"))
    ids = np.load(out / index["shards"][0]["ids"], mmap_mode="r")
    assert encoder.decode(ids) == "".join(TEXTS[0::3])
