"""``python -m benchmarks [FILES…]``: train and encode beside the peers, each proved equal first.

Without files the corpora of :mod:`benchmarks.corpus` are used, and ``--write`` puts the tables into
docs/performance.md, between its marks, and the figures into docs/performance.json.
``--tables`` writes the tables of the figures that are there.
"""

import argparse
import datetime
import json
import math
import os
import platform
import statistics
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import contenders
from benchmarks.contenders import ALGORITHMS, ALL_CORES, CONTROL, OURS, SLOW, TRAINERS, WORKS

RESULTS, PAGE = Path("docs/performance.json"), Path("docs/performance.md")
VOCABULARIES, ALGORITHMS_SIZE = (1_000, 8_000, 32_000), 8_000
LONG, MIDDLE, SHORT = 10_000_000, 1_000_000, 100_000
"""Bytes of a text, of one where a peer is slow, and of one for a new process."""
PARTS = (("training", "seconds"), ("encoding", "processor"))
_PROOF = 200_000  # bytes of the text that merges are proved on


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="UTF-8 text files of 2 MB or more")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each cell")
    parser.add_argument("--only", choices=[part for part, _ in PARTS])
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2], help="of work on all cores")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tables", action="store_true")
    options = parser.parse_args()
    if options.tables:
        results = json.loads(RESULTS.read_text("utf-8"))
    else:
        from benchmarks import corpus

        paths = {path.stem: path for path in options.files} or corpus.build()
        results = measured(paths, options.rounds, only=options.only, cores=options.cores)
    if options.write:
        RESULTS.write_text(written(results), "utf-8")
    if options.write or options.tables:
        PAGE.write_text(with_tables(PAGE.read_text("utf-8"), results), "utf-8")
    else:
        show(results)


def show(results: dict[str, Any]) -> None:
    print("\n\n".join(f"{name}\n\n{table}" for name, table in tables(results).items()))


def measured(
    paths: Mapping[str, Path],
    rounds: int,
    *,
    only: str | None = None,
    vocabularies: Sequence[int] = VOCABULARIES,
    kinds: Collection[str] = tuple(WORKS),
    cores: Sequence[int] = (1, 2),
) -> dict[str, Any]:
    """Prove and measure every contender in every cell; tell each cell as it is done.

    Of a text that is neither Chinese nor English (``zh``, ``en``), some kinds of work are left out.
    """
    from benchmarks.measure import alternate, in_fresh_process

    peers = {name for names in (TRAINERS, *WORKS.values()) for name in names} - {*OURS}
    packages = sorted({contenders.PACKAGES.get(name, name) for name in peers} | {"numba", "numpy"})
    results: dict[str, Any] = {
        "date": str(datetime.date.today()),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "versions": {name: contenders.version_of(name) for name in packages},
        "python": platform.python_version(),
        "rounds": rounds,
        "proved": {},
        "training": {},
        "encoding": {},
    }

    def add(part: str, label: str, runs: dict[str, Any]) -> None:
        results[part][label] = runs
        for cell, ratio in _ratios({part: {label: runs}}):
            print(f"{cell}: {ratio:.2f}", flush=True)

    for name, path in sorted(paths.items(), reverse=True):  # Chinese first
        contenders.prepare(path)
        if only != "encoding":
            sample = Path("build") / f"{path.stem}-proof.txt"
            data = path.read_bytes()[:_PROOF]
            sample.write_bytes(data[: data.rindex(b"\n") + 1])
            for one in TRAINERS:
                proof = in_fresh_process("prove-merges", one, str(sample))
                results["proved"][f"{name}, {one}, merges"] = proof["merges"]
            for size in vocabularies if name != "mixed" else vocabularies[-1:]:
                runs = alternate("train", TRAINERS, [str(path), str(size)], rounds)
                add("training", f"{name}, {size:,}", runs)
            little = Path("build") / f"{path.stem}-little.txt"
            little.write_bytes(path.read_bytes()[: 4 * MIDDLE].rsplit(b"\n", 1)[0])
            for algorithm, (recipe, peer) in ALGORITHMS.items() if name != "mixed" else ():
                arguments = [str(little), str(ALGORITHMS_SIZE), recipe]
                add(
                    "training",
                    f"{name}, {algorithm}",
                    alternate("train", (*OURS, peer), arguments, 1),
                )
        if only != "training":
            for one in sorted({one for names in WORKS.values() for one in names} - {*OURS}):
                proof = in_fresh_process("prove", one, str(path))
                results["proved"][f"{name}, {one}, ids"] = proof["ids"]
            for kind in (kind for kind in kinds if contenders.is_told(kind, name)):
                size = SHORT if kind.startswith("cold") else MIDDLE if kind in SLOW else LONG
                for number in cores if kind.endswith(ALL_CORES) else (0,):
                    arguments = [str(path), kind, str(size), str(number)]
                    runs = alternate("encode", WORKS[kind], arguments, rounds)
                    label = kind.replace(ALL_CORES, f"cores: {number}")
                    add("encoding", f"{name}, {label}", runs)
    return results


