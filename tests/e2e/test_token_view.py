"""The token view in a real browser: hover, click, keyboard, size, themes, safety."""

import math
import re

import pytest
from playwright.sync_api import expect

from bpe.analysis.segmentation import segment_ids
from tests.e2e.colours import SIGHT, contrast, drawn, linear, multiply, oklab
from tests.e2e.components import HAND, NASTY, cut_at_random
from tests.e2e.views import View, in_colours

pytestmark = pytest.mark.e2e


class TokenView(View):
    def __init__(self, page):
        super().__init__(page)
        self.text = page.locator("[role=listbox]")
        self.tokens = self.text.locator("[role=option]")
        self.ids = page.locator(".ids .id")
        self.status = page.locator(".status")
        self.inspector = page.locator(".inspector")
        self.count = page.locator(".count")

    def fact(self, name):
        return self.inspector.locator(f"dt:text-is('{name}') + dd")

    def expect_python(self, text):
        expect(self.said).to_contain_text(f"pinned: {text}")


@pytest.fixture(scope="module")
def page(component):
    return component("tokens")


@pytest.fixture
def view(page):
    def shown(text, width=1100):
        page.set_viewport_size({"width": width, "height": 900})
        in_colours(page, "light")
        view = TokenView(page)
        view.anew(text)
        expect(page.locator(".text .token").first).to_be_visible()
        return view

    return shown


def test_a_text_is_marked_named_and_spelled_with_glyphs_that_can_be_switched_off(view):
    hand = view("hand")
    # A screen reader finds a labelled list with one stop.
    expect(hand.text).to_have_accessible_name("Tokens of the text")
    expect(hand.tokens).to_have_count(14)
    expect(hand.tokens.nth(2)).to_have_accessible_name("Token 3 · byte 1 of 3 of 中 · id 228")
    expect(hand.tokens.last).to_have_accessible_name(
        "Token 14 · special token · “<|endoftext|>” · id 256"
    )
    expect(hand.text.locator("[tabindex='0']")).to_have_count(1)

    # Parts of a character carry a mark, never a replacement character.
    assert hand.tokens.nth(2).inner_text() == "1/3中"
    assert hand.tokens.nth(6).inner_text() == "1–2/3很"
    assert "�" not in hand.text.inner_text()
    assert kinds_and_marks(hand) == those_of_the_library(HAND)

    # What the pointer is on is named, and marked in the ids and back.
    expect(hand.status).to_have_text(re.compile("^Click a token"))
    hand.tokens.nth(3).hover()
    expect(hand.status).to_have_text("Token 4 · byte 2 of 3 of 中 · id 184 · B8")
    expect(hand.ids.nth(3)).to_have_class(re.compile("hovered"))
    hand.ids.nth(5).hover()
    expect(hand.status).to_have_text(re.compile("^Token 6 · “文字处理” · id 902 · E6 96 87"))
    expect(hand.tokens.nth(5)).to_have_class(re.compile("hovered"))
    expect(hand.tokens.nth(3)).not_to_have_class(re.compile("hovered"))

    # Copied text has the spaces of the text, not their glyphs.
    assert hand.tokens.nth(11).text_content() == "\tend"
    content = "token => getComputedStyle(token, '{}').content"
    space = hand.tokens.nth(1).locator(".space")
    assert space.evaluate(content.format("::before")) == '"·"'
    hand.button("Show spaces").click()
    assert space.evaluate(content.format("::before")) == "none"
    assert hand.tokens.nth(1).evaluate(content.format("::after")) == "none"
    hand.button("Ids beside tokens").click()
    assert hand.tokens.nth(1).evaluate(content.format("::after")) == '"901"'
    hand.button("List of ids").click()
    expect(hand.ids.first).to_be_hidden()
    expect(hand.button("List of ids")).to_have_attribute("aria-pressed", "false")


def test_a_click_opens_the_inspector_and_calls_python(view):
    hand = view("hand")
    expect(hand.inspector).to_be_hidden()
    hand.tokens.nth(3).click()
    hand.expect_python("3, id 184, part, 1 times")
    expect(hand.inspector).to_contain_text("Token 4 of 14")
    expect(hand.fact("Id")).to_have_text("184")
    expect(hand.fact("Bytes")).to_have_text("B8")
    expect(hand.fact("Characters")).to_contain_text("U+4E2D")
    expect(hand.fact("Characters")).to_contain_text("byte 2 of 3 of 中")
    expect(hand.fact("Made by")).to_have_text("no merge: a symbol from the start")
    assert hand.inspector.locator(".cell").all_inner_texts() == ["E4", "B8", "AD"]
    assert hand.inspector.locator(".cell.held").all_inner_texts() == ["B8"]
    hand.tokens.nth(3).click()
    expect(hand.inspector).to_be_hidden()
    hand.expect_python("none")

    # By which merge it was made.
    hand.tokens.nth(5).click()
    expect(hand.fact("Made by")).to_have_text(
        re.compile("merge 644: 文字800 \\+ 处理801 .*seen 12 times")
    )
    hand.tokens.nth(6).click()
    expect(hand.fact("Made by")).to_have_text("no merge; merges stop at E5229 + BE")

    # The bytes of other tokens lead to them.
    hand.tokens.nth(3).click()
    hand.inspector.get_by_role("button", name=re.compile("Token 5")).click()
    expect(hand.inspector).to_contain_text("Token 5 of 14")
    hand.expect_python("4, id 173, part, 2 times")
    expect(hand.fact("In this text")).to_contain_text("2 times")
    expect(hand.tokens.nth(10)).to_have_class(re.compile("again"))
    hand.button("Next place").click()
    hand.expect_python("10, id 173")


