"""``python -m benchmarks.repaint``: how long a step of the merge view takes to be on the screen.

The view of 1,000 merges of 140 KB of text is dragged and jumped through in a real Chromium. Printed
are milliseconds from the slider's event to the painted frame, which includes waiting for the next
frame of the display (up to 17 ms), and the part of them in which the browser works.
"""

import random
import statistics

from playwright.sync_api import sync_playwright

from benchmarks.browser import DRAG, ROOT, chromium, served

APP = ROOT / "tests" / "e2e" / "apps" / "merge_view_app.py"
MERGES = 1_000
STEPS = 200


def main() -> None:
    numbers = random.Random(1)
    first = MERGES // 2 - STEPS
    ways = {
        "drag": list(range(first, first + 2 * STEPS, 2)),
        "jump": [numbers.randrange(MERGES + 1) for _ in range(STEPS)],
    }
    with served(APP) as app, sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page(viewport={"width": 1200, "height": 900}, locale="en-US")
        page.goto(f"{app.url}/?corpus=large")
        slider = page.get_by_role("slider", name="Merges done")
        slider.wait_for()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")

        def working() -> float:
            metrics = session.send("Performance.getMetrics")["metrics"]
            return sum(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

        slider.evaluate(DRAG, ways["drag"][:20])  # until the scripts are compiled
        for way, steps in ways.items():
            before = working()
            times = sorted(slider.evaluate(DRAG, steps))
            work = 1000 * (working() - before) / STEPS
            print(
                f"{way}: median {statistics.median(times):.0f} ms, "
                f"95 % within {times[STEPS * 95 // 100]:.0f} ms, at work {work:.0f} ms"
            )
        browser.close()


if __name__ == "__main__":
    main()
