"""How long a new visitor waits for each page, how long it is, and how much it moves while it loads.

    python -m benchmarks.first_paint [--rounds 5] [--address http://127.0.0.1:8501]

Starts the app (without ``--address``), visits every page once, and then opens each in browsers that
have seen nothing yet: until its first tokens are drawn, or on Cost the sentence that answers. Then
it walks from page to page in one browser. Last it measures the length of each page and its
cumulative layout shift (good is less than 0.1), in a desktop's window and a phone's, for those who
do not want motion. Prints medians as Markdown, with the load of the machine.
Needs requirements-dev.txt and a Chromium.
"""

import argparse
import contextlib
import os
import platform
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browser import chromium, served

PAGES = {"Train": "/", "Compare": "/compare", "Cost": "/cost", "Learn": "/learn"}

# What one has come for: tokens in colour (in the shadow of a component), or a sum of money.
DRAWN = """
(page) => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true })
    && element.getBoundingClientRect().height;
  if (!document.querySelector("h1")?.innerText.startsWith(page)) return false;
  if (page === "Cost")
    return [...document.querySelectorAll("[data-testid=stMain] p")]
      .some((text) => /[$¥]\\d/.test(text.innerText) && shown(text));
  return [...document.querySelectorAll("[data-testid=stMain] *")]
    .some((host) => [...host.shadowRoot?.querySelectorAll(".token, .chip, .cell") ?? []]
      .some(shown));
}
"""


SCREENS = {"desktop": (1440, 900), "phone": (390, 844)}

# Sums what moves in windows of five seconds at most, which end after a second without a shift.
SHIFTS = """
  let [first, last, sum] = [0, 0, 0]
  globalThis.shift = 0
  new PerformanceObserver((list) => {
    for (const { startTime, value, hadRecentInput } of list.getEntries()) {
      if (hadRecentInput) continue
      if (startTime - last > 1000 || startTime - first > 5000) [first, sum] = [startTime, 0]
      last = startTime
      sum += value
      globalThis.shift = Math.max(globalThis.shift, sum)
    }
  }).observe({ type: "layout-shift", buffered: true })
"""
LENGTH = "document.querySelector('[data-testid=stMain]').scrollHeight"


@dataclass(frozen=True)
class Visit:
    """One opening of a page: seconds until it is drawn, and what was fetched until then."""

    seconds: float
    requests: int
    megabytes: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="browsers for each page")
    parser.add_argument("--address", help="of an app that runs already")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        address = options.address
        if not address:
            address = stack.enter_context(served()).url
            time.sleep(10)  # in which the kernels are loaded, as on any server that has run a while
        playwright = stack.enter_context(sync_playwright())
        browser = chromium(playwright)
        stack.callback(browser.close)
        for title in PAGES:
            first_visit(browser, address, title)
        print(machine())
        visits = {title: [] for title in PAGES}
        changes: dict[str, list[float]] = {title: [] for title in PAGES}
        for _round in range(options.rounds):
            for title in PAGES:
                visits[title].append(first_visit(browser, address, title))
            for title, seconds in walk(browser, address):
                changes[title].append(seconds)
        places = {
            (title, name): [layout(browser, address, title, size) for _ in range(options.rounds)]
            for title in PAGES
            for name, size in SCREENS.items()
        }
    print("| page | first visit | requests | MB | change to it |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for title, seen in visits.items():
        print(
            f"| {title} | {statistics.median(visit.seconds for visit in seen):.2f} s "
            f"| {statistics.median(visit.requests for visit in seen):.0f} "
            f"| {statistics.median(visit.megabytes for visit in seen):.1f} "
            f"| {statistics.median(changes[title]):.2f} s |"
        )
    print("\n| page | window | pixels long | layout shift |")
    print("| --- | --- | ---: | ---: |")
    for (title, name), found in places.items():
        length, shift = (statistics.median(values) for values in zip(*found, strict=True))
        print(f"| {title} | {name} | {length:,.0f} | {shift:.3f} |")


def first_visit(browser: Browser, address: str, title: str) -> Visit:
    """Open a page in a browser without a cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    counted = {"requests": 0, "bytes": 0}

    def count(name: str, amount: int) -> None:
        counted[name] += amount

    network.on("Network.requestWillBeSent", lambda _event: count("requests", 1))
    network.on(
        "Network.loadingFinished", lambda event: count("bytes", int(event["encodedDataLength"]))
    )
    network.on(
        "Network.webSocketFrameReceived",
        lambda event: count("bytes", len(event["response"]["payloadData"]) * 3 // 4),
    )
    started = time.perf_counter()
    page.goto(f"{address}{PAGES[title]}?lang=en", wait_until="commit")
    page.wait_for_function(DRAWN, arg=title, timeout=60_000)
    seconds = time.perf_counter() - started
    visit = Visit(seconds, counted["requests"], counted["bytes"] / 1e6)
    context.close()
    return visit


def layout(
    browser: Browser, address: str, title: str, size: tuple[int, int]
) -> tuple[float, float]:
    """Return how long a page is, and its cumulative layout shift until it rests."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="zh-CN", reduced_motion="reduce"
    )
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(f"{address}{PAGES[title]}?lang=zh")
    until_idle(page)
    page.wait_for_timeout(3_000)
    found = page.evaluate(LENGTH), page.evaluate("globalThis.shift")
    context.close()
    return found


def walk(browser: Browser, address: str) -> Iterator[tuple[str, float]]:
    """Yield the seconds of a change to each page, in a browser that has seen all of them."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    page = context.new_page()
    page.goto(f"{address}/?lang=en")
    for turn in range(2):
        for title in [*list(PAGES)[1:], "Train"]:
            until_idle(page)
            started = time.perf_counter()
            page.get_by_role("link", name=title).first.click()
            page.wait_for_function(DRAWN, arg=title, timeout=60_000)
            if turn:
                yield title, time.perf_counter() - started
    context.close()


def until_idle(page: Page) -> None:
    page.wait_for_function(
        "() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
        " && document.querySelector('h1')"
    )
    page.wait_for_timeout(500)


def machine() -> str:
    """Return what else the machine does, which decides what the figures are worth."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{os.cpu_count()} cores, {platform.machine()}; load of 1, 5, 15 minutes: {load}\n"


if __name__ == "__main__":
    main()
