"""``python -m benchmarks.scale [--gigabytes 2]``: count, learn and encode a corpus in many files.

The corpus is built from that of :mod:`benchmarks.corpus`: documents of some lines each, drawn at
random, Chinese and English in turn. So that new words keep coming, as they do in real text, three
words in ten are joined from the beginning of one and the end of another. Each step runs in a
process of its own, which prints what it took; of a pool of workers the memory is that of the
largest. Prints Markdown.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import bpe
from benchmarks import corpus
from bpe.scale.counting import count_to_file

SHARD_BYTES = 128 * 10**6
VOCABULARY = 32_000
_SEED = 20_26
_LINES = 8
_NEW = 0.3


def build(folder: Path, size: int) -> int:
    """Write shards of JSON lines up to a size, unless they are there; return how many there are."""
    texts = corpus.build()
    lines = {name: texts[name].read_text("utf-8").splitlines() for name in ("zh", "en")}
    number = -(-size // SHARD_BYTES)
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(number):
        path = folder / f"{shard:03}.jsonl"
        if path.exists():
            continue
        chance = random.Random(_SEED + shard)
        written = 0
        with path.open("w", encoding="utf-8") as file:
            while written < SHARD_BYTES:
                language = chance.choice(("zh", "en"))
                chosen = (_renewed(chance.choice(lines[language]), chance) for _ in range(_LINES))
                row = json.dumps({"text": "\n".join(chosen)}, ensure_ascii=False) + "\n"
                written += len(row.encode())
                file.write(row)
    return number


def _renewed(line: str, chance: random.Random) -> str:
    """Return a line some of whose words end as another one does."""
    words = line.split(" ")
    for at, word in enumerate(words):
        if len(word) > 1 and chance.random() < _NEW:
            other = chance.choice(words)
            words[at] = (
                word[: chance.randint(1, len(word))] + other[chance.randint(0, len(other)) :]
            )
    return " ".join(words)


# The steps, each in a process of its own.


def count(folder: str, out: str, keep: str, workers: str) -> dict[str, Any]:
    pool = ProcessPoolExecutor(int(workers), get_context("spawn")) if int(workers) else None
    recipe = bpe.Recipe(pattern="o200k")
    counted = count_to_file(folder, recipe, out, executor=pool, keep=keep or None)
    if pool:
        pool.shutdown()
    return {"bytes": counted.bytes, "file": os.path.getsize(out)}


def merge(out: str, *files: str) -> dict[str, Any]:
    from bpe.scale import count_files

    counted = count_files.merge(files, out)
    sizes = sum(os.path.getsize(file) for file in files)
    return {"bytes": counted.bytes, "read": sizes, "file": os.path.getsize(out)}


def learn(counts: str, memory: str, out: str) -> dict[str, Any]:
    from bpe.scale import count_files

    floor = count_files.floor_that_fits(counts, int(memory))
    words, left_out, _occurrences = count_files.read_without_rare(counts, floor)
    tokenizer = bpe.train(words, bpe.Recipe(pattern="o200k", vocabulary_size=VOCABULARY))
    bpe.save(tokenizer, out, format="huggingface")
    return {
        "floor": floor,
        "words": len(words),
        "word_bytes": len(words.text),
        "left_out": left_out,
        "merges": len(tokenizer.merges),
    }


def encode(folder: str, tokenizer: str, out: str, workers: str) -> dict[str, Any]:
    pool = ProcessPoolExecutor(int(workers), get_context("spawn"))
    written = bpe.encode_files(folder, bpe.load(tokenizer), out, executor=pool)
    pool.shutdown()
    return {
        "bytes": sum(file.bytes for file in written),
        "tokens": sum(file.tokens for file in written),
    }


STEPS = {"count": count, "merge": merge, "learn": learn, "encode": encode}


def _step(name: str, *arguments: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.scale", "--step", name, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(f"{name} {arguments[-1]}: {said}", file=sys.stderr)
    return said


def _run_step(name: str, arguments: list[str]) -> None:
    began = time.perf_counter()
    said = STEPS[name](*arguments)
    said["seconds"] = time.perf_counter() - began
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    said["processor"] = sum(each.ru_utime + each.ru_stime for each in usage)
    said["memory"] = max(each.ru_maxrss for each in usage) * 1024
    print(json.dumps(said))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--memory", type=float, default=4.0, help="gigabytes to learn in")
    parser.add_argument("--folder", type=Path, default=Path("build/scale"))
    parser.add_argument("--step", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        _run_step(options.step[0], options.step[1:])
        return
    folder = options.folder
    shards = build(folder / "texts", int(options.gigabytes * 10**9))
    print(f"{shards} shards, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start\n")
    print("| | seconds | MB/s | MB/s per processor second | peak memory |")
    print("|---|--:|--:|--:|--:|")

    def row(what: str, said: dict[str, Any], size: int) -> None:
        print(
            f"| {what} | {said['seconds']:.1f} | {size / said['seconds'] / 1e6:.0f} | "
            f"{size / said['processor'] / 1e6:.0f} | {said['memory'] / 1e6:,.0f} MB |",
            flush=True,
        )

    out = folder / "all.counts.parquet"
    for workers in (0, 1, 2):
        said = _step("count", folder / "texts", out, "", workers)
        name = f"{workers} worker{'s' * (workers > 1)}" if workers else "this process, all cores"
        row(f"count, {name}", said, said["bytes"])
    text = said["bytes"]
    keep = folder / "parts"
    _step("count", folder / "texts", out, keep, 2)
    files = sorted(path for path in keep.iterdir() if path.suffix == ".parquet")
    said = _step("merge", out, *files)
    row(f"merge {len(files)} files of {said['read'] / 1e6:,.0f} MB", said, said["read"])
    trained = folder / "tokenizer.json"
    said = _step("learn", out, int(options.memory * 10**9), trained)
    row(f"learn {VOCABULARY:,} in {options.memory:g} GB", said, said["word_bytes"])
    print(
        f"\n{said['words']:,} words of {said['word_bytes'] / 1e6:,.0f} MB that occur "
        f"{said['floor']} times or more; {said['left_out']:,} left out",
    )
    for workers in (1, 2):
        said = _step("encode", folder / "texts", trained, folder / f"ids-{workers}", workers)
        row(f"encode, {workers} worker{'s' * (workers > 1)}", said, text)


if __name__ == "__main__":
    main()
