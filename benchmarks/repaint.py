"""``python -m benchmarks.repaint``: how long a step of the merge view takes to be on the screen.

The view of 1,000 merges of 140 KB of text is dragged and jumped through in a real Chromium. Printed
are milliseconds from the slider's event to the painted frame, which includes waiting for the next
frame of the display (up to 17 ms), and the part of them in which the browser works.
"""

import random
import shutil
import statistics
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.responsiveness import served

APP = Path(__file__).parents[1] / "tests" / "e2e" / "apps" / "merge_view_app.py"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
MERGES = 1_000
STEPS = 200

_REPAINT = """
async (slider, steps) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  // The first message that is answered after a frame has begun comes when it is painted.
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
    ways = {
        "drag": list(range(first, first + 2 * STEPS, 2)),
        "jump": [numbers.randrange(MERGES + 1) for _ in range(STEPS)],
    }
    name = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with served(APP) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=name, args=FLAGS)
        page = browser.new_page(viewport={"width": 1200, "height": 900}, locale="en-US")
        page.goto(f"{address}/?corpus=large")
        slider = page.get_by_role("slider", name="Merges done")
        slider.wait_for()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")

        def working() -> float:
            metrics = session.send("Performance.getMetrics")["metrics"]
            return sum(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

        slider.evaluate(_REPAINT, ways["drag"][:20])  # until the scripts are compiled
        for way, steps in ways.items():
            before = working()
            times = sorted(slider.evaluate(_REPAINT, steps))
            work = 1000 * (working() - before) / STEPS
            print(
                f"{way}: median {statistics.median(times):.0f} ms, "
                f"95 % within {times[STEPS * 95 // 100]:.0f} ms, at work {work:.0f} ms"
            )
        browser.close()


if __name__ == "__main__":
    main()
