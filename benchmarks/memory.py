"""What the server holds in memory, page after page, session after session.

    python -m benchmarks.memory [--megabytes 5] [--sessions 30] [--limit 1024]

Starts the app and visits it without a browser: each page, all tokenizers of the catalogue, each
vocabulary; then sessions one after another, each with another corpus; then two at once with 20 MB;
then nobody. ``--limit`` is a hard limit in MiB for the server and the processes that it starts: a
control group, which needs root. Prints a Markdown table of the server's resident
memory, now and the most since the row before. Needs Linux.
"""

import argparse
import datetime
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.responsiveness import corpus
from tests.support.browser import Server, served
from tests.support.visitor import Visitor, visits

LARGE = 20
FORGOTTEN = 145
"""Seconds after which Streamlit and the server's own sweeping have let go of a lost session."""


def row(server: Server, after: str) -> None:
    """Print what a process has in memory, and the most since the last row."""
    folder = Path(f"/proc/{server.process}")
    lines = (folder / "status").read_text().splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in lines if "kB" in line}
    print(f"| {after} | {found['VmRSS']} | {found['VmHWM']} |", flush=True)
    (folder / "clear_refs").write_text("5")  # begins the most anew


def trained(url: str, name: str, data: bytes, on_open: Callable[[], object] = lambda: None) -> None:
    """Open the page, upload a corpus, train, and leave."""
    with Visitor(url, query="lang=en&corpus=upload&size=8000", timeout=900) as visitor:
        on_open()
        visitor.upload("corpus_files", name, data)
        drawn = [component.id for component in visitor.widgets("bidi_component")]
        if visitor.exceptions or not any(each.endswith("-explorer") for each in drawn):
            raise SystemExit(f"{name} was not trained: {visitor.exceptions}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=5)
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    limit = f", limit {options.limit} MiB" if options.limit else ""
    print(f"{datetime.date.today()}, {os.cpu_count()} cores{limit}\n")
    print("| after | MiB in memory | most since the row above |\n| --- | ---: | ---: |")
    with served(limit=options.limit and options.limit << 20) as server:
        row(server, "the start")
        for name in visits(server):
            row(server, name)
        text = corpus(options.megabytes).replace("，", "，\n")
        for number in range(1, options.sessions + 1):
            data = f"{text}\n{number}\n".encode()  # each a corpus of its own
            trained(server.url, f"{number}.txt", data)
            if number in (1, 2, 3) or number % 5 == 0:
                row(server, f"{number} sessions of {options.megabytes} MB, one after another")
        both = [
            threading.Thread(
                target=trained, args=(server.url, f"{name}.txt", (corpus(LARGE) + name).encode())
            )
            for name in ("one", "other")
        ]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        row(server, f"two with {LARGE} MB at once")
        time.sleep(FORGOTTEN)
        row(server, f"{FORGOTTEN} s without anybody")


if __name__ == "__main__":
    main()
