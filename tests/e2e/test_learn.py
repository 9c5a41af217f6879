"""The course in a real browser: drag, guess, solve, and come back."""

import re

import pytest
from playwright.sync_api import expect

from playground.learn.lessons import LESSONS
from tests.e2e.views import drag
from tests.e2e.waiting import settled

CODES = [lesson.code for lesson in LESSONS]
pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def course(shared):
    """The course, which a visitor goes through by the map of its lessons."""
    return shared(f"learn?lang=en&lesson={CODES[-1]}", viewport={"width": 1200, "height": 900})


@pytest.fixture
def lesson(course):
    """Go to a lesson; each test has its own, so that none finds what another has set."""

    def gone(code, example=None):
        place = course.locator(".st-key-lesson").get_by_role("radio").nth(CODES.index(code))
        if not place.is_checked():
            place.click()
        expect(place).to_be_checked()
        course.wait_for_url(f"**lesson={code}**")
        settled(course)
        picture = course.locator(".view").first
        expect(picture).to_be_visible()
        if example:
            before = picture.text_content()
            course.locator("[class*=st-key-example-]").get_by_role("combobox").click()
            course.get_by_role("listbox").get_by_text(example, exact=True).click()
            expect(picture).not_to_have_text(before)  # what is clicked earlier is drawn anew
            settled(course)
        if (player := course.locator(".player > summary:visible")).count():
            player.click()
        return course

    return gone


def row(page, name):
    """The number that stands beside the name of a row."""
    return page.locator(".row-name", has_text=re.compile(f"^{name}")).locator(".total")


def test_words_of_a_card_light_up_the_picture_and_the_other_way_round(lesson):
    page = lesson("bytes", example="中国人看中国")
    page.locator(".cards .next").click()
    words, lit = page.locator(".cards code[data-names]"), page.locator(".chip.lit")
    expect(words).to_have_text(["E4 B8 AD", "中", "E4 B8"])
    expect(words.last).to_have_class(re.compile(r"hue\d"))
    words.last.focus()
    expect(lit).to_have_text(["E4", "B8", "中", "E4 B8中"])
    page.locator(".rows .chip", has_text="国").first.hover()
    expect(page.locator(".cards code.lit")).to_have_count(0)
    lit_words = page.locator(".cards code.lit")
    page.locator(".rows .chip", has_text="AD").first.hover()
    expect(lit_words).to_have_text(["E4 B8 AD", "中"])


def test_the_card_leads_and_stays_in_sight_on_a_phone(app, open_page):
    context = {"viewport": {"width": 390, "height": 844}, "locale": "en-US"}
    page = open_page(f"{app}/learn?lang=en&lesson=merge", **context)
    expect(page.locator(".view").first).to_be_visible()
    settled(page)
    card, next_card = page.locator(".cards").first, page.locator(".cards .next").first
    expect(page.locator(".transport").first).to_be_hidden()
    page.locator(".words").first.scroll_into_view_if_needed()
    expect(card).to_be_in_viewport(ratio=1)
    for _ in range(2):
        next_card.click()
    expect(page.locator(".rule .done").first).to_contain_text("Merge 1:")
    page.locator(".vocabulary").first.scroll_into_view_if_needed()
    expect(card).to_be_in_viewport(ratio=1)
    for _ in range(2):
        next_card.click()
    expect(card).to_contain_text("drag the slider")
    expect(page.locator(".transport").first).to_be_visible()


def test_rows_that_wrap_have_their_names_before_each_line(lesson):
    page = lesson("bytes")
    expect(page.locator(".names-block")).to_have_count(1)
    page.get_by_role("textbox").first.fill("low lower lowest " * 3)
    expect(page.locator(".names-block.repeated .row-name").first).to_have_text("bytes")
    tops = [
        {each.bounding_box()["y"] for each in page.locator(part).all()}
        for part in (".names-block", ".lines > .block")
    ]
    assert tops[0] == tops[1]


def test_cards_bytes_and_the_slider_move_the_picture_of_the_first_lesson(lesson):
    page = lesson("why", example="hello world!")
    expect(page.locator(".row-name.pale")).to_have_count(0)
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".row-name.pale")).to_have_count(2)
    expect(page.locator(".row-name:not(.pale)").last).to_contain_text("BPE")

    slider = page.get_by_role("slider", name="Merges done")
    drag(slider, 1000)
    expect(page.locator(".tick")).to_be_hidden()
    page.locator(".slot", has_text="6C").first.hover()
    expect(page.locator(".tick")).to_be_visible()
    expect(page.locator(".ladder .status")).to_contain_text("merge 39")

    expect(row(page, "bytes")).to_have_text("12")
    drag(slider, 0)
    expect(row(page, "BPE")).to_have_text("12")
    expect(page.locator(".dot-label")).to_have_text("BPE 12")
    drag(slider, 2000)
    expect(row(page, "BPE")).not_to_have_text("12")
    page.locator(".slot", has_text="6C").first.hover()
    expect(page.locator(".slot.lit")).to_have_count(4)


