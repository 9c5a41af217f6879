"""Whole means whole: what is missing, short or changed is made again, and said."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import bpe
from bpe.algorithm.counts import MOST, WordCounts
from bpe.algorithm.recipe import Recipe
from bpe.errors import BPEError
from bpe.scale import count_files, counting, shards

OWN = bpe.train(["low lower lowest"], Recipe(merges=5))
TEXTS = [f"low lower {number} lowest word{number}" for number in range(500)]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "texts" / "a.jsonl"
    path.parent.mkdir()
    path.write_text("\n".join(json.dumps({"text": text}) for text in TEXTS))
    return path


def cut(data):
    return data[:-2]


def changed(data):
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("damage", [None, lambda data: b"", cut, changed])
@pytest.mark.parametrize("suffix", ["ids", "documents.npy", "json"])
def test_ids_that_are_not_as_they_were_written_are_written_again(
    corpus, tmp_path, caplog, damage, suffix
):
    out = tmp_path / "ids"
    (first,) = bpe.encode_files(corpus, OWN, out)
    stem = first.ids.rpartition(".")[0]
    path = out / (first.ids if suffix == "ids" else f"{stem}.{suffix}")
    before = path.read_bytes()
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage(before))
    assert bpe.encode_files(corpus, OWN, out) == (first,)
    assert json.loads((out / f"{stem}.json").read_text())["tokens"] == first.tokens
    assert path.read_bytes() == before
    assert (len(caplog.records) == 1) == ((suffix, damage) != ("json", None))
    assert bpe.encode_files(corpus, OWN, out) == (first,)
    assert len(caplog.records) <= 1


def test_any_flipped_bit_in_counts_is_found(corpus, tmp_path, caplog):
    corpus.write_text("\n".join(corpus.read_text().splitlines()[:9]))  # a row group for each word
    keep = tmp_path / "keep"
    expected = dict(bpe.count_files(corpus, Recipe(), keep=keep))
    (path,) = keep.glob("*.parquet")
    data = path.read_bytes()
    for at in np.random.default_rng(7).integers(0, len(data), 40).tolist():
        flipped = bytearray(data)
        flipped[at] ^= 1 << at % 8
        path.write_bytes(flipped)
        assert dict(bpe.count_files(corpus, Recipe(), keep=keep)) == expected, at
    path.write_bytes(data)


def test_a_changed_file_of_counts_is_refused_where_it_cannot_be_counted_again(corpus, tmp_path):
    path = tmp_path / "a.counts.parquet"
    words = bpe.count_files(corpus, Recipe())
    count_files.save(words, str(path))
    data = path.read_bytes()
    at = data.index(b'"documents": 500')
    path.write_bytes(data[: at + 13] + b"600" + data[at + 16 :])
    with pytest.raises(BPEError, match="not a whole file of counts"), count_files.opened(str(path)):
        pass


def test_what_a_killed_process_left_is_deleted_and_what_is_being_written_is_not(tmp_path):
    dead, alive = tmp_path / ".abcdefgh.part", tmp_path / "a.npy"
    dead.write_bytes(b"unfinished")
    other = tmp_path / ".downloads.part"
    other.write_bytes(b"of another run")
    with shards.written_whole(str(alive)) as writing:
        for path in (dead, other, Path(writing)):
            os.utime(path, (1, 1))
        with shards.written_whole(str(tmp_path / "b.npy")) as place:
            Path(place).write_bytes(b"b")
        assert not dead.exists()
        assert other.exists()
        Path(writing).write_bytes(b"a")
    assert alive.read_bytes() == b"a"


@pytest.mark.skipif(sys.platform != "linux", reason="names there are Unicode")
def test_paths_need_not_be_utf_8(corpus, tmp_path, monkeypatch):
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}\udcfe.jsonl").write_bytes(corpus.read_bytes())
    monkeypatch.setattr(counting, "_AT_ONCE", 2)  # so that names of several are hashed together
    out = tmp_path / os.fsdecode(b"\xfe")
    words = bpe.count_files(folder, Recipe(), keep=out)
    assert words.counted.documents == 3 * len(TEXTS)
    files = bpe.encode_files(folder, OWN, out)
    assert bpe.encode_files(folder, OWN, out) == files
    assert [Path(file.source.removeprefix("file://")).exists() for file in files] == [True] * 3
    index = json.loads((out / "index.json").read_text("utf-8"))
    assert [shard["source"] for shard in index["shards"]] == [file.source for file in files]


def test_counts_that_the_learners_cannot_add_up_are_refused():
    with pytest.raises(BPEError, match="too large"):
        bpe.train({"ab" * 1000: 2**60}, Recipe(merges=1))
    assert bpe.train({"ab": MOST}, Recipe(merges=1)).merges[0].count == MOST
    with pytest.raises(BPEError):
        WordCounts.of({b"ab": 2**63})


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux ends them")
@pytest.mark.parametrize(
    ("ended_by", "at_work"),
    [("SIGTERM", True), ("SIGKILL", True), ("SIGINT", True), ("SIGKILL", False)],
)
def test_workers_end_with_their_command(at_work, corpus, tmp_path, ended_by):
    with corpus.open("a") as file:
        file.write("\n" + "\n".join(json.dumps({"text": text * 50}) for text in TEXTS * 20))
    files = [corpus.with_name(f"{number}.jsonl") for number in range(6)]
    for path in files:
        path.write_bytes(corpus.read_bytes())
    command = [sys.executable, "-m", "bpe", "encode-files", *map(str, files), "-t", "gpt2"]
    command += ["--output", str(tmp_path / "ids"), "--workers", "2"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # the tests may not
    )
    until = time.monotonic() + 600
    begun = tmp_path / "ids"
    # Itself, two workers, the resource tracker.
    while len(_of_group(process.pid)) < 4 or (at_work and not begun.exists()):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    if ended_by == "SIGINT":
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    else:
        process.send_signal(getattr(signal, ended_by))
    assert process.wait(), "it was over before"
    until = time.monotonic() + 600
    while left := _of_group(process.pid):
        assert time.monotonic() < until, left
        time.sleep(0.05)


def _of_group(group):
    """Return the commands of the processes of a group that are not yet over."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state, _parent, its_group = (path / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state != "Z":
                found.append((path / "cmdline").read_text())
        except (OSError, ValueError):
            continue
    return found
