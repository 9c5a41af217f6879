"""The merge view in a real browser: step, drag, keys, bets, speed, and no word to the server."""

import re

import pytest

from tests.e2e.views import View, drag

playwright_api = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
expect = playwright_api.expect
pytestmark = pytest.mark.e2e


class MergeView(View):
    def __init__(self, page):
        super().__init__(page)
        self.slider = page.get_by_role("slider", name="Merges done")
        self.place = page.locator("output.place")
        self.words = page.locator(".words .word")
        self.bars = page.locator(".bar-row")
        self.vocabulary = page.locator(".entries .chip")
        self.rule = page.locator(".rule")


@pytest.fixture(scope="module")
def page(component):
    return component("merges")


@pytest.fixture
def view(page):
    def shown(corpus):
        view = MergeView(page)
        view.anew(corpus)
        page.locator(".player > summary").click()
        expect(view.place).to_be_visible()
        return view

    return shown


def test_a_step_joins_the_chips_and_the_counts_follow(view):
    textbook = view("textbook")
    expect(textbook.words.nth(0)).to_have_text("low</w>×5")
    expect(textbook.bars.nth(0)).to_have_text("es9")
    textbook.button("One merge on").click()
    expect(textbook.rule).to_contain_text("Merge 1: e + s → es, which stood together 9×.")
    expect(textbook.bars.nth(0)).to_have_text("es9 → 0")
    expect(textbook.bars.nth(1)).to_have_text("est9")
    expect(textbook.words.nth(2).locator(".chip").nth(3)).to_have_text("es")
    expect(textbook.vocabulary.last).to_have_text("es")
    expect(textbook.vocabulary.filter(has_text=re.compile("^s$"))).to_have_class(
        re.compile("left-out")
    )
    textbook.button("One merge back").click()
    expect(textbook.place).to_have_text("0 of 15 merges")
    expect(textbook.words.nth(2).locator(".chip").nth(3)).to_have_text("e")


def test_keys_walk_through_the_merges(view):
    textbook = view("textbook")
    textbook.button("One merge on").focus()
    textbook.page.keyboard.press("End")
    expect(textbook.place).to_have_text("15 of 15 merges")
    expect(textbook.words.nth(3).locator(".chip")).to_have_text(["widest</w>"])
    expect(textbook.rule).to_contain_text("no pair is left")
    textbook.page.keyboard.press("Home")
    textbook.slider.focus()
    textbook.page.keyboard.press("ArrowRight")
    textbook.page.keyboard.press("ArrowRight")
    expect(textbook.place).to_have_text("2 of 15 merges")
    textbook.page.keyboard.press("Space")
    expect(textbook.place).to_have_text("4 of 15 merges")
    textbook.page.keyboard.press("Space")


def test_bytes_stand_over_the_characters_they_become(view):
    chinese = view("chinese")
    first = chinese.words.nth(0)
    expect(first.locator(".chip")).to_have_text(["E7看", "9C看", "8B看", "E8路", "B7路", "AF路"])
    chinese.button("One merge on").click()
    chinese.button("One merge on").click()
    expect(first.locator(".chip")).to_have_text(["E7看", "9C看", "8B看", "路"])
    first.locator(".chip").nth(3).hover()
    expect(chinese.page.locator(".status")).to_contain_text("by merge 2. Id 257, bytes E8 B7 AF.")
    expect(chinese.vocabulary.last).to_have_class(re.compile("lit"))


def test_a_bet_is_placed_before_the_counts_are_shown(view):
    textbook = view("textbook")
    textbook.button("Guess the next pair").click()
    expect(textbook.page.locator(".pairs")).to_be_hidden()
    textbook.page.locator(".choice", has_text="es").click()
    expect(textbook.page.locator(".answer")).to_contain_text(
        "✓ Right: of 3 pairs the rule takes e s."
    )
    expect(textbook.said).to_contain_text("score: (1, 1)")
    textbook.button("Merge them").click()
    expect(textbook.place).to_have_text("1 of 15 merges")
    textbook.page.locator(".choice").filter(has_not_text="est").first.click()
    expect(textbook.said).to_contain_text("score: (1, 2)")
    drag(textbook.slider, 12)
    expect(textbook.page.locator(".question")).to_contain_text("3 pairs are equally frequent")
    expect(textbook.page.locator(".choice")).to_have_count(3)
    textbook.page.locator(".choice").first.click()
    expect(textbook.page.locator(".answer")).to_contain_text("of 3 pairs the rule takes")
    expect(textbook.rule).to_contain_text("Pairs as frequent: 3; the tie rule chooses.")
    textbook.button("Merge them").click()
    expect(textbook.place).to_have_text("13 of 15 merges")


def test_dragging_through_a_thousand_merges_asks_nothing_of_the_server(view):
    large = view("large")
    expect(large.place).to_have_text("0 of 1,000 merges")
    sent = []
    large.page.on("websocket", lambda socket: sent.append(socket))
    runs = large.said.inner_text()
    for step in (1_000, 3, 517, 998, 0, 640):
        drag(large.slider, step)
        expect(large.place).to_have_text(f"{step:,} of 1,000 merges")
        expect(large.vocabulary.first).to_be_visible()
    assert large.said.inner_text() == runs
    assert large.page.locator(".words .chip").count() < 1_500, "draws more than is looked at"
    assert large.vocabulary.count() <= 50


def test_nothing_to_merge_is_no_error(view):
    nothing = view("nothing")
    expect(nothing.place).to_have_text("0 of 0 merges")
    expect(nothing.button("Play")).to_be_disabled()
