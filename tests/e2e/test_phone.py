"""On a phone, in one language or the other: no page is wider, every button fits a finger."""

import re
from itertools import cycle

import pytest
from playwright.sync_api import expect

from playground.learn.lessons import LESSONS, following, numbered
from tests.e2e.views import (
    PAGES,
    choose,
    go,
    header_is_one_row_and_the_costs_are_on_the_first_screen,
    read_in,
)
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
    ("section", 0), ("every", 1), ("section", 1), ("request_of", 1), ("section", 2), ("section", 3)
]  # fmt: skip
"""Of the costs: which segment of which row shows the next."""
PHONE = {"viewport": {"width": WIDTH, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def page(shared):
    return shared("?lang=zh", **PHONE)


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


def test_the_pages_to_train_and_to_compare_fit(page):
    fits(page, "", "zh", "en")
    go(page, "Compare")
    fits(page, "compare", "en", "zh")


def test_a_picture_of_a_training_has_its_room_before_it_comes(app, open_page):
    """However late: here it comes when the run is over, and no room is reserved any more."""
    page = open_page("about:blank", **PHONE)
    held = []

    def pass_on(socket):
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(
            lambda said: (
                held.append((socket, said)) if b"bpe_explorer" in said else socket.send(said)
            )
        )

    page.route_web_socket("**/_stcore/stream", pass_on)
    page.goto(f"{app}/?algorithm=unigram")
    until(page, "'over' in document.documentElement.dataset")
    expect(page.get_by_test_id("stMetricValue").first).to_be_visible()
    for socket, said in held:
        socket.send(said)
    expect(page.locator(".explorer .token").first).to_be_visible()
    assert page.evaluate(SHIFT) < 0.1


def test_the_costs_have_their_buttons_over_no_text_and_their_settings_in_a_drawer(page):
    read_in(page, "zh")
    go(page, "成本")
    header_is_one_row_and_the_costs_are_on_the_first_screen(page)
    toolbar = page.locator('[data-testid="stDataFrame"] [data-testid="stElementToolbar"]').first
    before = page.get_by_text("细线表示估算的区间")
    end = before.bounding_box()["y"] + before.bounding_box()["height"]
    assert toolbar.bounding_box()["y"] >= end

    read_in(page, "en")
    header_is_one_row_and_the_costs_are_on_the_first_screen(page)
    requests = page.get_by_role("spinbutton", name="Requests")
    expect(requests).to_be_hidden()
    page.get_by_role("button", name="Settings", exact=True).tap()
    expect(page.get_by_role("textbox", name="Chinese").first).to_be_visible()
    requests.fill("2000")
    requests.press("Enter")
    expect(page.get_by_text("for 2,000 requests").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(requests).to_be_hidden()
    expect(page.get_by_role("button", name="Settings", exact=True)).to_be_focused()


def test_every_section_of_the_costs_fits(page):
    read_in(page, "zh")
    go(page, "成本")
    for (key, place), language in zip(SECTIONS, cycle(["zh", "en"])):
        page.set_viewport_size(LAPTOP)  # what chooses some is in a drawer on a phone
        choose(page, key, place)
        page.set_viewport_size(PHONE["viewport"])
        fits(page, "cost", language)


def test_every_lesson_fits(page):
    """From the first to the last; the link to each is opened in ``tests/pages/test_learn.py``."""
    read_in(page, "zh")
    go(page, "学习")
    if (player := page.locator(".player > summary:visible")).count():
        player.click()
    for at, (number, lesson) in enumerate(numbered()):
        if at and following(LESSONS[at - 1]) is not lesson:
            page.locator(".st-key-lesson").get_by_role("radio").nth(at).click()
        elif at:
            page.locator(".st-key-next-lesson button").click()
        chosen = page.locator(".st-key-lesson").get_by_role("radio", checked=True)
        expect(chosen).to_have_text(re.compile(f"^{number} · "))
        expect(page.locator(".view").first).to_be_visible()
        fits(page, "learn", "zh" if at < len(LESSONS) / 2 else "en")
        station = chosen.bounding_box()
        assert 0 <= station["x"] <= 391 - station["width"], lesson.code


def test_no_table_of_a_training_scrolls_sideways(page):
    read_in(page, "en")
    go(page, "Train")
    open_section(page, "Merges, in the order")
    tables = page.locator("[data-testid=stDataFrame] .dvn-scroller")
    expect(tables).to_have_count(1)
    settled(page)
    widths = "tables => tables.map((each) => [each.scrollWidth, each.clientWidth])"
    for content, frame in tables.evaluate_all(widths):
        assert content <= frame