def test_the_lectures_word_is_encoded_step_by_step(lesson):
    page = lesson("encode", example="·tech")
    page.get_by_text("Of a tutorial", exact=True).click()
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
    page = lesson("tables", example="intj intj intj intj intj te…")
    expect(page.locator(".symbol.changed")).to_have_count(0)
    page.get_by_role("button", name="One merge on").click()
    expect(page.locator(".symbol.changed")).to_have_count(10)
    expect(page.locator(".place-cell.dead")).to_have_count(5)
    page.locator(".positions .line-of").first.hover()
    expect(page.locator(".place-cell.lit-row")).to_have_count(5)


def test_the_code_runs_line_by_line_beside_the_picture(lesson):
    page = lesson("merge", "low lower lowest")
    ran = page.locator(".line.ran")
    expect(ran).to_contain_text("count_pairs(rows)")
    for line in ("best_pair", "vocabulary.add", "merge_pair"):
        page.get_by_role("button", name="Next line").click()
        expect(ran).to_contain_text(line)
    expect(page.locator(".merges .place")).to_have_text("1 of 9 merges")
    expect(page.locator(".words.spoken-of .fresh").first).to_have_text("lo")
    page.get_by_role("button", name="left, right = pair").click()
    expect(page.locator(".gives")).to_have_text("pair = lo w")


def test_merges_by_hand_are_made_on_the_text_and_checked_when_handed_in(lesson):
    page = lesson("sheet")
    pairs = page.locator(".hand-text .chip:text-is('a') + .chip:text-is('t')")
    expect(pairs).to_have_count(15)
    pairs.first.locator("xpath=preceding-sibling::*[1]").click()
    expect(pairs).to_have_count(0)
    expect(page.get_by_role("button", name="Hand in")).to_be_disabled()
    for made in range(1, 10):
        expect(page.get_by_text(f"After {made} merges you have")).to_be_visible()
        page.locator(".hand-text .chip:enabled").first.click()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_text("More is better")).to_be_visible()
    page.get_by_role("button", name="To the start").click()
    expect(pairs).to_have_count(15)


def test_the_relatives_and_the_patterns_are_dragged_without_the_server(lesson):
    page = lesson("relatives", example="low lower lowest play playe…")
    slider = page.get_by_role("slider", name="Step")
    expect(page.locator("output.place")).to_have_text("merges: 20 / 40")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    drag(slider, 1)
    expect(page.locator("output.place")).to_have_text("merges: 1 / 40")
    expect(page.locator(".notes li")).to_have_text(
        [
            "BPE </w> · e + r (10×)",
            "SentencePiece BPE · e + r (10×)",
            "WordPiece · r + ##u (3×, 3 / (3 · 5) = 0.2)",
        ]
    )
    assert not sent
    totals = page.locator(".row-name .total").all_inner_texts()
    expect(page.locator(".slot:not(.faded)")).to_have_count(sum(map(int, totals)))


def test_a_printed_figure_goes_to_its_place_in_the_picture(lesson):
    page = lesson("notes")
    for _ in range(4):
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(".said")).to_contain_text("20, 21, 21")
    expect(page.locator("output.place").first).to_have_text("3 of 7 merges")
    expect(page.locator(".spoken-of")).to_have_class(re.compile("vocabulary"))
    expect(page.locator(".vocabulary h4")).to_contain_text("Vocabulary: 21")


def test_the_way_through_the_lessons_and_the_browsers_way_back(lesson):
    page = lesson("why")
    station = page.locator(".st-key-lesson").get_by_role("radio").nth(3)
    station.hover()
    name = station.locator("p").bounding_box()
    top = "([x, y]) => document.elementFromPoint(x, y).innerText"
    assert page.evaluate(top, [name["x"] + 20, name["y"] + 16]).startswith("4 · Bytes")
    page.get_by_role("button", name="Next: Merge by merge").click()
    expect(page.locator(".rule")).to_be_visible()
    page.wait_for_url("**lesson=merge**")
    page.reload()
    settled(page)
    expect(page.locator(".rule")).to_be_visible()
    page.go_back()
    expect(page.locator(".ladder.with-bytes")).to_be_visible()  # that of the lesson before
    page.wait_for_url("**lesson=why**")
    page.go_forward()
    expect(page.locator(".rule")).to_be_visible()
    page.wait_for_url("**lesson=merge**")
