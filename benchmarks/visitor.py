"""Seven measures of a first visit, as a table for docs/performance.md.

    python -m benchmarks.visitor [--write] [--address http://127.0.0.1:8501]

How many things can be operated in the first window (1440 × 900); how much a page moves while it
loads, on a quick line and on a slow one (1.5 Mbit/s, 300 ms); when its first words and its first
tokens (on Cost its first sum) are there on the slow one; how many clicks lead from the first page
to what a month costs; what axe finds; how long it is; and on a phone, how long and how much too
wide. Each page is opened by a browser that has nothing of it yet. Needs requirements-dev.txt and a
Chromium.
"""

import argparse
import contextlib
import datetime
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.first_paint import DRAWN, LENGTH, PAGES, SCREENS, SHIFTS, machine, until_idle
from tests.support.browser import CONTROLS, chromium, served

DOCS = Path("docs/performance.md")
BEGIN, END = "<!-- visitor -->\n", "<!-- /visitor -->"
SLOW = {
    "offline": False,
    "latency": 300,
    "downloadThroughput": 187_500,
    "uploadThroughput": 187_500,
}
WORDS = "() => document.querySelector('h1')?.checkVisibility({ visibilityProperty: true })"
AXE = "async () => (await axe.run({ resultTypes: ['violations'] })).violations.length"
WIDTH = "document.querySelector('[data-testid=stMain]').scrollWidth - innerWidth"
MONTH = ("a[href$=cost]", ".st-key-every [role=radio]:not([aria-checked=true])")
"""What one clicks on, from the first page to what a month costs."""
ANSWER = (
    "() => [...document.querySelectorAll('p')].some((each) => /一个月.*[$¥]/.test(each.innerText))"
)
ROWS = {
    "controls": "things to operate in the first window",
    "shift": "layout shift, cold",
    "slow shift": "layout shift, slow line",
    "words": "first words, slow line",
    "tokens": "first tokens or sum, slow line",
    "axe": "violations of axe",
    "length": "pixels long, desktop",
    "phone": "pixels long, phone",
    "wide": "pixels too wide, phone",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", help="of an app that runs already")
    parser.add_argument("--write", action="store_true", help=f"into {DOCS}")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        address = options.address
        if not address:
            address = stack.enter_context(served()).url
            time.sleep(10)  # in which the kernels are loaded, as on any server that has run a while
        playwright = stack.enter_context(sync_playwright())
        browser = chromium(playwright)
        stack.callback(browser.close)
        seen = {title: page_measures(browser, address, title) for title in PAGES}
        clicks = clicks_to_the_month(browser, address)
    lines = [
        f"{datetime.date.today()}; {machine().strip()}; one visit of each kind, in Chinese.\n",
        "| | " + " | ".join(seen) + " |",
        "| --- |" + " ---: |" * len(seen),
    ]
    for name, label in ROWS.items():
        lines.append(f"| {label} | " + " | ".join(found[name] for found in seen.values()) + " |")
    lines.append(f"\nClicks from the first page to what a month costs: {clicks}.\n")
    table = "\n".join(lines)
    print(table)
    if options.write:
        before, _begin, rest = DOCS.read_text("utf-8").partition(BEGIN)
        DOCS.write_text(before + BEGIN + table + END + rest.partition(END)[2], "utf-8")


def page_measures(browser: Browser, address: str, title: str) -> dict[str, str]:
    """Return what stands in each row of the table for one page."""
    found = {}
    url = f"{address}{PAGES[title]}?lang=zh"
    with opened(browser, SCREENS["desktop"]) as page:
        page.goto(url)
        until_idle(page)
        page.wait_for_timeout(3_000)
        found["controls"] = str(len(page.evaluate(CONTROLS)))
        found["shift"] = f"{page.evaluate('globalThis.shift'):.3f}"
        found["length"] = f"{page.evaluate(LENGTH):,.0f}"
        page.add_script_tag(
            content=(files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
        )
        found["axe"] = str(page.evaluate(AXE))
    with opened(browser, SCREENS["phone"]) as page:
        page.goto(url)
        until_idle(page)
        page.wait_for_timeout(3_000)
        found["phone"] = f"{page.evaluate(LENGTH):,.0f}"
        found["wide"] = str(page.evaluate(WIDTH))
    with opened(browser, SCREENS["desktop"]) as page:
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", SLOW)
        started = time.perf_counter()
        page.goto(url.replace("zh", "en"), wait_until="commit")
        for name, drawn in (("words", WORDS), ("tokens", DRAWN)):
            page.wait_for_function(drawn, arg=title, timeout=120_000)
            found[name] = f"{time.perf_counter() - started:.1f} s"
        page.wait_for_timeout(3_000)
        found["slow shift"] = f"{page.evaluate('globalThis.shift'):.3f}"
    return found


@contextlib.contextmanager
def opened(browser: Browser, size: tuple[int, int]) -> Iterator[Page]:
    """Open an empty tab of a browser that has seen nothing, for one who wants no motion.

    The film of Train would move the tokens, which is what it is for.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="zh-CN", reduced_motion="reduce"
    )
    page: Page = context.new_page()
    page.add_init_script(SHIFTS)
    yield page
    context.close()


def clicks_to_the_month(browser: Browser, address: str) -> int:
    with opened(browser, SCREENS["desktop"]) as page:
        page.goto(f"{address}/?lang=zh")
        for place in MONTH:
            until_idle(page)
            page.locator(place).first.click()
        page.wait_for_function(ANSWER, timeout=60_000)
    return len(MONTH)


if __name__ == "__main__":
    main()
