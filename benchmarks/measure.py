"""Measure one piece of work in a process of its own: seconds, processor seconds, added memory.

``python -m benchmarks.measure train ours corpus.txt 8000`` prints one JSON object. Other work on a
machine disturbs a measurement, so contenders take turns. Processor seconds (all threads together)
are disturbed less; on one thread of an idle machine both are the same.
"""

import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

from benchmarks import contenders

_AGAIN = 5
_AGAIN_SECONDS = 2  # whoever is slow is not measured as often
_PAUSE, _REST_SECONDS = 0.05, 2

Runs = dict[str, dict[str, list[float]]]
"""By contender: ``seconds``, ``processor`` (seconds), ``memory`` and ``bytes`` of each round.

Of what can be done again, ``again`` is the median of its processor seconds then; of what works on
several cores, of its seconds.
"""


def alternate(kind: str, names: Sequence[str], arguments: Sequence[str], rounds: int) -> Runs:
    """Measure each contender once per round, in turn."""
    runs: Runs = {name: {} for name in names}
    for _ in range(rounds):
        for name, run in runs.items():
            for figure, value in in_fresh_process(kind, name, *arguments).items():
                run.setdefault(figure, []).append(value)
    return runs


def in_fresh_process(*arguments: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.measure", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{done.stderr}")
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


class PeakMemory:
    """How much the memory of this process grows, sampled every five milliseconds."""

    def __enter__(self) -> "PeakMemory":
        self._process = psutil.Process()
        self.before = self.peak = self._process.memory_info().rss
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._done.wait(0.005):
            self.peak = max(self.peak, self._process.memory_info().rss)

    def __exit__(self, *_: object) -> None:
        self.peak = max(self.peak, self._process.memory_info().rss)
        self._done.set()
        self._thread.join()

    @property
    def added(self) -> int:
        return self.peak - self.before


@contextlib.contextmanager
def silence():
    """Send what libraries in other languages print to nowhere."""
    output = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(output, 1)
        os.close(nowhere)


def main(kind: str, name: str, path: str, *arguments: str) -> None:
    measured: dict[str, Any] = {}
    with silence():
        if kind == "prove":
            measured["ids"] = contenders.prove_ids(name, Path(path))
        elif kind == "prove-merges":
            trained = contenders.trainer(name, Path(path), 1_000)()
            import bpe

            words = dict(bpe.count_words([Path(path).read_text("utf-8")], bpe.Recipe()))
            merges = contenders.merges_of(name, trained)
            measured["merges"] = contenders.prove_merges(words, merges)
        else:
            if kind == "train":
                _begin(name, Path(path), *arguments[1:])
                work = contenders.trainer(name, Path(path), int(arguments[0]), *arguments[1:])
                measured["bytes"] = Path(path).stat().st_size
            else:
                size, cores = map(int, arguments[1:])
                if cores:
                    os.sched_setaffinity(0, range(cores))
                work, measured["bytes"] = contenders.encoder(name, arguments[0], Path(path), size)
            _come_to_rest()
            with PeakMemory() as memory:
                began, processor_began = time.perf_counter(), _processor_seconds()
                work()
                measured["seconds"] = time.perf_counter() - began
                measured["processor"] = _processor_seconds() - processor_began
            measured["memory"] = memory.added
            if kind == "encode" and not arguments[0].startswith("cold"):
                clock = time.perf_counter if cores else _processor_seconds
                measured["again"] = _again(work, clock)
    print(json.dumps(measured))


def _begin(name: str, path: Path, *algorithm: str) -> None:
    """Train on a little text: what a library loads or starts at its first call is no training."""
    with tempfile.TemporaryDirectory() as folder:
        little = Path(folder, "little.txt")
        little.write_text(path.read_text("utf-8")[:10_000], "utf-8")
        contenders.trainer(name, little, 2_000 if algorithm else 300, *algorithm)()


def _come_to_rest() -> None:
    """Wait until no thread works any more: those that NumPy starts spin for 0.1 s after its import.

    What they take would be counted for whoever imported it last.
    """
    deadline = time.monotonic() + _REST_SECONDS
    busy = True
    while busy and time.monotonic() < deadline:
        before = _processor_seconds()
        time.sleep(_PAUSE)
        busy = _processor_seconds() - before > _PAUSE / 10


def _again(work: contenders.Work, clock: Callable[[], float]) -> float:
    """Return the seconds of work that was done before, by a clock: the median of some times."""
    times: list[float] = []
    while len(times) < _AGAIN and sum(times) < _AGAIN_SECONDS:
        began = clock()
        work()
        times.append(clock() - began)
    return statistics.median(times)


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it started and that ended."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)


if __name__ == "__main__":
    main(*sys.argv[1:])
