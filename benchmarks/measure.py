"""Measure one piece of work in a process of its own: seconds, processor seconds, added memory.

``python -m benchmarks.measure train ours corpus.txt 8000`` prints one JSON object. Other work on a
machine disturbs a measurement, so the runner alternates between the contenders and takes medians.
Processor seconds (all threads together) are disturbed less; on one thread of an idle machine both
are the same.
"""

import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks import contenders, public


class RefusedError(Exception):
    """A contender could not do the work."""


@dataclass
class Runs:
    """The repeated measurements of one contender in one cell."""

    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    bytes: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def median_processor(self) -> float:
        return statistics.median(self.processor)

    @property
    def megabytes(self) -> float:
        return statistics.median(self.memory) / 1e6


def alternate(kind: str, names: list[str], arguments: list[str], rounds: int) -> dict[str, Runs]:
    """Measure each contender once per round, in turn.

    A peer that refuses the work (sentencepiece does, where the vocabulary is smaller than the
    number of characters) is left out; what it said goes to standard error.
    """
    runs = {name: Runs() for name in names}
    for _ in range(rounds):
        for name in list(runs):
            try:
                measured = in_fresh_process(kind, name, *arguments)
            except RefusedError as refusal:
                if name == "ours":
                    raise
                print(refusal, file=sys.stderr)
                del runs[name]
                continue
            runs[name].seconds.append(measured["seconds"])
            runs[name].processor.append(measured["processor"])
            runs[name].memory.append(measured["memory"])
            runs[name].bytes = int(measured["bytes"])
    return runs


def in_fresh_process(*arguments: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.measure", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RefusedError(f"{' '.join(arguments)} failed:\n{done.stderr}")
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
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(nowhere)


def main(kind: str, name: str, path: str, *arguments: str) -> None:
    measured_bytes = 0
    with silence():
        if kind == "train":
            work = contenders.trainer(name, Path(path), int(arguments[0]))
        elif kind == "strings":
            work = contenders.encoder_of_strings(name, Path(path), *arguments)
        elif kind == "decode":
            work = contenders.decoder(name, Path(path), *arguments)
        elif kind == "public":
            what, size, encoding = arguments
            work, measured_bytes = public.work(name, what, Path(path), int(size), encoding)
        else:
            work = contenders.encoder(name, Path(path), *arguments)
        with PeakMemory() as memory:
            began, processor_began = time.perf_counter(), _processor_seconds()
            work()
            seconds = time.perf_counter() - began
            processor = _processor_seconds() - processor_began
    measured = {"seconds": seconds, "processor": processor, "memory": memory.added}
    print(json.dumps({**measured, "bytes": measured_bytes}))


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it started and that ended."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)


if __name__ == "__main__":
    main(*sys.argv[1:])
