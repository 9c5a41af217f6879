"""No command eats its input: where it would write over what it reads, it refuses and says so."""

import os

import pytest

import bpe
from bpe.errors import BPEError
from bpe.writing import require_apart
from tests.cli.running import run

TRAIN = "train in.txt --merges 2 -o"
WORDS = "count-words in.txt -o"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.txt").write_text("low lower")
    bpe.save(bpe.train(["low lower"], bpe.Recipe(merges=2)), tmp_path / "mine.json")
    os.link(tmp_path / "in.txt", tmp_path / "hard.txt")
    (tmp_path / "soft.txt").symlink_to("in.txt")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("low")
    (tmp_path / "around").symlink_to("texts")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        *(f"{TRAIN} {name}" for name in ("in.txt", "./in.txt", "hard.txt", "soft.txt")),
        "train *.txt --merges 2 -o in.txt",
        "train soft.txt --merges 2 -o hard.txt",
        "train texts --merges 2 -o texts/a.txt",
        "train around --merges 2 -o texts/a.txt",
        "train texts --merges 2 -o texts --format gpt2",
        "train in.txt --start mine.json --merges 2 -o mine.json",
        "convert mine.json mine.json",
        *(f"{WORDS} {name}" for name in ("in.txt", "hard.txt", "soft.txt")),
        "encode-files texts -t mine.json -o texts",
        "encode-files texts -t mine.json -o around",
        "encode-files texts -t mine.json -o texts/tokens",
        "encode-files texts/a.txt -t mine.json -o texts",
        "encode-files texts/a.txt -t mine.json -o .",
    ],
)
def test_a_command_that_would_write_over_its_input_is_refused(folder, command):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    ran = run(*command.split(), code=2, cwd=folder)
    assert "is read" in ran.errors
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_what_was_written_beside_the_texts_is_read_by_no_later_run(folder):
    for _ in range(2):
        run("encode-files", "texts", "-t", "mine.json", "-o", "tokens", cwd=folder)
    with pytest.raises(BPEError, match="lies in"):
        bpe.encode_files(folder, bpe.load(folder / "mine.json"), folder / "tokens")


def test_urls_are_compared_too():
    with pytest.raises(BPEError, match="is read"):
        require_apart("s3://bucket/a", ["s3://bucket/a"])
    require_apart("s3://bucket/a", ["s3://bucket/b"])
