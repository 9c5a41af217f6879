"""What each kind of click costs the server: its processor time, which other work hardly changes.

    python -m benchmarks.clicks [--times 5]

Starts the app and clicks through it as one visitor without a browser. Prints a Markdown table of
milliseconds: of the first click of its kind, whose answer has to be worked out, and the mean of the
later ones. The system counts in steps of 10 ms. Needs Linux and requirements-dev.txt.
"""

import argparse
import datetime
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.support.browser import served
from tests.support.visitor import Visitor

SECTIONS = {
    "Train": ("", "", "corpus"),
    "Train, picture": ("", "", "picture"),
    "Compare": ("compare", "", "view"),
    "Compare, languages": ("compare", "&view=languages", "question"),
    "Cost": ("cost", "", "section"),
}
"""The page, what follows in its address, and the key of a row of buttons on it."""
WITHOUT = ("Files",)
"""What shows nothing before a file is uploaded."""


def processor_seconds(process: int) -> float:
    """Return how long a process has worked so far, in all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def buttons(visitor: Visitor, name: str, key: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield a click on each button of a row, the one that is chosen already at last."""
    labels = [label for label in visitor.labels(key) if label not in WITHOUT]
    for label in [*labels[1:], labels[0]]:
        yield f"{name}: {label}", partial(visitor.choose, key, label)


def typing(visitor: Visitor) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield what types another text into Cost."""
    text = f"word {time.perf_counter()}"
    yield "Cost: typing", partial(visitor.write, "compare_en", text)


def lessons(visitor: Visitor) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the clicks through the course to its end."""
    while found := [each for each in visitor.widgets("button") if each.id.endswith("-next lesson")]:
        yield "Learn: a lesson", partial(visitor.press, found[0].id)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    spent: dict[str, list[float]] = {}
    with served() as server:

        def go(clicks: Iterator[tuple[str, Callable[[], None]]]) -> None:
            for name, click in clicks:
                before = processor_seconds(server.process)
                click()
                spent.setdefault(name, []).append(processor_seconds(server.process) - before)

        with Visitor(server.url, "", "lang=en"):
            time.sleep(15)  # the kernels are loaded in the background
        for name, (page, query, key) in SECTIONS.items():
            with Visitor(server.url, page, f"lang=en{query}") as visitor:
                for _turn in range(options.times + 1):
                    go(buttons(visitor, name, key))
        with Visitor(server.url, "cost", "lang=en&sample=own") as visitor:
            for _turn in range(options.times + 1):
                go(typing(visitor))
        with Visitor(server.url, "learn", "lang=en") as visitor:
            go(lessons(visitor))
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, processor time of the server in ms\n")
    print("| click | first | later |\n| --- | ---: | ---: |")
    for name, (first, *later) in spent.items():
        print(f"| {name} | {1000 * first:.0f} | {1000 * sum(later) / len(later):.0f} |")


if __name__ == "__main__":
    main()
