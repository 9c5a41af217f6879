"""On a phone, in one language or the other: no page is wider, every button fits a finger."""

import re
from itertools import cycle

import pytest
from playwright.sync_api import expect

from playground.learn.lessons import LESSONS, following, numbered
from tests.e2e.views import PAGES, go, in_colours, read_in
from tests.e2e.waiting import open_section, settled, until

pytestmark = pytest.mark.e2e

WIDTH = 390
MAIN_WIDTH = "document.querySelector('[data-testid=stMain]').scrollWidth"
SMALL = """
() => [...document.querySelectorAll(
    ".st-key-header a, .st-key-header button, [data-testid=stButtonGroup] button, " +
    "[data-testid=stPopoverButton], [data-testid=stMainMenuButton], " +
    "[data-testid=stNumberInput] button, [data-testid=stMultiSelect] button, " +
    "[data-testid=stElementToolbar] button, [data-testid=stSelectbox] button")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => [each.ariaLabel || each.innerText, each.getBoundingClientRect()])
  .filter(([, box]) => box.height && (box.height < 39.5 || box.width < 39.5))
  .map(([name, box]) => `${name} ${box.width} x ${box.height}`)
"""
NO_TABLE_OVER_TEXT = """
() => [...document.querySelectorAll("[data-testid=stDataFrameResizable]")].every((table) => {
  const place = table.closest("[data-testid=stElementContainer]");
  return table.getBoundingClientRect().bottom <= place.getBoundingClientRect().bottom + 1;
})
"""
CUT_OFF = """
texts => texts.filter((text) => {
  const [own, frame] = [text, text.ownerSVGElement].map((each) => each.getBoundingClientRect())
  return own.left < frame.left - 1 || own.right > frame.right + 1
}).map((text) => text.textContent)
"""
SHIFT = """
() => new Promise((done) => {
  setTimeout(() => done(0), 1000)
  new PerformanceObserver((list) => done(
    list.getEntries().reduce((sum, shift) => sum + (shift.hadRecentInput ? 0 : shift.value), 0)
  )).observe({ type: "layout-shift", buffered: true })
})
"""
SECTIONS = [
    "section=languages",
    "every=month",
    "section=conversation",
    "section=conversation&request_of=messages",
    "section=batch",
    "section=models",
]


@pytest.fixture
def phone(app, open_page):
    def opened(address):
        size = {"width": WIDTH, "height": 844}
        page = open_page(f"{app}/{address}", viewport=size, has_touch=True, is_mobile=True)
        settled(page)
        return page

    return opened


def fits(page, title: str, *languages: str) -> None:
    for language in languages:
        read_in(page, language)
        name = PAGES[title][language == "en"]
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert page.evaluate(MAIN_WIDTH) <= WIDTH, page.url
        assert page.evaluate(SMALL) == [], page.url
        until(page, NO_TABLE_OVER_TEXT)  # its height follows a moment after its rows
        assert page.locator(".view svg text").evaluate_all(CUT_OFF) == [], page.url


def test_the_pages_to_train_and_to_compare_fit(phone):
    page = phone("?lang=zh")
    fits(page, "", "zh", "en")
    go(page, "Compare")
    fits(page, "compare", "en", "zh")


@pytest.mark.nothing_cached
def test_a_picture_of_a_training_has_its_room_before_it_comes(phone):
    page = phone("?algorithm=unigram")
    until(page, "'over' in document.documentElement.dataset")
    assert page.evaluate(SHIFT) < 0.1


def test_every_section_of_the_costs_fits(app, phone):
    page = phone("cost?lang=zh")
    for query, (scheme, language) in zip(SECTIONS, cycle([("light", "zh"), ("dark", "en")])):
        page.goto(f"{app}/cost?lang={language}&{query}")  # what chooses some is in the drawer
        in_colours(page, scheme)
        fits(page, "cost", language)


def test_every_lesson_fits(phone):
    """From the first to the last; the link to each is opened in ``tests/pages/test_learn.py``."""
    page = phone(f"learn?lang=zh&lesson={LESSONS[0].code}")
    if (player := page.locator(".player > summary:visible")).count():
        player.click()
    for at, (number, lesson) in enumerate(numbered()):
        if at and following(LESSONS[at - 1]) is not lesson:
            page.locator(".st-key-lesson").get_by_role("radio").nth(at).click()
        elif at:
            page.locator(".st-key-next-lesson button").click()
        in_colours(page, ("dark", "light")[at % 2])
        chosen = page.locator(".st-key-lesson").get_by_role("radio", checked=True)
        expect(chosen).to_have_text(re.compile(f"^{number} · "))
        expect(page.locator(".view").first).to_be_visible()
        fits(page, "learn", ("zh", "en")[at // 2 % 2])
        station = chosen.bounding_box()
        assert 0 <= station["x"] <= 391 - station["width"], lesson.code


def test_no_table_of_a_training_scrolls_sideways(phone):
    page = phone("?lang=en&size=900")
    open_section(page, "Merges, in the order")
    tables = page.locator("[data-testid=stDataFrame] .dvn-scroller")
    expect(tables).to_have_count(1)
    settled(page)
    widths = "tables => tables.map((each) => [each.scrollWidth, each.clientWidth])"
    for content, frame in tables.evaluate_all(widths):
        assert content <= frame