def written(results: dict[str, Any]) -> str:
    """Return results as JSON, a line for each cell."""
    lines = []
    for key, value in results.items():
        shown = json.dumps(value)
        if key in ("proved", *dict(PARTS)) and value:
            cells = (f"  {json.dumps(label)}: {json.dumps(cell)}" for label, cell in value.items())
            shown = "{\n" + ",\n".join(cells) + "\n }"
        lines.append(f" {json.dumps(key)}: {shown}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def with_tables(page: str, results: dict[str, Any]) -> str:
    """Return the page with new tables between its marks."""
    for name, table in tables(results).items():
        begin, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise ValueError(f"the page has no place for {name}")
        page = before + begin + table + end + after
    return page


def tables(results: dict[str, Any]) -> dict[str, str]:
    """Return Markdown by the name of its place: of the parts that were measured."""
    made = {part: "\n".join(_table(results, part)) for part, _ in PARTS if results[part]}
    return {"conditions": _conditions(results), **made}


def _conditions(results: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    noise = sorted(
        abs(math.log(_of(runs[CONTROL], figure) / _of(runs["ours"], figure)))
        for _, runs, figure in _cells(results)
    )
    middle, most = (math.exp(noise[at]) - 1 for at in (len(noise) // 2, -1))
    lost = [f"{label} ({ratio:.2f}×)" for label, ratio in _ratios(results) if ratio < 1]
    paragraphs = [
        f"{results['date']}, {results['machine']}, Python {results['python']}; {versions}; "
        f"medians of {results['rounds']} rounds. The same code measured twice differed by "
        f"{middle:.0%} in the middle, by {most:.0%} at most.",
        f"**Not ahead**: {'; '.join(lost) or 'none'}.",
    ]
    bytes_alone = {size: runs for size, runs in results["training"].items() if size[-1].isdecimal()}
    if training := [ratio for _, ratio in _ratios({"training": bytes_alone})]:
        mean = statistics.geometric_mean(training)
        paragraphs.append(
            f"Geometric mean of the ratios of training byte-level BPE: **{mean:.2f}×**."
        )
    return "\n\n".join(paragraphs)


def _table(results: dict[str, Any], part: str) -> Iterator[str]:
    """Yield a row for each text and kind of work; what is done again stands behind a stroke."""
    yield "| | best peer ÷ ours | ours | peers, the best first |"
    yield "|---" * 4 + "|"
    for label, runs in results[part].items():
        figures = [figure for _, _, figure in _cells({part: {label: runs}})]
        ratios = " / ".join(f"{_ratio(runs, figure):.2f}×" for figure in figures)
        peers = [name for name in runs if name not in OURS]
        shown = {
            name: " / ".join(_shown(runs[name], figure) for figure in figures)
            for name in sorted(peers, key=lambda name: _of(runs[name], figures[0]))
        }
        told = "; ".join(f"{name} {figure}" for name, figure in shown.items())
        ours = " / ".join(_shown(runs["ours"], figure) for figure in figures)
        yield f"| {label} | {ratios} | {ours} | {told} |"


def _cells(results: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the label of each cell, what was measured in it, and which figure counts."""
    for part, figure in PARTS:
        for label, runs in results.get(part, {}).items():
            yield label, runs, "seconds" if "cores: " in label else figure
            if "again" in runs["ours"]:
                yield f"{label}, again", runs, "again"


def _ratios(results: dict[str, Any]) -> Iterator[tuple[str, float]]:
    return ((label, _ratio(runs, figure)) for label, runs, figure in _cells(results))


def _shown(run: dict[str, list[float]], figure: str) -> str:
    if "again" not in run and figure == "seconds":
        return f"{_of(run, figure):.2f} s, {_of(run, 'memory') / 1e6:.0f} MB"
    return f"{run['bytes'][0] / 1e6 / _of(run, figure):.{0 if run['bytes'][0] > 2e6 else 1}f}"


def _ratio(runs: dict[str, Any], figure: str) -> float:
    """Return how many times as long as ours the best peer takes."""
    peers = (_of(run, figure) for name, run in runs.items() if name not in ("ours", CONTROL))
    return min(peers) / _of(runs["ours"], figure)


def _of(run: dict[str, list[float]], figure: str) -> float:
    return statistics.median(run[figure])


if __name__ == "__main__":
    main()
