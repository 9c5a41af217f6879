"""How long after a key the editor shows the tokens of the new text.

    python -m benchmarks.keystrokes [--characters 2000 50000] [--keys 60] [--path compare]

Starts the app, fills the editor of the page with mixed Chinese and English, types keys in its
middle, and measures in the browser from each key to the frame that has the new colours. Needs
requirements-dev.txt and a Chromium.
"""

import argparse
import contextlib
from itertools import cycle, islice

from playwright.sync_api import Page, sync_playwright

from bpe.documents import samples
from tests.support.browser import chromium, served

_WATCH = """() => {
    const roots = [...document.querySelectorAll("*")].map((node) => node.shadowRoot)
    const root = roots.find((node) => node?.querySelector(".editor")).querySelector(".editor")
    const area = root.querySelector("textarea")
    const started = new Map()
    let key = 0
    window.waits = []
    window.layouts = []
    area.addEventListener("keydown", (event) => (key = event.timeStamp), true)
    area.addEventListener("input", () => started.set(Number(root.dataset.edits), key))
    new MutationObserver(() => {
        const painted = Number(root.dataset.painted)
        requestAnimationFrame(() => {
            const frame = new MessageChannel()
            frame.port1.onmessage = () => {
                for (const [edit, from] of started) {
                    if (edit > painted) continue
                    window.waits.push(performance.now() - from)
                    started.delete(edit)
                }
            }
            frame.port2.postMessage(null)
        })
    }).observe(root, { attributes: true, attributeFilter: ["data-painted"] })
}"""


def text(characters: int) -> str:
    """Return Chinese and English lines in turn."""
    lines = [
        line
        for pair in zip(
            samples.corpus("zh").splitlines(), samples.corpus("en").splitlines(), strict=False
        )
        for line in pair
    ]
    joined = ""
    for line in cycle(lines):
        if len(joined) >= characters:
            return joined[:characters]
        joined += line + "\n"
    return joined


def measure(page: Page, characters: int, keys: int, pause: float) -> list[float]:
    """Fill the first editor, type in its middle; return the seconds of each key."""
    area = page.locator(".editor textarea").first
    area.fill(text(characters))
    page.wait_for_timeout(4000)
    area.evaluate("area => { const at = area.value.length >> 1; area.setSelectionRange(at, at) }")
    area.focus()
    page.evaluate(_WATCH)
    for key in islice(cycle("type 人 and see 工智能，"), keys):
        page.keyboard.press("Space") if key == " " else _press(page, key)
        page.wait_for_timeout(pause * 1000)
    page.wait_for_function("keys => window.waits.length >= keys", arg=keys)
    return [wait / 1000 for wait in page.evaluate("window.waits")]


def _press(page: Page, key: str) -> None:
    if key.isascii():
        page.keyboard.press(key)
        return
    # What an input method hands over comes with the key that confirms it.
    page.keyboard.press("Shift")
    page.keyboard.insert_text(key)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--characters", type=int, nargs="+", default=[2_000, 50_000])
    parser.add_argument("--keys", type=int, default=60)
    parser.add_argument("--pause", type=float, default=0.25, help="seconds between keys")
    parser.add_argument("--path", default="compare")
    parser.add_argument("--url", default="", help="of an app that runs already")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        url = options.url or stack.enter_context(served()).url
        browser = chromium(stack.enter_context(sync_playwright()))
        stack.callback(browser.close)
        for characters in options.characters:
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.goto(f"{url}/{options.path}")
            page.locator(".editor textarea").first.wait_for(timeout=120_000)
            page.wait_for_timeout(3000)
            waits = sorted(measure(page, characters, options.keys, options.pause))
            p50, p95 = (waits[int(share * (len(waits) - 1))] for share in (0.5, 0.95))
            print(
                f"{characters:>7,} characters  {len(waits)} keys  "
                f"p50 {p50:.3f} s  p95 {p95:.3f} s  longest {waits[-1]:.3f} s",
                flush=True,
            )
            page.context.close()


if __name__ == "__main__":
    main()
