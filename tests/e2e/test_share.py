"""What a link shows in another browser, what a reload keeps, and where Back leads."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.e2e.views import go, read_in
from tests.e2e.waiting import SECONDS, holds, settled, until

pytestmark = pytest.mark.e2e

LINK_IS_READ = "!/[?&]s=/.test(location.search)"
COPY, LINK = {"zh": "复制链接", "en": "Copy link"}, {"zh": "链接", "en": "The link"}


def link_of(page, language: str) -> str:
    """Copy the link of a page, by hand, and close what it stands in."""
    settled(page)
    page.get_by_role("button", name=COPY[language]).click()
    field = page.get_by_role("textbox", name=LINK[language], exact=True)
    expect(field).to_have_value(re.compile(r"[?]s=1"))
    link = field.input_value()
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    return link


def type_into(page, name: str, text: str) -> None:
    area = page.get_by_role("textbox", name=name, exact=True).first
    area.click()
    area.press("Control+A")
    page.keyboard.insert_text(text)


def test_what_one_reader_copies_another_sees(app, open_page):
    """A tokenizer and texts in Chinese, though the browser is English."""
    page = open_page(f"{app}/?corpus=text&size=260&least=1&lang=zh")
    settled(page)
    page.get_by_role("textbox", name="你的文本", exact=True).fill(
        "看路看灯看路灯 *not* <b>markup</b>"
    )
    expect(page.get_by_test_id("stMetricValue").first).to_have_text("260")
    go(page, "对比")
    holds(page, "我的文本", "看路看灯看路灯 *not* <b>markup</b>")
    type_into(page, "我的文本", "看路灯")
    holds(page, "我的文本", "看路灯")
    settled(page)
    page.get_by_role("button", name="加上它的译文").click()
    expect(page.get_by_role("textbox", name="它的译文")).to_be_visible()
    settled(page)
    type_into(page, "它的译文", "to look at the lamp")
    expect(page.locator(".view .token").last).to_have_text(" lamp")
    again = open_page(link_of(page, "zh"))
    expect(again.get_by_role("textbox", name="我的文本")).to_have_value("看路灯")
    expect(again.get_by_role("textbox", name="它的译文")).to_have_value("to look at the lamp")
    expect(again.get_by_role("option", name="你的分词器 · 词元 1 · “看” · ID 258")).to_be_visible()
    until(again, LINK_IS_READ)
    settled(again)
    again.reload()
    expect(again.get_by_role("textbox", name="它的译文")).to_have_value("to look at the lamp")


COLUMNS = """
() => [...document.querySelectorAll("[data-testid=stColumn]")]
  .filter((column) => column.querySelector("[class*=st-key-train_]"))
  .map((column) => Math.round(column.getBoundingClientRect().width))
"""


def the_link_opens_over_the_page_and_leaves_its_columns_as_they_are(page, language: str) -> None:
    button = page.locator(".st-key-share button")
    expect(button).to_contain_text(COPY[language])
    assert button.evaluate("each => each.scrollWidth <= each.clientWidth")
    before = page.evaluate(COLUMNS)
    assert len(before) == 2
    link_of(page, language)
    assert page.evaluate(COLUMNS) == before
    assert button.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_the_link_changes_no_column_and_back_leads_to_the_page_before_and_keeps_what_was_set(
    app, open_page
):
    page = open_page(f"{app}/?lang=zh", viewport={"width": 1440, "height": 900})
    settled(page)
    the_link_opens_over_the_page_and_leaves_its_columns_as_they_are(page, "zh")
    read_in(page, "en")
    the_link_opens_over_the_page_and_leaves_its_columns_as_they_are(page, "en")

    go(page, "Compare")
    for view in ("Vocabularies", "Chinese vs. English", "A text"):
        page.get_by_role("radio", name=view).click()
        settled(page)
    go(page, "Train")
    size = page.get_by_role("spinbutton", name="Vocabulary size")
    size.fill("300")
    size.press("Enter")
    vocabulary = page.get_by_test_id("stMetricValue").first
    expect(vocabulary).to_have_text("300")
    settled(page)
    for title in ("Compare", "Train"):  # the second address is from before the number was set
        page.go_back()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        settled(page)
    expect(vocabulary).to_have_text("300")
    expect(size).to_have_value("300")
    expect(page).to_have_url(re.compile("size=300"))
    page.go_forward()
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()


class LateAnswers:
    """What the server says to a page, which waits from ``hold`` to ``release``."""

    def __init__(self, page) -> None:
        self._page = page
        self._waits = False
        self._asked = 0
        self._held: list[tuple] = []
        page.route_web_socket("**/_stcore/stream*", self._connect)

    def _connect(self, socket) -> None:
        server = socket.connect_to_server()

        def asks(message) -> None:
            self._asked += 1
            server.send(message)

        def answers(message) -> None:
            if self._waits:
                self._held.append((socket, message))
            else:
                socket.send(message)

        socket.on_message(asks)
        server.on_message(answers)

    def hold(self) -> None:
        self._waits = True

    def until_answered(self) -> None:
        self._until(lambda: any(_says(message, "script_finished") for _, message in self._held))

    def until_asked(self, act: Callable[[], object]) -> None:
        before = self._asked
        act()
        self._until(lambda: self._asked > before)

    def _until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < deadline
            self._page.wait_for_timeout(20)

    def release(self) -> None:
        self._waits = False
        for socket, message in self._held:
            socket.send(message)


def _says(message: bytes, kind: str) -> bool:
    said = ForwardMsg()
    said.ParseFromString(message)
    return said.WhichOneof("type") == kind


def test_back_leads_to_the_page_before_and_forward_again_while_an_answer_is_on_its_way(
    app, open_page
):
    page = open_page("about:blank")
    answers = LateAnswers(page)
    page.goto(f"{app}/?corpus=text&lang=en")
    settled(page)
    train = page.url
    go(page, "Compare")
    answers.hold()
    page.get_by_role("radio", name="Vocabularies").click()
    answers.until_answered()
    answers.until_asked(page.go_back)
    answers.release()
    expect(page.get_by_role("heading", name="Train", level=1)).to_be_visible()
    settled(page)
    expect(page).to_have_url(train)
    page.go_forward()
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()


def test_texts_of_two_tabs_outlive_a_reload_and_another_address(app, open_page):
    first = open_page(f"{app}/?corpus=text&lang=en")
    second = first.context.new_page()
    second.goto(first.url)
    texts = {first: "tea teapot", second: "hug pug"}
    for page, text in texts.items():
        settled(page)
        page.get_by_role("textbox", name="Your text", exact=True).fill(text)
        expect(page.get_by_test_id("stMetricValue").first).to_be_visible()
        settled(page)
    for page, text in texts.items():
        page.reload()
        expect(page.get_by_test_id("stMetricValue").first).to_be_visible()
        holds(page, "Your text", text)
    settled(first)
    first.goto(f"{app}/_stcore/health")
    first.go_back()
    holds(first, "Your text", texts[first])