def test_another_text_unpins_and_nothing_of_it_is_rendered_as_html(view):
    hand = view("hand")
    hand.tokens.nth(3).click()
    hand.expect_python("3,")
    hand.show("nasty")
    expect(hand.count).to_have_text("Tokens: 24")
    expect(hand.inspector).to_be_hidden()
    hand.expect_python("none")

    nasty = hand
    expect(nasty.tokens).to_have_count(len(NASTY))
    assert kinds_and_marks(nasty) == those_of_the_library(NASTY)
    for place in (14, 15, 16, 17):
        nasty.tokens.nth(place).hover()
        nasty.tokens.nth(place).click()
        expect(nasty.inspector).to_contain_text(f"Token {place + 1} of 24")
    assert nasty.tokens.nth(14).text_content() == "<script>"
    assert nasty.page.title() != "owned"
    inside = "root => root.querySelectorAll('script, img').length"
    assert nasty.page.locator(".view").evaluate(inside) == 0
    # An override of direction is a sign, and never in the page.
    assert nasty.tokens.nth(10).text_content() == "U+202Eabc"
    assert "\u202e" not in nasty.text.text_content()


def test_the_keyboard_alone_is_enough(view):
    hand = view("hand")
    press = hand.page.keyboard.press
    hand.button("What the signs mean").focus()
    press("Tab")
    expect(hand.tokens.first).to_be_focused()
    press("ArrowRight")
    press("ArrowRight")
    expect(hand.tokens.nth(2)).to_be_focused()
    expect(hand.tokens.nth(2)).to_have_attribute("aria-selected", "true")
    expect(hand.inspector).to_contain_text("Token 3 of 14")
    hand.expect_python("2, id 228")
    expect(hand.tokens.nth(2)).to_be_focused()  # still, after the answer
    press("ArrowDown")
    second_line = hand.tokens.nth(9).bounding_box()["y"]
    below = hand.page.evaluate(
        "() => { let a = document.activeElement;"
        " while (a.shadowRoot) a = a.shadowRoot.activeElement;"
        " return a.getBoundingClientRect().y }"
    )
    assert abs(below - second_line) < 5
    press("End")
    expect(hand.tokens.last).to_be_focused()
    press("ArrowRight")
    expect(hand.tokens.last).to_be_focused()
    press("Home")
    expect(hand.tokens.first).to_be_focused()
    press("Escape")
    expect(hand.inspector).to_be_hidden()
    press("Enter")
    expect(hand.inspector).to_contain_text("Token 1 of 14")
    hand.expect_python("0, id 900")


def kinds_and_marks(shown: TokenView) -> list:
    return shown.tokens.evaluate_all(
        "all => all.map(token => [token.dataset.kind,"
        " [...token.querySelectorAll('.fraction')].map(mark => mark.textContent)])"
    )


def those_of_the_library(pieces: list[tuple[int, bytes]]) -> list:
    library = segment_ids([i for i, _ in pieces], dict(pieces).get, special_ids={256})
    return [
        [
            token.kind,
            [
                part.mark.split()[0]
                for part in token.parts
                if part.character is not None and not part.whole
            ],
        ]
        for token in library.tokens()
    ]


def test_the_browser_finds_the_kinds_and_marks_that_the_library_finds(view):
    random = view("random1")
    for text in ("random1", "random2", "random3"):
        pieces = cut_at_random(text)
        if text != "random1":
            random.show(text)
        expect(random.count).to_have_text(f"Tokens: {len(pieces):,}")
        expect(random.tokens.last).to_have_accessible_name(re.compile(f"^Token {len(pieces):,} "))
        assert kinds_and_marks(random) == those_of_the_library(pieces), text


def test_a_click_among_thousands_of_tokens_draws_only_what_it_changes(view):
    many = view("6000")
    expect(many.count).to_have_text("Tokens: 6,000")
    changed = many.page.evaluate(
        """() => new Promise(done => {
            const host = [...document.querySelectorAll('*')]
                .find(node => node.shadowRoot?.querySelector('.token'))
            const token = host.shadowRoot.querySelectorAll('.token')[300]
            const watch = new MutationObserver(() => {})
            watch.observe(host.shadowRoot.querySelector('.text'),
                {subtree: true, childList: true, attributes: true})
            token.dispatchEvent(new PointerEvent('pointerover', {bubbles: true, composed: true}))
            token.click()
            requestAnimationFrame(() => requestAnimationFrame(() =>
                done(watch.takeRecords().length)))
        })"""
    )
    assert changed < 1000, "tokens that have nothing to do with the click are drawn anew"
    many.expect_python("300, ")
    many.page.keyboard.press("End")
    expect(many.inspector).to_contain_text("Token 6,000 of 6,000")
    expect(many.tokens.nth(5_999)).to_be_in_viewport()


