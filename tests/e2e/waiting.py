"""When a page is done: what every test waits for before it reads or clicks."""

import contextlib

import pytest

playwright_api = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
expect = playwright_api.expect


def settled(page) -> None:
    """Wait until the script has run to its end and everything is drawn."""
    page.wait_for_selector('[data-testid="stMainBlockContainer"] h1')
    page.wait_for_function(
        '() => !document.querySelector(\'[data-testid="stStatusWidget"],'
        '[data-testid="stProgress"],[data-testid="stSkeleton"]\')'
        " && document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
    )


# Its height grows for a while, and what is in it moves: a click there may miss.
_UNTIL_IT_STANDS_STILL = """section => Promise.allSettled(
    section.getAnimations({ subtree: true })
        .filter(each => each.effect.getComputedTiming().iterations < Infinity)
        .map(each => each.finished)
).then(() => null)"""


def open_section(page, title: str) -> None:
    """Open an expander by its title.

    A page that is still being drawn may move between a button's press and its release, and the
    browser then sees no click. So what stays closed is clicked again, as a visitor would.
    """
    section = page.locator("details", has=page.locator("summary", has_text=title)).first
    for _ in range(5):
        section.locator("summary").first.click()
        with contextlib.suppress(AssertionError):
            expect(section).to_have_attribute("open", "", timeout=5_000)
            section.evaluate(_UNTIL_IT_STANDS_STILL)
            return
    expect(section).to_have_attribute("open", "")
