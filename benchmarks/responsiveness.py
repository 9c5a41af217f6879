"""How long another session waits for a click while 20 MB of Chinese are trained.

    python -m benchmarks.responsiveness [--megabytes 20] [--clicks 20]

Starts the app, uploads a corpus in one browser session and clicks in a second one, before and
during the training. Needs requirements-dev.txt and a Chromium.
"""

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bpe.documents import samples
from tests.support.browser import chromium, served


def corpus(megabytes: int) -> str:
    """Return Chinese clauses of random length, of the characters of the samples."""
    chance = random.Random(20)
    characters = [c for c in samples.corpus("zh") if "\u4e00" <= c <= "\u9fff"]
    clauses = []
    size = 0
    while size < megabytes * 1_000_000:
        clauses.append("".join(chance.choices(characters, k=chance.randint(3, 12))))
        size += 3 * (len(clauses[-1]) + 1)
    return "，".join(clauses)


def click(page: Page, label: str) -> float:
    """Click a button of the Learn page; return the seconds until its answer is drawn."""
    started = time.perf_counter()
    page.get_by_role("radio", name=label, exact=True).first.click()
    page.wait_for_url(lambda url: ("unit=bytes" in url) == (label == "bytes"))
    return time.perf_counter() - started


def clicks(page: Page, number: int, *, going_on: Any = lambda: True) -> list[float]:
    """Click back and forth while ``going_on`` says so."""
    times = []
    for turn in range(number):
        if not going_on():
            break
        times.append(click(page, "characters" if turn % 2 else "bytes"))
    return times


def report(when: str, times: list[float]) -> None:
    """Print median and maximum of the waits."""
    if times:
        middle, most = statistics.median(times), max(times)
        print(f"{when:<28} {len(times):3d} clicks  median {middle:.3f} s  longest {most:.3f} s")
    else:
        print(f"{when:<28}   0 clicks: it was over before the first")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--clicks", type=int, default=20)
    options = parser.parse_args()
    with (
        served() as (url, _process),
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        file = Path(folder, "zh.txt")
        file.write_text(corpus(options.megabytes), encoding="utf-8")
        browser = chromium(playwright)
        learner, trainer = browser.new_page(), browser.new_page()
        learner.goto(f"{url}/learn?lang=en&lesson=merge")
        trainer.goto(f"{url}/?lang=en&corpus=upload&size=32000")
        learner.get_by_role("radio", name="bytes", exact=True).first.wait_for()
        uploader = trainer.locator('[data-testid="stFileUploaderDropzoneInput"]')
        uploader.wait_for(state="attached")
        time.sleep(15)  # the kernels are loaded in the background
        clicks(learner, 4)
        report("nothing else going on", clicks(learner, options.clicks))
        uploader.set_input_files(file)
        trainer.get_by_test_id("stProgress").wait_for(timeout=120_000)
        started = time.perf_counter()
        done = trainer.get_by_test_id("stMetricValue")
        times = clicks(learner, 10_000, going_on=lambda: done.count() == 0)
        done.first.wait_for(timeout=600_000)
        report(f"while {options.megabytes} MB are trained", times)
        print(f"the training, from file to table: {time.perf_counter() - started:.1f} s")
        browser.close()


if __name__ == "__main__":
    main()
