"""What stands around every page: the header, the reader's language, and what a phone shows."""

import pytest
from playwright.sync_api import expect

from tests.e2e.views import (
    PAGES,
    choose,
    go,
    header_is_one_row_and_the_costs_are_on_the_first_screen,
    read_in,
)
from tests.e2e.waiting import settled
from tests.support.browser import CONTROLS

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def page(shared):
    return shared("cost?lang=zh", viewport={"width": 1280, "height": 800})


FOCUSED = """
() => {
  let element = document.activeElement;
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const style = getComputedStyle(element);
  return {
    name: element.ariaLabel || element.innerText.split("\\n").at(-1).trim(),
    marked: style.outlineStyle !== "none" || style.boxShadow !== "none",
    field: element.matches("input, textarea, select, main"),
  };
}
"""


def test_the_keyboard_alone_reaches_pages_language_and_choices_and_shows_where_it_is(page):
    walked = []
    for _step in range(12):
        page.keyboard.press("Tab")
        walked.append(page.evaluate(FOCUSED))
    titles = [chinese for chinese, _english in PAGES.values()]
    reached = [each["name"] for each in walked]
    assert [name for name in reached if name in titles] == titles
    assert "English" in reached
    assert [each["name"] for each in walked if not (each["marked"] or each["field"])] == []
    page.keyboard.press("Shift+Tab")
    while page.evaluate(FOCUSED)["name"] != titles[3]:
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=titles[3], level=1)).to_be_visible()


def test_what_streamlit_writes_follows_the_reader_there_and_back(page):
    go(page, "成本")
    header_is_one_row_and_the_costs_are_on_the_first_screen(page)
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.get_by_role("button", name="主菜单").click()
    expect(page.get_by_role("menu", name="主菜单")).to_contain_text("跟随系统")
    expect(page.get_by_role("menu", name="主菜单")).to_contain_text("打印")
    page.keyboard.press("Escape")
    read_in(page, "en")
    header_is_one_row_and_the_costs_are_on_the_first_screen(page)
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_role("button", name="Main menu").click()
    expect(page.get_by_role("menu", name="Main menu")).to_contain_text("System")
    page.keyboard.press("Escape")
    read_in(page, "zh")
    page.get_by_role("combobox", name="模型").click()
    page.keyboard.type("no such model")
    expect(page.get_by_text("没有匹配项")).to_be_visible()
    for _list_and_text in range(2):
        page.keyboard.press("Escape")


FORBID = """(forbidden) => {
  globalThis.allowed ??= Element.prototype.requestFullscreen
  Element.prototype.requestFullscreen = forbidden
    ? () => Promise.reject(new TypeError("forbidden"))
    : allowed
}"""
COUNT = """() => {
  globalThis.sent ??= WebSocket.prototype.send
  globalThis.asked = 0
  WebSocket.prototype.send = function (message) { asked += 1; sent.call(this, message) }
}"""


@pytest.mark.parametrize(("name", "forbidden"), [("", False), ("compare", True)])
def test_the_picture_fills_the_screen_in_type_for_the_last_row_and_goes_back(page, name, forbidden):
    """In a frame that forbids the whole screen, too; nothing is asked of the server."""
    page.set_viewport_size({"width": 1280, "height": 720})
    go(page, PAGES[name][0])
    page.evaluate(FORBID, forbidden)
    view = page.locator(".view").filter(has=page.locator(".text .token")).first
    size = "token => parseFloat(getComputedStyle(token).fontSize)"
    token = view.locator(".text .token").first
    small = token.evaluate(size)
    page.evaluate(COUNT)
    if view.locator(".more").count():
        view.locator(".more summary").click()
    button = view.get_by_role("button", name="放大", exact=True)
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert view.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 720}
    assert token.evaluate(size) >= 32
    if forbidden:
        page.keyboard.press("Escape")
    else:
        button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert token.evaluate(size) == small
    assert page.evaluate("asked") == 0


