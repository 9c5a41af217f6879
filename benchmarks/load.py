"""How long clicks wait while many people click and one of them trains 20 MB of Chinese.

    python -m benchmarks.load [--sessions 50] [--every 15] [--seconds 60] [--browsers 2]
                              [--trainings 5] [--limit 1024]

Starts the app. Sessions without a browser and real browsers click and type, each every 15 s on
average, first with nothing else going on, then during trainings of different corpora, one after
another. Each of them has typed a word of its own, and everything that is sent to it is searched for
the words of the others. At last a tab is closed in the middle of a training. ``--limit`` is as in
:mod:`benchmarks.memory`. Prints a Markdown table: p50, p95 and the longest wait in
seconds, the server's processor time for each click in milliseconds (in the second row with that of
the training), and how many answers were lost, wrong or of another session; ends with 1 if any was.
Needs requirements-dev.txt, a Chromium and Linux.
"""

import argparse
import datetime
import os
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from playwright.sync_api import sync_playwright

from benchmarks.clicks import processor_seconds
from benchmarks.responsiveness import clicks, corpus
from tests.support.browser import Server, chromium, served
from tests.support.visitor import Visitor

MEGABYTES = 20
WORD = re.compile(r"visitor\d+word")


@dataclass
class Waits:
    """Seconds of each click, and what went wrong."""

    seconds: list[float] = field(default_factory=list)
    processor_seconds: float = 0.0
    """What the server has worked meanwhile."""
    lost: int = 0
    exceptions: list[str] = field(default_factory=list)
    strange: set[str] = field(default_factory=set)
    """Words of others."""

    def report(self, when: str) -> None:
        """Print a row of the table."""
        times = sorted(self.seconds) or [float("nan")]
        p50, p95 = times[len(times) // 2], times[min(len(times) * 95 // 100, len(times) - 1)]
        wrong = f"{self.lost} | {len(self.exceptions)} | {len(self.strange)}"
        spent = f"{1000 * self.processor_seconds / max(1, len(self.seconds)):.0f}"
        row = f"{len(self.seconds)} | {p50:.2f} | {p95:.2f} | {times[-1]:.2f} | {spent} | {wrong}"
        print(f"| {when} | {row} |", flush=True)


def page_of(number: int) -> tuple[str, str]:
    """Return the page and the query that a session opens."""
    return [
        ("", "lang=en"),
        ("compare", "lang=en"),
        ("cost", "lang=en"),
        ("learn", "lang=en&lesson=merge"),
    ][number % 4]


def doings(visitor: Visitor, number: int) -> Iterator[Callable[[], None]]:
    """Yield one click after another, without end."""
    word = f"visitor{number}word"
    chance = random.Random(number)
    rows = {"": ("corpus", "picture"), "compare": ("view",), "cost": ("section",)}
    while True:
        match visitor.page:
            case "cost" if chance.random() < 0.3:
                with suppress(LookupError):  # the section shown may have no text
                    visitor.widget("bidi_component", "compare_en editor")
                    yield partial(visitor.write, "compare_en", f"{word} {chance.random()}")
            case "learn":
                ways = [button.id for button in visitor.widgets("button")]
                ways = [each for each in ways if each.endswith(" lesson")]
                yield partial(visitor.press, chance.choice(ways))
            case _:
                key = chance.choice(rows[visitor.page])
                label = chance.choice(visitor.labels(key)[:3])
                yield partial(visitor.choose, key, label)


def click(
    waits: Waits,
    visitor: Visitor,
    number: int,
    doing: Iterator[Callable[[], None]],
    every: float,
    over: threading.Event,
) -> None:
    """Click until it is over, and note how long each answer took."""
    chance = random.Random(number)
    while not over.wait(chance.uniform(0, 2 * every)):
        act = next(doing)
        started = time.perf_counter()
        try:
            act()
        except Exception as error:  # whatever it was, an answer did not come
            waits.lost += 1
            print(f"session {number}: {error!r}", file=sys.stderr)
            return
        waits.seconds.append(time.perf_counter() - started)
        waits.strange |= set(WORD.findall(visitor.text())) - {f"visitor{number}word"}
    waits.exceptions += visitor.exceptions


def browse(server: Server, waits: Waits, number: int, over: threading.Event) -> None:
    """Click in real browsers, one after the other."""
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        pages = [browser.new_context().new_page() for _ in range(number)]
        for page in pages:
            page.set_default_timeout(120_000)
            page.goto(f"{server.url}/learn?lang=en&lesson=merge")
            page.get_by_role("radio", name="bytes", exact=True).first.wait_for()
        while not over.wait(1):
            for page in pages:
                waits.seconds += clicks(page, 2)
        browser.close()


def crowd(
    server: Server,
    options: argparse.Namespace,
    visitors: list[tuple[Visitor, Iterator[Callable[[], None]]]],
    during: Callable[[], None],
) -> Waits:
    """Have everybody click on while something goes on; return how long they waited."""
    waits, over = Waits(), threading.Event()
    before = processor_seconds(server.process)
    threads = [
        threading.Thread(target=click, args=(waits, visitor, number, doing, options.every, over))
        for number, (visitor, doing) in enumerate(visitors)
    ]
    threads.append(threading.Thread(target=browse, args=(server, waits, options.browsers, over)))
    for thread in threads:
        thread.start()
    during()
    waits.processor_seconds = processor_seconds(server.process) - before
    over.set()
    for thread in threads:
        thread.join()
    return waits


def train(server: Server, corpora: list[bytes]) -> None:
    """Train as large corpora as people bring, one after another."""
    for data in corpora:
        started = time.perf_counter()
        with Visitor(server.url, query="lang=en&corpus=upload&size=32000", timeout=900) as visitor:
            visitor.upload("corpus_files", "zh.txt", data)
        print(f"A training took {time.perf_counter() - started:.0f} s.", file=sys.stderr)


def seconds_after_closing(server: Server) -> tuple[float, float]:
    """Close a tab in the middle of a training.

    Returns when the last work before a second of rest was seen, and the processor seconds of what
    the server did after that in the rest of ten seconds: a collection of garbage is no training.
    """
    data = (corpus(MEGABYTES) + "closed").encode()
    visitor = Visitor(server.url, query="lang=en&corpus=upload&size=32000").__enter__()
    visitor.upload("corpus_files", "closed.txt", data, wait=False)
    while not any(bar.text.startswith("Counting") for bar in visitor.widgets("progress")):
        visitor.step()
    closed = last_work = time.perf_counter()
    visitor.close()
    later = 0.0
    while (now := time.perf_counter()) - closed < 10:
        before = processor_seconds(server.process)
        time.sleep(0.2)
        worked = processor_seconds(server.process) - before
        if now - last_work > 1:
            later += worked
        elif worked > 0.04:
            last_work = time.perf_counter()
    return last_work - closed, later


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--every", type=float, default=15, help="seconds between two clicks")
    parser.add_argument("--seconds", type=float, default=60, help="of clicking before the training")
    parser.add_argument("--browsers", type=int, default=2)
    parser.add_argument("--trainings", type=int, default=5)
    parser.add_argument("--limit", type=int, help="of the server's memory, in MiB")
    options = parser.parse_args()
    limit = f", limit {options.limit} MiB" if options.limit else ""
    load = f"load {os.getloadavg()[0]:.1f} before the start"
    print(f"{datetime.date.today()}, {os.cpu_count()} cores{limit}, {load}\n")
    text = corpus(MEGABYTES)
    corpora = [f"{text}{number}".encode() for number in range(options.trainings)]
    with served(limit=options.limit and options.limit << 20) as server:
        visitors = [
            Visitor(server.url, *page_of(number)).__enter__() for number in range(options.sessions)
        ]
        clicking = [(visitor, doings(visitor, number)) for number, visitor in enumerate(visitors)]
        time.sleep(15)  # the kernels are loaded in the background
        print("| | clicks | p50 | p95 | longest | ms | lost | exceptions | words of others |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        before = crowd(server, options, clicking, lambda: time.sleep(options.seconds))
        before.report(f"{options.sessions} sessions, nothing else")
        during = crowd(server, options, clicking, lambda: train(server, corpora))
        during.report(f"while {MEGABYTES} MB are trained")
        for visitor in visitors:
            visitor.close()
        closed, later = seconds_after_closing(server)
        print(
            f"\nA tab closed in the middle of a training: its work ended after {closed:.1f} s; "
            f"{later:.2f} processor seconds of other work in ten seconds."
        )
    if any(waits.lost or waits.exceptions or waits.strange for waits in (before, during)):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
