"""``python -m benchmarks [FILES...]``: train and encode beside the peers; print Markdown.

Without files the corpora of :mod:`benchmarks.corpus` are used. The chart goes to
``docs/performance.html``.
"""

import argparse
import datetime
import math
import os
import platform
import statistics
import sys
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import altair

from benchmarks import corpus, public, scaling
from benchmarks.contenders import (
    CHARACTER_TRAINERS,
    CONTINUED,
    DECODERS,
    ENCODERS,
    STRINGS,
    TRAINERS,
)
from benchmarks.measure import Runs, alternate

CHART = Path("docs/performance.html")
PUBLIC_SIZES = [100_000, 1_000_000, 20_000_000]
SIZES = [10_000, 100_000, 1_000_000, 5_000_000, 20_000_000]
BYTE_LEVEL = [name for name in TRAINERS if name not in ("ours", *CHARACTER_TRAINERS)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="UTF-8 text files")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each cell")
    parser.add_argument("--vocabulary", type=int, nargs="+", default=[1_000, 8_000, 32_000])
    parser.add_argument("--trainers", nargs="+", default=TRAINERS, choices=TRAINERS)
    parser.add_argument("--encodings", nargs="*", default=["cl100k_base", "o200k_base"])
    parser.add_argument("--only", choices=["train", "continued", "encode", "public", "scaling"])
    options = parser.parse_args()
    for missing in [name for name in options.trainers if not _is_here(name)]:
        print(f"{missing} is not installed and does not take part.", file=sys.stderr)
    options.trainers = [name for name in options.trainers if _is_here(name)]
    paths = {path.stem: path for path in options.files} or corpus.build()
    print(_machine())
    if options.only in (None, "train"):
        _training(paths, options.trainers, options.vocabulary, options.rounds)
    if options.only in (None, "continued"):
        _continuing(paths, options.vocabulary, options.rounds)
    if options.only in (None, "encode"):
        _encoding(paths, options.encodings, options.rounds)
        _strings(paths, options.encodings, options.rounds)
        _decoding(paths, options.encodings, options.rounds)
    if options.only in (None, "public"):
        _public(paths, options.encodings, options.rounds)
    if options.only in (None, "scaling"):
        _scaling(next(iter(paths.values())))


def _is_here(name: str) -> bool:
    return name == "ours" or find_spec(name) is not None


def _machine() -> str:
    peers = {name for name in (*TRAINERS, *ENCODERS) if _is_here(name)} - {"ours"}
    versions = ", ".join(f"{name} {version(name)}" for name in sorted({*peers, "numba", "numpy"}))
    return (
        f"{datetime.date.today()}, {os.cpu_count()} cores, {platform.machine()}, "
        f"Python {platform.python_version()}; {versions}.\n"
    )


def _training(
    paths: dict[str, Path], trainers: list[str], vocabulary: list[int], rounds: int
) -> None:
    print("### Training: median seconds (least–most); processor seconds; added memory\n")
    _header("corpus, vocabulary", [*trainers, "best peer ÷ ours", "by processor seconds"])
    ratios, processor_ratios = [], []
    for name, path in paths.items():
        for size in vocabulary:
            runs = alternate("train", list(trainers), [str(path), str(size)], rounds)
            cells = [_seconds(runs[one]) if one in runs else "–" for one in trainers]
            peers = [runs[peer] for peer in BYTE_LEVEL if peer in runs]
            ours = runs["ours"]
            ratios.append(min(peer.median for peer in peers) / ours.median)
            processor_ratios.append(
                min(peer.median_processor for peer in peers) / ours.median_processor
            )
            label = f"{name} {path.stat().st_size / 1e6:.0f} MB, {size:,}"
            _row(label, [*cells, f"{ratios[-1]:.2f}×", f"{processor_ratios[-1]:.2f}×"])
    print(
        f"\nGeometric mean of the ratios to the best byte-level peer: {_mean(ratios):.2f}×, by "
        f"processor seconds {_mean(processor_ratios):.2f}×.\n",
        flush=True,
    )


def _continuing(paths: dict[str, Path], vocabulary: list[int], rounds: int) -> None:
    print("### As many merges from bytes, and going on from `o200k_base`\n")
    columns = ["from bytes", "from o200k_base", "times as long", "by processor seconds"]
    _header("corpus, merges", columns)
    for name, path in paths.items():
        for size in vocabulary:
            runs = alternate("train", ["ours", CONTINUED], [str(path), str(size)], rounds)
            ours, continued = runs["ours"], runs[CONTINUED]
            ratio = continued.median / ours.median
            processor = continued.median_processor / ours.median_processor
            label = f"{name} {path.stat().st_size / 1e6:.0f} MB, {size - 256:,}"
            cells = [_seconds(ours), _seconds(continued), f"{ratio:.2f}×", f"{processor:.2f}×"]
            _row(label, cells)
    print(flush=True)


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def _encoding(paths: dict[str, Path], encodings: list[str], rounds: int) -> None:
    print(
        "### Encoding on one thread (`bpe.encoding(name).encode`, `.encode_to_numpy`), text that "
        "was not seen before: MB per processor second (least–most)\n"
    )
    _header("text, vocabulary, output, state", [*ENCODERS, "ours ÷ tiktoken", "ours ÷ gigatoken"])
    for name, path in paths.items():
        megabytes = path.stat().st_size / 2e6
        for encoding, output, state in product(encodings, ("array", "list"), ("fresh", "steady")):
            arguments = [str(path), encoding, output, state]
            runs = alternate("encode", list(ENCODERS), arguments, rounds)
            cells = [_speed(run, megabytes) for run in runs.values()]
            ours = runs["ours"].median_processor
            peers = [runs[peer].median_processor for peer in ("tiktoken", "gigatoken")]
            versus = [f"{seconds / ours:.2f}×" for seconds in peers]
            _row(f"{name}, {encoding}, {output}, {state}", [*cells, *versus])
    print(flush=True)