FIRST_SCREENS = {
    "": (30, [("corpus", 2)]),
    "compare": (22, [("view", 1)]),
    "cost": (25, [("section", 3)]),
    "learn": (25, [("lesson", 1)]),
}
"""The most controls that each page has at first, and the segments that show what else is styled."""
SELECTORS = """
() => {
  const parts = (selector) => selector.match(/(?:[^,(]|\\((?:[^()]|\\([^()]*\\))*\\))+/g)
  const collect = (rules) => [...rules].flatMap((rule) =>
    rule.selectorText ? parts(rule.selectorText) : rule.cssRules ? collect(rule.cssRules) : [])
  const sheet = [...document.styleSheets].find((each) =>
    each.ownerNode.textContent.includes("--bpe-paper"))
  const state = /:not\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)|:(hover|focus-visible)/g
  return collect(sheet.cssRules).map((selector) => selector.trim()
    .replace(state, ":is(*)").replace(/::[a-z-]+/g, "").replace("[data-over]", ""))
}
"""
MATCHED = "selectors => selectors.filter((each) => document.querySelector(each || '*'))"
PASSING = ("training", "drawer=", "data-stale", "stStatusWidget", "stSkeleton",
           "stCode", "(strong)", "st-key-tokenizers")  # fmt: skip
"""In selectors of what is there for a moment or after a click, or has other sizes elsewhere."""


def test_every_rule_of_the_style_is_of_something_and_first_screens_ask_little(app, page, open_page):
    """A selector that matches nothing any more is a look that is lost, after an update say."""
    page.set_viewport_size({"width": 1440, "height": 900})
    seen = set()

    def look(page) -> list[str]:
        expect(page.locator("#first")).to_be_hidden()  # what stood there before the page
        page.wait_for_load_state("networkidle")  # the code of a field may come behind its page
        wanted = page.evaluate(SELECTORS)
        seen.update(page.evaluate(MATCHED, wanted))
        return wanted

    for name, (most, clicks) in FIRST_SCREENS.items():
        go(page, PAGES[name][0])
        shown = page.evaluate(CONTROLS)
        assert len(shown) <= most, (name, "\n".join(shown))
        look(page)
        for key, place in clicks:
            choose(page, key, place)
            look(page)
    page = open_page(f"{app}/?algorithm=unigram&embed=true&lang=zh")
    settled(page)
    wanted = look(page)
    lost = (each for each in wanted if each not in seen)
    assert [each for each in lost if not any(map(each.__contains__, PASSING))] == []


def test_what_streamlit_says_of_fields_is_in_the_readers_language_and_whole(page):
    go(page, "训练")
    choose(page, "corpus", 2)
    limits = page.get_by_test_id("stFileUploaderDropzoneInstructions").locator("span")
    assert limits.evaluate("said => said.scrollWidth <= said.clientWidth")
    assert limits.evaluate("said => getComputedStyle(said).whiteSpace") == "normal"

    size = page.get_by_test_id("stNumberInput").filter(has_text="词表大小")
    size.get_by_role("spinbutton").fill("0")
    size.get_by_role("spinbutton").press("Enter")
    said = "错误: 数值超出允许的范围。请输入 1 到 200000 之间的值。"
    expect(size.get_by_role("alert")).to_have_text(said)
    size.get_by_test_id("stTooltipErrorHoverTarget").hover()
    expect(page.get_by_test_id("stTooltipErrorContent")).to_have_text(said)


def test_an_address_that_is_no_page_is_named_and_the_first_page_has_two(app, open_page):
    page = open_page(f"{app}/train?lang=zh")
    settled(page)
    expect(page.get_by_role("button", name="复制链接")).to_be_visible()
    expect(page.get_by_text("词表大小", exact=True).first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto(f"{app}/prices?lang=zh")
    expect(page.get_by_text("这里没有名为“prices”的页面")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("radio", name="English").click()
    expect(page.get_by_text("There is no page “prices” here")).to_be_visible()
    page.get_by_role("link", name="Cost").click()
    expect(page.locator('[data-testid="stVegaLiteChart"] svg').first).to_be_visible()
