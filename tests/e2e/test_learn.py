"""The course in a real browser: drag, bet, guess, solve, and come back."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.waiting import settled

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]


@pytest.fixture
def lesson(app, open_page):
    """Open a lesson by its link."""

    def opened(code, language="en", **context):
        context = {"viewport": {"width": 1200, "height": 900}, **context}
        page = open_page(f"{app}/learn?lang={language}&lesson={code}", locale="en-US", **context)
        expect(page.locator(".view").first).to_be_visible()
        settled(page)
        return page

    return opened


def drag(page, step):
    page.get_by_role("slider", name="Merges done").evaluate(
        "(node, step) => { node.value = step; node.dispatchEvent(new Event('input')) }", step
    )


def row(page, name):
    """The number that stands beside the name of a row."""
    return page.locator(".row-name", has_text=re.compile(f"^{name}")).locator(".total")


def answer(page, label, text):
    box = page.get_by_role("textbox", name=label)
    box.fill(text)
    box.press("Tab")


def test_dragging_the_vocabulary_shortens_the_row_and_the_dot_follows(lesson):
    page = lesson("why")
    expect(row(page, "bytes")).to_have_text("12")
    drag(page, 0)
    expect(row(page, "BPE")).to_have_text("12")
    expect(page.locator(".dot-label")).to_have_text("BPE 12")
    drag(page, 2000)
    expect(row(page, "BPE")).not_to_have_text("12")
    page.locator(".slot", has_text="6C").first.hover()
    expect(page.locator(".slot.lit")).to_have_count(4)


def test_a_puzzle_refuses_a_wrong_answer_and_accepts_a_right_one(lesson):
    page = lesson("bytes")
    answer(page, "Two 汉字", "中国")
    expect(page.get_by_text("Not yet.")).to_be_visible()
    expect(page.get_by_text("Puzzles solved: 0 of")).to_be_visible()
    answer(page, "Two 汉字", "中不")
    expect(page.get_by_text("the same first two bytes")).to_be_visible()
    expect(page.get_by_text("Puzzles solved: 1 of")).to_be_visible()
    page.get_by_text("中文", exact=True).first.click()
    expect(page.get_by_text("已解出的题：1 /")).to_be_visible()


def test_a_bet_is_kept_and_then_answered(lesson):
    page = lesson("pretokens")
    expect(page.get_by_text("A run of letters is one piece")).to_have_count(0)
    page.get_by_role("radio", name="1 / 5").or_(page.get_by_text("1 / 5", exact=True)).first.click()
    expect(page.get_by_text("A run of letters is one piece")).to_be_visible()


def test_the_lectures_word_is_encoded_step_by_step(lesson):
    page = lesson("encode")
    page.get_by_text("of the lecture", exact=True).click()
    ranks = page.locator(".row-of-symbols .rank")
    expect(ranks).to_have_text(["0", "465", "505", "98"])
    expect(page.locator(".rank.lowest")).to_have_text("0")
    page.get_by_role("button", name="One merge on").click()
    expect(ranks).to_have_text(["287", "505", "98"])
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".row-of-symbols .chip")).to_have_text(["·tech"])
    expect(page.locator(".tree small")).to_have_count(4)


def test_a_curve_is_drawn_before_the_measured_one_appears(lesson):
    page = lesson("fast")
    points = page.locator(".placed")
    expect(points).to_have_count(5)
    expect(page.locator(".measured-dot")).to_have_count(0)
    points.first.focus()
    page.keyboard.press("PageDown")
    expect(points.first).to_have_attribute("aria-valuenow", "33.33")
    page.get_by_role("button", name="Show the measurement").click()
    expect(page.locator(".measured-dot")).to_have_count(5)
    expect(page.get_by_text("one in 155")).to_be_visible()


def test_a_merge_marks_the_cells_that_it_changes(lesson):
    page = lesson("tables")
    expect(page.locator(".symbol.changed")).to_have_count(0)
    page.get_by_role("button", name="One merge on").click()
    expect(page.locator(".symbol.changed")).to_have_count(10)
    expect(page.locator(".place-cell.dead")).to_have_count(5)
    page.locator(".positions .line-of").first.hover()
    expect(page.locator(".place-cell.lit-row")).to_have_count(5)


def test_the_way_through_the_lessons_and_the_browsers_way_back(lesson):
    page = lesson("why")
    page.get_by_role("button", name="Next: Merge by merge").click()
    expect(page.locator(".rule")).to_be_visible()
    page.wait_for_url("**lesson=merge**")
    page.reload()
    settled(page)
    expect(page.locator(".rule")).to_be_visible()


@pytest.mark.parametrize("code", ["why", "merge", "encode", "tables", "chinese", "stumble"])
def test_a_phone_needs_no_sideways_scroll(lesson, code):
    page = lesson(code, viewport={"width": 390, "height": 844}, color_scheme="dark")
    overflow = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0
