"""The Compare page in a real browser: typing, inspector, keys, whole files, a long text."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from bpe.encoders import catalog
from playground.ui import i18n
from tests.e2e.views import read_in
from tests.e2e.waiting import holds, settled, still, until

pytestmark = pytest.mark.e2e

WIDE = {"width": 1280, "height": 900}
CHINESE, ENGLISH = "Chinese", "English"


def chinese(message: str) -> str:
    """Return a sentence of the page in Chinese."""
    return i18n._messages("zh")[message]


@pytest.fixture
def compare(app, open_page):
    def opened(query=""):
        page = open_page(f"{app}/compare?lang=en{query}", viewport=WIDE)
        expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
        return page

    return opened


@pytest.fixture(scope="module")
def page(shared):
    query = "lang=en&sample=news&tokenizers=o200k_base&tokenizers=qwen3"
    return shared(f"compare?{query}", viewport=WIDE)


def type_into(page, label: str, text: str) -> None:
    expect(page.locator(".view .token").last).to_be_attached()
    page.mouse.click(3, 400)  # puts away an inspector, which may lie over the box
    box = page.get_by_role("textbox", name=re.compile(f"^({label}|My text)$")).first
    box.click()  # from then on the page stays in sight, and the box has the keyboard
    box.fill(text)
    holds(page, "My text", text)


def token_of(page, tokenizer: str, number: int):
    """A token by what a screen reader says of it; an old view may be there a moment longer."""
    return page.get_by_role("option", name=re.compile(f"^{tokenizer} · Token {number} "))


def test_rows_stand_on_the_first_screen_and_one_click_makes_a_picture_of_their_numbers(compare):
    page = compare()
    for language, label in (("en", "Chinese"), ("zh", "中文")):
        read_in(page, language)
        expect(page.get_by_role("textbox", name=label, exact=True)).to_be_visible()
        for width, height in ((390, 844), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            settled(page)
            expect(page.locator(".view .token").last).to_be_attached()
            page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
            expect(page.locator(".editor").first).to_be_in_viewport(ratio=1)
            for line in page.locator(".view .block").first.locator(".line").all():
                expect(line).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            length = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
            assert length < (1800 if width == 1280 else 5 * 844)

    read_in(page, "en")
    rows = page.locator(".totals").first.locator(".row")
    expect(rows).to_have_count(4)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Picture to share").click()
    assert saved.value.suggested_filename == "bpe-playground.png"
    picture = page.locator("img.card")
    totals = rows.locator(".total").all_inner_texts()
    assert re.findall(r" (\d+)(?:,|$)", picture.get_attribute("alt")) == totals
    assert picture.evaluate("image => [image.naturalWidth, image.naturalHeight]") == [1200, 630]
    type_into(page, ENGLISH, "Another text.")
    expect(picture).to_have_count(0)


def test_every_line_begins_with_the_names_and_a_click_beside_the_inspector_puts_it_away(page):
    view = page.locator(".view").first
    expect(view.locator(".token").last).to_be_attached()
    settled(page)
    lines = view.evaluate(
        """view => {
            const blocks = [...view.querySelectorAll(".block")]
            const tops = blocks.map((block) => block.getBoundingClientRect().top)
            const starts = blocks.filter((block, n) => !n || tops[n] > tops[n - 1] + 1)
            return starts.map((block) => [...block.children].map(
                (line) => getComputedStyle(line, "::before").content))
        }"""
    )
    assert len(lines) > 2
    assert all("GPT-4o" in one and "Qwen3" in two for one, two in lines[1:])
    totals = view.locator(".totals .row")
    expect(totals).to_have_text([re.compile("^GPT-4o.*per word"), re.compile("^Qwen3.*per word")])
    names = [row.locator(".name").bounding_box() for row in totals.all()]
    counts = [row.locator(".total").bounding_box() for row in totals.all()]
    for name, count in zip(names, counts, strict=True):
        assert name["width"] > 50
        assert name["x"] + name["width"] <= count["x"], "no name runs into a count"

    expect(page.get_by_role("button", name="Show all rows").first).to_be_visible()
    still(page)  # folding draws the rows anew
    # As where the page grows between the press and the release: the token is no longer below.
    token_of(page, "Qwen3", 2).first.evaluate(
        """(token) => {
            const told = { bubbles: true, composed: true, clientX: 9, clientY: 9 }
            token.dispatchEvent(new PointerEvent("pointerdown", told))
            token.closest(".chunk").dispatchEvent(new MouseEvent("click", told))
        }"""
    )
    expect(page.locator(".inspector").first).to_be_visible()
    page.mouse.click(3, 400)  # the margin of the page
    expect(page.locator(".inspector").first).to_be_hidden()
    third = view.locator(".block.first").nth(2)
    expect(third).not_to_be_in_viewport()
    page.get_by_role("button", name="Show all rows").first.click()
    expect(third).to_be_in_viewport()


def test_the_keyboard_alone_gets_from_the_text_to_the_steps_of_a_token(page):
    type_into(page, CHINESE, "人工智能")
    settled(page)  # the run after a pause draws the page anew
    page.get_by_role("textbox", name="My text", exact=True).focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate(
            "() => { let a = document.activeElement;"
            " while (a.shadowRoot) a = a.shadowRoot.activeElement;"
            " return a.getAttribute('role') === 'option' }"
        ):
            break
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("region", name="Token 1 of")).to_contain_text("Qwen3")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.get_by_role("button", name="Encoding step by step").evaluate(
            "button => button.getRootNode().activeElement === button"
        ):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("the lowest is merged")
    settled(page)  # the run that draws it is over
    expect(page.locator("[role=dialog]:focus-within")).to_have_count(1)
    page.keyboard.press("Escape")
    settled(page)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_language_switched_there_and_back_keeps_the_text_and_explains_the_signs(page):
    type_into(page, CHINESE, "南京市长江大桥")
    expect(page.locator(".view .token").last).to_have_text("大桥")
    expect(page.get_by_role("combobox", name="Text", exact=True)).to_have_value("My text")
    settled(page)
    page.get_by_text("中文", exact=True).first.click()
    expect(page.get_by_role("textbox", name="我的文本")).to_have_value("南京市长江大桥")
    settled(page)
    page.get_by_label("符号与 ID").first.click()
    page.get_by_role("button", name="这些记号是什么意思").first.click()
    legend = page.locator(".legend").first
    for sign in ("1–2/3", "E4", "·", "</w>", "▁", "<|endoftext|>"):
        expect(legend).to_contain_text(sign)
    page.get_by_text("English", exact=True).first.click()
    expect(page.get_by_role("textbox", name="My text")).to_have_value("南京市长江大桥")
    until(page, "!location.search.includes('lang=zh')")  # where a reload begins
    settled(page)
    page.reload()
    expect(page.get_by_role("textbox", name="My text")).to_have_value("南京市长江大桥")
    expect(page.locator(".view .token").last).to_have_text("大桥")


def test_a_text_is_typed_held_against_its_translation_and_asked_about(app, open_page):
    """In Chinese; the other tests have the page in English."""
    page = open_page(
        f"{app}/compare?lang=zh&tokenizers=o200k_base&tokenizers=qwen3",
        viewport={"width": 1280, "height": 900},
    )
    ratio = page.get_by_text(re.compile("同样内容，英文 1 个词元.*GPT-4o"))
    expect(page.locator(".view .token").last).to_be_attached()
    expect(ratio).to_be_visible()
    settled(page)

    # Each key is answered in the rows, the rest of the page follows after a pause.
    page.get_by_role("textbox", name=chinese(CHINESE), exact=True).fill("南京市长江大桥")
    area = page.get_by_role("textbox", name=chinese("My text"), exact=True)
    expect(area).to_have_value("南京市长江大桥")
    expect(page.locator(".view .token").last).to_have_text("大桥")
    first = page.locator(".view .block:visible").first
    first.evaluate("block => (block.isTheSame = true)")
    area.press("End")
    page.keyboard.type("abc")
    expect(page.locator(".view .token:visible").last).to_have_text("abc")
    assert first.evaluate("block => block.isTheSame"), "what stands before the edit is not redrawn"
    expect(page.locator(".view .total").first).to_have_text("7")
    hues = page.locator(".view .line:first-child .token:visible").evaluate_all(
        "tokens => tokens.map((token) => token.className.match(/hue\\d/)[0])"
    )
    assert all(one != next for one, next in pairwise(hues))
    expect(area).to_be_focused()
    expect(page.get_by_role("textbox", name=chinese(ENGLISH), exact=True)).to_have_count(0)
    expect(ratio).to_have_count(0)

    # Only a pair is held against each other.
    page.get_by_role("button", name=chinese("Put its translation beside it")).click()
    page.get_by_role("textbox", name=chinese("Its translation")).fill("The bridge")
    expect(ratio).to_be_visible()

    # From a token one click leads on.
    token = page.locator(".view").first.get_by_role("option", name=re.compile("^Qwen3 · .*“abc”"))
    token.click()
    expect(token).to_have_attribute("aria-selected", "true")
    inspector = page.locator(".inspector:visible")
    expect(inspector).to_contain_text("61 62 63")
    inspector.get_by_role("button", name=chinese("Encoding step by step")).click()
    expect(page.get_by_role("dialog")).to_contain_text("abc")


@pytest.mark.nothing_cached
def test_choices_of_the_link_hold_where_a_text_is_typed_before_they_are_drawn(app, open_page):
    held = []
    page = open_page("about:blank", viewport={"width": 1280, "height": 900})
    page.route(re.compile(r"/(Multiselect|Selectbox)\."), lambda code: held.append(code))
    page.goto(f"{app}/compare?lang=en&tokenizers=qwen3&sample=law")
    type_into(page, CHINESE, "大桥")
    assert held
    for code in held:
        code.continue_()
    expect(page.get_by_role("combobox", name="Text", exact=True)).to_have_value("My text")
    page.get_by_role("textbox", name="My text", exact=True).fill("长江大桥")
    expect(token_of(page, "Qwen3", 1).last).to_have_text("长江")
    expect(page).to_have_url(re.compile("tokenizers=qwen3&sample=own$"))


def test_the_inspector_opens_beside_its_token_and_leads_on(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    type_into(page, CHINESE, "人工智能 改变世界")
    token = token_of(page, "Qwen3", 1).last
    expect(token).to_have_text("人工智能")
    settled(page)
    inspector = page.get_by_role("region", name="Token 1 of")
    # What is known of the token comes after the panel, whose button may be pressed just then.
    first_action = token.evaluate_handle(
        "token => { token.click();"
        " const button = token.getRootNode().querySelector('.inspector .actions button');"
        " button.focus(); return button }"
    )
    expect(inspector).to_contain_text(re.compile(r"merge [\d,]+"))
    expect(inspector.get_by_role("button", name="Encoding step by step")).to_be_focused()
    assert first_action.evaluate("button => button.isConnected")
    token.click()
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        token.click()
        expect(inspector).to_contain_text(re.compile(r"merge [\d,]+"))
        expect(inspector).to_be_in_viewport(ratio=1)
        if width == 1280:
            token.click()
            expect(inspector).to_have_count(0)

    inspector.get_by_role("button", name="Encoding step by step").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("the lowest is merged")
    expect(dialog).to_contain_text("Of all neighbours the lowest rank is")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    number = catalog.encoding("qwen3").encode("人工智能")[0]
    inspector.get_by_role("button", name="In the vocabulary").click()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value(str(number))
    expect(page.get_by_text("1 of 151,")).to_be_visible()


def test_a_text_that_the_page_asks_for_in_vain_is_asked_for_again(app, open_page):
    page = open_page("about:blank")
    requests = []

    def pass_on(socket):
        server = socket.connect_to_server()

        def sent(message):
            if isinstance(message, bytes) and b'"text":null' in message:
                requests.append(message)
                if len(requests) == 1:
                    return
            server.send(message)

        socket.on_message(sent)

    page.route_web_socket("**/_stcore/stream", pass_on)
    page.goto(f"{app}/compare?lang=en&tokenizers=o200k_base")
    type_into(page, CHINESE, "南京市长江大桥")
    expect(page.get_by_role("combobox", name="Text", exact=True)).to_have_value("My text")
    settled(page)
    page.get_by_text("中文", exact=True).first.click()
    expect(page.get_by_role("textbox", name="我的文本")).to_have_value("南京市长江大桥")
    assert len(requests) > 1


def test_the_chart_of_a_question_is_saved_as_svg_and_png(compare):
    page = compare("&view=languages&tokenizers=o200k_base&tokenizers=qwen3&tokenizers=llama2")
    menu = page.get_by_label("Save the chart")
    expect(page.locator('[data-testid="stVegaLiteChart"] svg')).to_have_count(1)
    saved = {}
    for kind in ("Save as SVG", "Save as PNG"):
        with page.expect_download() as download:
            menu.click()
            page.get_by_role("button", name=kind).click()
        saved[kind.split()[-1]] = download.value.path().read_bytes()
    drawn = ElementTree.fromstring(saved["SVG"])
    assert drawn.tag.endswith("svg")
    assert "Llama 2" in "".join(drawn.itertext())
    assert "rgb(86, 91, 99)" in {each.get("fill") for each in drawn.iter()}
    assert saved["PNG"].startswith(b"\x89PNG")
    page.emulate_media(color_scheme="dark")
    shown = page.locator('[data-testid="stVegaLiteChart"] svg text', has_text="Llama 2").first
    expect(shown).to_have_css("fill", "rgb(179, 184, 192)")
