"""``python -m benchmarks.repaint``: how long a step of a slider takes to be on the screen.

The view of 1,000 merges of 140 KB of text, and the explorer of the Train page as it opens, are
dragged and jumped through in a real Chromium. Printed are milliseconds from the slider's event to
the painted frame, which includes waiting for the next frame of the display (up to 17 ms), and the
part of them in which the browser works.
"""

import random
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.support.browser import ROOT, chromium, served

MERGES_APP = ROOT / "tests" / "e2e" / "components.py"
MERGES = 1_000
STEPS = 200
WARMING = 20

# Moves a slider; returns the milliseconds from each event to the painted frame. The first message
# that is answered after a frame has begun comes when it is painted.
DRAG = """
async (slider, steps) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const painted = async () => {
    await frame()
    const channel = new MessageChannel()
    await new Promise((done) => {
      channel.port1.onmessage = done
      channel.port2.postMessage(0)
    })
  }
  const times = []
  for (const step of steps) {
    await frame()
    const start = performance.now()
    slider.value = step
    slider.dispatchEvent(new Event("input"))
    await painted()
    times.push(performance.now() - start)
  }
  return times
}
"""


def main() -> None:
    numbers = random.Random(1)
    first = MERGES // 2 - STEPS
    jumps = [numbers.random() for _ in range(STEPS)]
    merges = {
        "drag": range(first, first + 2 * STEPS, 2),
        "jump": [round(MERGES * jump) for jump in jumps],
    }
    sizes = {"drag": [0.3 + 0.6 * step / STEPS for step in range(STEPS)], "jump": jumps}
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        _measure(browser, MERGES_APP, "?part=merges&show=large", "Merges done", merges)
        _measure(browser, ROOT / "app.py", "?lang=en", "Vocabulary size", sizes)
        browser.close()


def _measure(
    browser: Browser, app: Path, query: str, name: str, ways: Mapping[str, Sequence[float]]
) -> None:
    """Print the times of the slider of that name in an app."""
    with served(app) as server:
        page = browser.new_page(viewport={"width": 1200, "height": 900}, locale="en-US")
        page.goto(f"{server.url}/{query}")
        slider = page.get_by_role("slider", name=name)
        slider.wait_for(timeout=120_000)
        page.wait_for_timeout(3000)  # until the rest of the page is drawn
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")

        def working() -> float:
            metrics = session.send("Performance.getMetrics")["metrics"]
            return sum(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

        slider.evaluate(DRAG, list(ways["drag"][:WARMING]))  # until the scripts are compiled
        for way, steps in ways.items():
            before = working()
            times = sorted(slider.evaluate(DRAG, list(steps)))
            work = 1000 * (working() - before) / STEPS
            print(
                f"{name}, {way}: median {statistics.median(times):.0f} ms, "
                f"95 % within {times[STEPS * 95 // 100]:.0f} ms, at work {work:.0f} ms",
                flush=True,
            )
        page.close()


if __name__ == "__main__":
    main()
