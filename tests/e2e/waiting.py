"""When a page is done: what every test waits for before it reads or clicks."""

import time

from playwright.sync_api import expect

SECONDS = 600
"""A busy machine answers late; a test fails on what is shown, never on how long it took."""


def until(page, condition: str, arg=None) -> None:
    """Wait until a condition in JavaScript holds.

    It is looked at ten times a second: at each frame, as Playwright does, the browser draws frames
    for that alone, which takes a third of the processor time of these tests.
    """
    page.wait_for_function(condition, arg=arg, polling=100)


def settled(page) -> None:
    """Wait until the script has run to its end, everything is drawn, and the page stays in sight.

    Until then it may be hidden again for a moment, and what is hidden loses the keyboard.
    """
    page.wait_for_selector('[data-testid="stMainBlockContainer"] h1')
    until(
        page,
        '() => !document.querySelector(\'[data-testid="stStatusWidget"],'
        '[data-testid="stProgress"],[data-testid="stSkeleton"]\')'
        " && document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
        " && 'touched' in document.documentElement.dataset",
    )


# Whether nothing that can be seen fades in or grows: until then a click may miss, and colours are
# others. What lies in a closed expander is not animated on, and never ends; what follows scrolling
# does not move by itself.
_STANDS_STILL = """root => !root.getAnimations({ subtree: true }).some((each) =>
    each.playState === "running"
    && each.timeline === document.timeline
    && each.effect.getComputedTiming().iterations < Infinity
    && each.effect.target.checkVisibility())"""


def still(page) -> None:
    """Wait until everything is drawn and nothing moves any more."""
    settled(page)
    _stands_still(page.locator("html"))


def open_section(page, title: str) -> None:
    """Open an expander by its title, by the keyboard: a pointer misses what moves meanwhile."""
    settled(page)
    section = page.locator("details", has=page.locator("summary", has_text=title)).first
    summary = section.locator("summary").first
    expect(summary).to_be_visible()  # what is hidden while a page comes takes no focus
    summary.press("Enter")
    expect(section).to_have_attribute("open", "")
    _stands_still(section)


def holds(page, name: str, text: str) -> None:
    """Wait until there is one text box of this name, with this text.

    While a page changes there may be two, the old one and the new one: no locator may be strict.
    """
    boxes = page.get_by_role("textbox", name=name, exact=True)
    deadline = time.monotonic() + SECONDS
    while (found := boxes.evaluate_all("boxes => boxes.map((box) => box.value)")) != [text]:
        assert time.monotonic() < deadline, f"“{name}” holds {found}, not {text!r}"
        page.wait_for_timeout(50)


def _stands_still(part) -> None:
    until(part.page, _STANDS_STILL, part.element_handle())
