"""Counting and encoding where the texts are in no folder, and the workers are Dask's."""

import json
import os
import threading
import time
from pathlib import Path

import fsspec
import numpy as np
import pytest

import bpe
from bpe.documents import samples
from bpe.scale import count_files
from bpe.scale.counting import count_to_file

TEXTS = [line for pair in samples.pairs("news") for line in (pair.zh, pair.en)]
RECIPE = bpe.Recipe(merges=40, pattern="o200k")
BUCKET = "memory://corpus/shards"


def rows(texts):
    return "\n".join(json.dumps({"text": text}) for text in texts).encode()


def test_a_bucket_is_counted_kept_trained_on_and_encoded():
    store = fsspec.filesystem("memory")
    for number in range(3):
        store.pipe_file(f"{BUCKET}/{number}.jsonl", rows(TEXTS[number::3]))
    counts = bpe.count_files(f"{BUCKET}/*.jsonl", RECIPE, keep="memory://corpus/counts")
    assert len(store.ls("/corpus/counts")) == 3
    assert bpe.train(counts, RECIPE).merges == bpe.train(TEXTS, RECIPE).merges
    out = "memory://corpus/all.counts.parquet"
    again = count_to_file(f"{BUCKET}/", RECIPE, out, keep="memory://corpus/counts")
    assert again == counts.counted
    assert count_files.read(out) == counts
    encoder = bpe.encoding("cl100k_base")
    written = bpe.encode_files(f"{BUCKET}/*.jsonl", encoder, "memory://corpus/ids")
    with store.open(f"/corpus/ids/{written[0].ids}") as file:
        ids = np.load(file)
    assert ids.tolist() == [id for text in TEXTS[0::3] for id in encoder.encode(text)]
    assert bpe.encode_files(f"{BUCKET}/*.jsonl", encoder, "memory://corpus/ids") == written


@pytest.fixture(scope="module")
def cluster():
    """A scheduler of Dask with two worker processes."""
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set({"distributed.worker.daemon": False}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as here,
        Client(here) as client,
    ):
        yield client


def test_dask_counts_and_encodes_what_one_process_does(cluster, tmp_path):
    for number in range(6):
        (tmp_path / f"{number}.jsonl").write_bytes(rows(TEXTS[number::6]))
    with cluster.get_executor() as executor:
        counts = bpe.count_files(tmp_path, RECIPE, executor=executor)
        shared = bpe.count_files(tmp_path, RECIPE, executor=executor, keep=tmp_path / "parts")
        assert counts == shared == bpe.count_words(TEXTS, RECIPE)
        encoder = bpe.encoding("o200k_base")
        theirs = bpe.encode_files(
            str(tmp_path / "*.jsonl"), encoder, tmp_path / "a", executor=executor
        )
    assert theirs == bpe.encode_files(str(tmp_path / "*.jsonl"), encoder, tmp_path / "b")


def slowly(shard, *given, **more):
    """Count a shard; the first time, say which process does and wait to be killed."""
    from bpe.scale import counting

    mark = Path(shard.url.removeprefix("file://")).with_suffix(".pid")
    if shard.name == "3.jsonl" and not mark.exists():
        mark.write_text(str(os.getpid()))
        time.sleep(60)
    return counting._count_shard(shard, *given, **more)


def test_a_killed_worker_loses_nothing_and_counts_nothing_twice(cluster, tmp_path, monkeypatch):
    for number in range(6):
        (tmp_path / f"{number}.jsonl").write_bytes(rows(TEXTS[number::6]))
    from bpe.scale import counting

    mark = tmp_path / "3.pid"
    jobs = counting._jobs

    def slow_jobs(*given):
        return [(slowly, arguments, size) for _, arguments, size in jobs(*given)]

    def kill():
        while not mark.exists() or not mark.read_text():
            time.sleep(0.05)
        os.kill(int(mark.read_text()), 9)

    monkeypatch.setattr(counting, "_jobs", slow_jobs)
    killer = threading.Thread(target=kill)
    killer.start()
    with cluster.get_executor(retries=1) as executor:
        counts = bpe.count_files(tmp_path, RECIPE, executor=executor)
    killer.join()
    assert counts == bpe.count_words(TEXTS, RECIPE)
