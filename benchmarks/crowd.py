"""How long a reader waits while thirty visitors upload 2 MB each and train at once.

    python -m benchmarks.crowd [--visitors 30] [--megabytes 2] [--limit 1024]

Starts the app with so much memory, in MiB, as :mod:`benchmarks.memory` does. Each visitor has a
corpus of their own, and all start together; the reader goes from lesson to lesson meanwhile. Prints
how many were trained, after how long, the reader's waits and the most memory; ends with 1 where not
all were. Needs requirements-dev.txt, root and Linux.
"""

import argparse
import multiprocessing
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

from benchmarks.memory import trained
from benchmarks.responsiveness import corpus
from tests.support.browser import memory_of, served
from tests.support.visitor import Visitor


def read(url: str, waits: Connection) -> None:
    """Go from lesson to lesson, and send the seconds of each click."""
    with Visitor(url, "learn", "lang=en&lesson=merge") as visitor:
        ways = [each.id for each in visitor.widgets("button") if each.id.endswith(" lesson")]
        while True:
            started = time.perf_counter()
            visitor.press(random.choice(ways))
            waits.send(time.perf_counter() - started)
            time.sleep(0.2)


def train(url: str, text: str, all_are_there: threading.Barrier) -> float:
    """Upload a corpus when all have opened the page; return the seconds until it is trained."""
    started: list[float] = []

    def wait() -> None:
        all_are_there.wait()
        started.append(time.perf_counter())

    trained(url, "zh.txt", text.encode(), wait)
    return time.perf_counter() - started[0]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowd", description=__doc__)
    parser.add_argument("--visitors", type=int, default=30)
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--limit", type=int, default=1024)
    options = parser.parse_args()
    text = corpus(int(options.megabytes * options.visitors) + 1)
    size = len(text) // options.visitors
    texts = [text[size * number :][:size] for number in range(options.visitors)]
    with served(limit=options.limit << 20) as server, ThreadPoolExecutor(len(texts)) as threads:
        with Visitor(server.url, "", "lang=en"):
            time.sleep(20)  # the kernels are loaded
        all_are_there = threading.Barrier(len(texts) + 1)
        answers = [threads.submit(train, server.url, each, all_are_there) for each in texts]
        here, there = multiprocessing.Pipe(duplex=False)
        reader = multiprocessing.Process(target=read, args=(server.url, there), daemon=True)
        reader.start()
        here.recv()  # it clicks
        all_are_there.wait()
        most = 0
        while here.poll():
            here.recv()  # the clicks while the others came
        while not all(answer.done() for answer in answers):
            assert server.group is not None
            most = max(most, memory_of(server.group))
            time.sleep(0.1)
        reader.terminate()
        reader.join()
    waits = []
    while here.poll():
        waits.append(here.recv())
    waits.sort()
    seconds = [answer.result() for answer in answers if answer.exception() is None]
    print(f"{len(seconds)} of {len(texts)} trained, the last after {max(seconds):.0f} s")
    middle, late = (waits[len(waits) * part // 100] for part in (50, 95))
    print(f"{len(waits)} clicks: p50 {middle:.2f} s, p95 {late:.2f} s, longest {waits[-1]:.2f} s")
    print(f"most memory {most >> 20} MiB")
    return len(seconds) < len(texts)


if __name__ == "__main__":
    sys.exit(main())