def test_beyond_that_a_window_is_said_to_be_one_and_counts_stay_exact(view):
    many = view("9000")
    expect(many.count).to_have_text("Tokens 1–2,000 of 9,000")
    expect(many.page.locator("button", has_text="Earlier tokens")).to_be_disabled()
    many.page.locator("button", has_text="Later tokens").click()
    expect(many.count).to_have_text("Tokens 2,001–4,000 of 9,000")
    many.tokens.nth(7).click()
    expect(many.inspector).to_contain_text("Token 2,008 of 9,000")
    many.expect_python("2007, ")
    times = int(re.search(r"(\d+) times", many.said.inner_text())[1])
    expect(many.fact("In this text")).to_contain_text(f"{times:,} times")


def test_hues_are_equally_light_readable_and_told_apart_by_everyone(view):
    hand = view("hand")
    hues_are_told_apart(hand.tokens, 0.87)
    in_colours(hand.page, "dark")
    hues_are_told_apart(hand.tokens, 0.42)


def hues_are_told_apart(tokens, light: float) -> None:
    inks, shown = (drawn(tokens, style)[:6] for style in ("color", "backgroundColor"))
    papers = [linear(paper) for paper in shown]
    lightness = [oklab(paper)[0] for paper in papers]
    assert lightness == pytest.approx([light] * 6, abs=0.01)
    assert min(map(contrast, inks, shown)) > 7  # WCAG AAA
    for sight in SIGHT.values():
        seen = [oklab(multiply(sight, paper)) for paper in papers]
        for one, neighbour in zip(seen, seen[1:] + seen[:1], strict=True):
            assert math.dist(one, neighbour) > 0.05  # about 0.02 is the least one can see


def never_sideways(opened: TokenView) -> None:
    opened.tokens.nth(5).click()
    expect(opened.inspector).to_be_visible()
    wide = opened.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    for pane in (".text", ".view", ".inspector"):
        width = "pane => [pane.scrollWidth, pane.clientWidth]"
        scroll, client = opened.page.locator(pane).evaluate(width)
        assert scroll <= client, pane


def test_a_phone_never_scrolls_sideways(view):
    aligned = view("aligned", width=390)
    aligned.page.get_by_label("Signs and ids").click()
    aligned.button("Ids beside tokens").click()
    never_sideways(aligned)
    opened = view("hand", width=390)
    opened.button("Ids beside tokens").click()
    never_sideways(opened)
    for text, size in (("nasty", "24"), ("zh", "1,730")):
        opened.show(text)
        expect(opened.count).to_have_text(f"Tokens: {size}")
        expect(opened.inspector).to_be_hidden()
        never_sideways(opened)


# Side by side


def test_blocks_have_the_same_bytes_in_every_line_and_fade_where_all_cut_alike(view):
    aligned = view("aligned")
    blocks = aligned.page.locator(".block").evaluate_all(
        """all => all.map(block => [
            block.classList.contains('same'),
            [...block.children].map(line => [...line.children].map(
                node => Number(node.style.flexGrow))), // as wide as it has bytes
        ])"""
    )
    assert len(blocks) > 100
    for same, lines in blocks:
        assert len(lines) == 3
        assert len({sum(line) for line in lines}) == 1
        assert same == all(len(line) == 1 for line in lines)
    assert {same for same, _ in blocks} == {True, False}


def test_side_by_side_names_the_tokenizer_of_a_token_and_tells_python(view):
    aligned = view("aligned")
    expect(aligned.page.locator(".totals")).to_contain_text("trained623")
    third_line = aligned.page.locator(".block .line:nth-child(3) .token")
    third_line.nth(1).hover()
    expect(aligned.status).to_have_text("bytes · Token 2 · byte 2 of 3 of 城 · id 159 · 9F")
    third_line.nth(1).click()
    aligned.expect_python("bytes, 1, id 159")
    expect(aligned.inspector).to_contain_text("· bytes")


def test_arrows_go_along_a_tokenizer_and_between_tokenizers(view):
    aligned = view("aligned")
    press = aligned.page.keyboard.press
    aligned.page.get_by_label("Signs and ids").focus()
    press("Tab")
    press("ArrowDown")
    press("ArrowDown")
    expect(aligned.inspector).to_contain_text("Token 1 of 1,587")
    press("ArrowDown")
    expect(aligned.inspector).to_contain_text("Token 1 of 1,587")
    press("ArrowRight")
    aligned.expect_python("bytes, 1,")
    press("ArrowUp")
    aligned.expect_python("short, 1,")