def _decoding(paths: dict[str, Path], encodings: list[str], rounds: int) -> None:
    print("### Decoding a list of ids (`.decode`): MB of text per processor second (least–most)\n")
    _header("text, vocabulary", [*DECODERS, "ours ÷ tiktoken"])
    for (name, path), encoding in product(paths.items(), encodings):
        runs = alternate("decode", list(DECODERS), [str(path), encoding], rounds)
        cells = [_speed(run, path.stat().st_size / 2e6) for run in runs.values()]
        ratio = runs["tiktoken"].median_processor / runs["ours"].median_processor
        _row(f"{name}, {encoding}", [*cells, f"{ratio:.2f}×"])
    print(flush=True)


def _public(paths: dict[str, Path], encodings: list[str], rounds: int) -> None:
    print(
        "### What a program waits for: MB per processor second, and how many times as much as "
        "others\n"
    )
    header = ["text, work", *(f"{size / 1e6:g} MB" for size in PUBLIC_SIZES)]
    _row(header[0], header[1:])
    print("|---" * len(header) + "|", flush=True)
    for encoding, (name, path) in product(encodings, paths.items()):
        public.prepare(path, encoding)
        for kind, names in public.WORKS.items():
            cells = []
            for size in PUBLIC_SIZES:
                arguments = [str(path), kind, str(size), encoding]
                runs = alternate("public", list(names), arguments, rounds)
                cells.append(_compared(runs))
            label = kind if kind.startswith("own") else f"{encoding}, {kind}"
            _row(f"{name}, {label}", cells)
    print(flush=True)


def _compared(runs: dict[str, Runs]) -> str:
    """Say how fast ours is, and how many times as fast as each of the others."""
    ours = runs["ours"]
    versus = (
        f"{name} {run.median_processor / ours.median_processor:.2f}×"
        for name, run in runs.items()
        if name != "ours"
    )
    return f"{ours.bytes / 1e6 / ours.median_processor:.1f}; {', '.join(versus)}"


def _strings(paths: dict[str, Path], encodings: list[str], rounds: int) -> None:
    print("### Encoding strings of 1 KB to lists: processor microseconds for each (least–most)\n")
    _header("text, vocabulary", [*ENCODERS, "tiktoken ÷ ours"])
    for name, path in paths.items():
        for encoding in encodings:
            runs = alternate("strings", list(ENCODERS), [str(path), encoding], rounds)
            times = {
                one: sorted(seconds / STRINGS * 1e6 for seconds in run.processor)
                for one, run in runs.items()
            }
            median = {one: statistics.median(each) for one, each in times.items()}
            cells = [f"{median[one]:.0f} ({t[0]:.0f}–{t[-1]:.0f})" for one, t in times.items()]
            ratio = median["tiktoken"] / median["ours"]
            _row(f"{name}, {encoding}", [*cells, f"{ratio:.2f}×"])
    print(flush=True)


def _scaling(path: Path) -> None:
    rows = scaling.learners_by_size(path, SIZES)
    print(f"### Counting and 500 merges of growing beginnings of `{path.name}`: seconds\n")
    _header("learner", [f"{size / 1e6:g} MB" for size in SIZES] + ["exponent of growth"])
    for learner in scaling.LEARNERS:
        times = {row["megabytes"]: row["seconds"] for row in rows if row["learner"] == learner}
        cells = [f"{times[size / 1e6]:.3f}" if size / 1e6 in times else "–" for size in SIZES]
        _row(learner, [*cells, f"{scaling.slope(rows, learner):.2f}"])
    chart = (
        altair.Chart(altair.Data(values=rows), width=560, height=320)
        .mark_line(point=True)
        .encode(
            x=altair.X("megabytes:Q", scale=altair.Scale(type="log"), title="corpus, MB"),
            y=altair.Y("seconds:Q", scale=altair.Scale(type="log"), title="seconds"),
            color=altair.Color("learner:N", sort=list(scaling.LEARNERS)),
        )
    )
    CHART.parent.mkdir(exist_ok=True)
    chart.save(str(CHART))
    print(f"\nThe chart is in {CHART}.", flush=True)


def _seconds(run: Runs) -> str:
    spread = f"{min(run.seconds):.2f}–{max(run.seconds):.2f}"
    return f"{run.median:.2f} ({spread}); {run.median_processor:.2f}; {run.megabytes:.0f} MB"


def _speed(run: Runs, megabytes: float) -> str:
    least, most = megabytes / max(run.processor), megabytes / min(run.processor)
    return f"{megabytes / run.median_processor:.0f} ({least:.0f}–{most:.0f})"


def _header(first: str, columns: list[str]) -> None:
    _row(first, columns)
    print("|---" * (len(columns) + 1) + "|", flush=True)


def _row(first: str, cells: list[str]) -> None:
    print("| " + " | ".join([first, *cells]) + " |", flush=True)


if __name__ == "__main__":
    main()
