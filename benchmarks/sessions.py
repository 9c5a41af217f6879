"""What the server keeps of sessions that have ended, and how fast the explorer's slider repaints.

    python -m benchmarks.sessions [--megabytes 5] [--sessions 6]

Starts the app. First the slider of a trained tokenizer is dragged over a text of 1,000 characters,
from each step to the painted frame (which includes waiting for the frame, up to 17 ms). Then one
session after another uploads a corpus, trains, runs an experiment and is closed; the memory of the
server is printed after each, and at the end with nobody left. Needs requirements-dev.txt and a
Chromium.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browser import DRAG, chromium, served
from benchmarks.responsiveness import corpus
from bpe.text import samples

PATIENCE = 300_000  # milliseconds
FORGOTTEN = 150
"""Seconds after which Streamlit has let go of a session that was closed."""


def drag(browser: Browser, url: str) -> None:
    """Print how long a step of the slider takes to be on the screen."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(f"{url}/?lang=en&size=8000&least=1")
    own = page.locator(".explorer").get_by_role("textbox")
    own.fill((samples.corpus("zh")[:500] + samples.corpus("en")[:500]).replace("\n", " "))
    page.wait_for_timeout(2_000)
    slider = page.locator(".explorer").get_by_role("slider")
    for name, steps in (
        ("dragged", [step / 400 for step in range(100, 400)]),
        ("jumping", [(step * 0.618) % 1 for step in range(300)]),
    ):
        times = sorted(slider.evaluate(DRAG, steps))
        print(
            f"slider {name}: median {statistics.median(times):.0f} ms, "
            f"p95 {times[int(len(times) * 0.95)]:.0f} ms, longest {times[-1]:.0f} ms"
        )
    page.close()


def session(browser: Browser, url: str, file: Path) -> None:
    """Upload, train, experiment, and leave."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{url}/?lang=en&corpus=upload&size=8000&experiment=growth")
    page.locator('[data-testid="stFileUploaderDropzoneInput"]').set_input_files(file)
    page.get_by_test_id("stMetricValue").first.wait_for()
    page.get_by_text("is held out").wait_for()
    _settle(page)
    context.close()


def _settle(page: Page) -> None:
    page.wait_for_function(
        "() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
    )


def memory(process: int) -> str:
    """Return what a process has in memory now, and the most that it has had."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in lines if "kB" in line}
    return f"{found['VmRSS']} MiB (most {found['VmHWM']} MiB)"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=5)
    parser.add_argument("--sessions", type=int, default=6)
    options = parser.parse_args()
    with (
        served() as (url, process),
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
    ):
        browser = chromium(playwright)
        drag(browser, url)
        print(f"before the first session: {memory(process)}")
        text = corpus(options.megabytes)
        for number in range(options.sessions):
            file = Path(folder, f"{number}.txt")  # each a corpus of its own, not found in a cache
            file.write_text(text.replace("，", "，\n") + f"\n{number}\n", encoding="utf-8")
            session(browser, url, file)
            print(f"session {number + 1} has ended: {memory(process)}")
        time.sleep(FORGOTTEN)
        visitor = browser.new_page()
        visitor.goto(f"{url}/?lang=en")  # whoever comes next has the ended sessions forgotten
        visitor.get_by_test_id("stMetricValue").first.wait_for(timeout=PATIENCE)
        visitor.close()
        time.sleep(5)
        print(f"with nobody left, after {FORGOTTEN} s: {memory(process)}")
        browser.close()


if __name__ == "__main__":
    main()
