"""The editor in a real browser: colours while one types, input methods, undo, long pastes."""

from itertools import pairwise

import pytest

from bpe.encoders import catalog
from tests.e2e.conftest import COMPONENTS
from tests.e2e.views import View
from tests.e2e.waiting import until

playwright_api = pytest.importorskip("playwright.sync_api", exc_type=ImportError)
expect = playwright_api.expect
pytestmark = pytest.mark.e2e


def o200k():
    return catalog.encoding("o200k_base")  # read when a test runs, not where tests are listed


class Editor(View):
    def __init__(self, page):
        super().__init__(page)
        self.area = page.get_by_role("textbox", name="Your text")
        self.cells = page.locator(".paper .cell")
        self.count = page.locator(".editor #count")
        self.note = page.locator(".editor #note")

    def type(self, text):
        self.page.keyboard.type(text)

    def expect_tokens(self, text):
        """Wait until Python has the text and the browser draws its tokens."""
        expect(self.area).to_have_value(text)
        expect(self.page.get_by_text(f"python: {len(text)} ")).to_be_visible()
        number = len(o200k().encode(text))
        tokens = "1 token" if number == 1 else f"{number:,} tokens"
        characters = "1 character" if len(text) == 1 else f"{len(text):,} characters"
        expect(self.count).to_have_text(f"{tokens} · {characters} · o200k_base")
        wanted = [piece.decode() for piece in map(o200k().token_bytes, o200k().encode(text))]
        # A token of a line break alone has no box, and one that wraps has two.
        drawn = [piece for piece in wanted if piece.strip("\n")]
        until(
            self.page,
            """([area, wanted]) => {
                const boxes = [...area.parentNode.querySelectorAll(".paper .cell")]
                const at = (box) => Number(box.dataset.at)
                const once = boxes.filter((box, n) => !n || at(box) !== at(boxes[n - 1]))
                const texts = once.map((box) => box.dataset.text)
                return JSON.stringify(texts) === JSON.stringify(wanted)
            }""",
            arg=[self.area.element_handle(), drawn],
        )

    def expect_layers_to_agree(self):
        """Wait until both layers are as high and as wide, so that no line breaks elsewhere."""
        until(
            self.page,
            """area => {
                const layer = area.parentNode.querySelector(".layer")
                return area.scrollHeight === area.clientHeight
                    && layer.offsetHeight === area.offsetHeight
                    && layer.offsetWidth === area.offsetWidth
                    && layer.textContent === area.value + "\\u200b"
            }""",
            arg=self.area.element_handle(),
        )


@pytest.fixture
def it(request, serve, open_page):
    """An editor on a page of its own: a run that follows a text would come into the next test."""
    limit = getattr(request, "param", 100_000)
    window = {"width": 900, "height": 700}
    editor = Editor(open_page(f"{serve(COMPONENTS)}/?part=editor&limit={limit}", viewport=window))
    expect(editor.cells.first).to_be_attached()
    return editor


def test_tokens_are_coloured_while_one_types_without_a_key_to_confirm(it):
    it.area.press("End")
    it.type("，Hello")
    it.expect_tokens("南京市长江大桥，Hello")
    it.expect_layers_to_agree()
    it.area.press("Home")
    it.type("new\nlines ")
    it.expect_tokens("new\nlines 南京市长江大桥，Hello")
    it.expect_layers_to_agree()

    # Neighbours never have the same hue.
    it.area.press("Control+End")
    it.type(" one two three")
    for _ in range(3):
        it.area.press("ArrowLeft")
        it.type("xy")
    it.expect_tokens(it.area.input_value())
    hues = it.cells.evaluate_all("cells => cells.map((cell) => cell.className)")
    assert all(one != next for one, next in pairwise(hues))


WATCH_THE_TEXTS = """() => {
    globalThis.takenOut = []
    const note = (changes) => takenOut.push(
        ...changes.flatMap((change) => [...change.removedNodes]).map((node) => node.nodeName))
    const { shadowRoot } = [...document.querySelectorAll("*")].find(
        (host) => host.shadowRoot?.querySelector(".editor"))
    for (const text of shadowRoot.querySelectorAll(".label, .foot, .note"))
        new MutationObserver(note).observe(text, { childList: true, subtree: true })
}"""
"""Note which nodes are taken out of the texts around an editor: Chromium then ends an undo step."""


def test_undo_is_the_browsers_own_and_boxes_lie_under_one_letter_or_many(it):
    it.area.press("End")
    it.page.evaluate(WATCH_THE_TEXTS)
    it.type("a")
    it.expect_tokens("南京市长江大桥a")
    it.type("bc")
    it.expect_tokens("南京市长江大桥abc")
    assert it.page.evaluate("takenOut") == []
    # In one step or in two: what Streamlit takes out of its page meanwhile divides them, too.
    for _ in range(3):
        if it.area.input_value() != "南京市长江大桥":
            it.area.press("Control+Z")
    it.expect_tokens("南京市长江大桥")
    for _ in range(3):
        if it.area.input_value() != "南京市长江大桥abc":
            it.area.press("Control+Shift+Z")
    it.expect_tokens("南京市长江大桥abc")

    # One letter, and nothing.
    it.area.fill("a")
    it.expect_tokens("a")
    it.area.fill("")
    expect(it.count).to_have_text("0 tokens · 0 characters · o200k_base")
    expect(it.cells).to_have_count(0)
    expect(it.area).to_have_attribute("placeholder", "Type here")
    it.area.fill("龘")
    expect(it.count).to_have_text("2 tokens · 1 character · o200k_base")
    expect(it.cells).to_have_count(1)  # one character of two tokens: two stripes
    assert it.cells.evaluate("cell => cell.style.backgroundImage.match(/--paper/g).length") == 4

    # Boxes lie under their letters.
    it.area.fill("one two\nthree")
    it.expect_tokens("one two\nthree")
    boxes = it.cells.evaluate_all(
        "cells => cells.map((cell) => cell.getBoundingClientRect().toJSON())"
    )
    assert boxes[0]["right"] == pytest.approx(boxes[1]["left"], abs=0.1)
    assert boxes[2]["left"] == pytest.approx(boxes[0]["left"], abs=0.1)
    assert boxes[2]["top"] > boxes[0]["bottom"] - 1


def test_what_an_input_method_composes_is_sent_only_when_it_is_chosen(it):
    it.area.press("End")
    session = it.page.context.new_cdp_session(it.page)
    for letters in ("n", "ni", "nih", "ni hao"):
        session.send(
            "Input.imeSetComposition",
            {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)},
        )
        it.page.wait_for_timeout(60)
    expect(it.area).to_have_value("南京市长江大桥ni hao")
    it.expect_layers_to_agree()
    it.page.wait_for_timeout(400)  # more than the pause after which a text is sent
    expect(it.page.get_by_text("python: 7 ")).to_be_visible()
    session.send("Input.insertText", {"text": "你好"})
    it.expect_tokens("南京市长江大桥你好")


def paste(it, text):
    it.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    it.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    it.area.press("Control+A")
    it.area.press("Control+V")


def test_a_long_paste_is_counted_exactly_and_drawn_where_one_looks(it):
    size = 100_000
    text = ("人工智能 is everywhere，你好。\n" * (size // 20))[:size]
    paste(it, text)
    number = len(o200k().encode(text))
    expect(it.count).to_have_text(f"{number:,} tokens · {size:,} characters · o200k_base")
    expect(it.note).to_be_hidden()
    expect(it.cells.first).to_be_attached()
    assert it.cells.count() < 3_000
    it.page.locator(".frame").evaluate("frame => (frame.scrollTop = frame.scrollHeight)")
    last = o200k().token_bytes(o200k().encode(text)[-1]).decode()
    expect(it.cells.last).to_have_attribute("data-text", last)
    it.expect_layers_to_agree()


def test_a_reload_keeps_the_text_and_another_text_of_the_page_takes_its_place(it):
    it.area.press("End")
    it.type(" kept")
    it.expect_tokens("南京市长江大桥 kept")
    it.page.reload()
    it.expect_tokens("南京市长江大桥 kept")
    expect(it.said).to_have_text("runs: 2")  # the page has followed the kept text
    it.page.get_by_role("button", name="Another text").click()
    it.expect_tokens("hello world")
    it.page.reload()
    it.expect_tokens("南京市长江大桥")


@pytest.mark.parametrize("it", [1_000], indirect=True)
def test_a_paste_over_the_limit_says_so_and_takes_the_beginning(it):
    paste(it, "中文" * 900)
    expect(it.note).to_contain_text("That makes 1,800 characters; the first 1,000 are taken.")
    it.expect_tokens("中文" * 500)
    it.area.press("Control+A")
    it.type("short")
    it.expect_tokens("short")
    expect(it.note).to_be_hidden()


def test_the_page_follows_after_a_pause_and_another_tokenizer_colours_the_same_text(it):
    expect(it.said).to_have_text("runs: 1")
    it.area.press("End")
    it.type("abc")
    expect(it.said).to_have_text("runs: 2")

    it.show("llama2")
    expect(it.count).to_contain_text("llama2")
    it.expect_layers_to_agree()
    it.area.press("End")
    it.type("你")
    expect(it.count).to_contain_text("11 characters · llama2")
    it.show("o200k_base")
    it.expect_tokens("南京市长江大桥abc你")


def test_lines_break_where_those_of_the_textarea_do_at_every_width(it):
    line = (
        "图书馆上周末迎来读者，三千多张（借书证）……“office” AV To don't https://a.example/b 1,234 "
    )
    it.area.fill((line + "啊" * 70 + "\n\n  two  spaces \n👩‍👩‍👧 ½ ｆｕｌｌ ﬁ end\n") * 3)
    expect(it.count).to_contain_text("tokens")
    for width in range(330, 900, 19):
        it.page.set_viewport_size({"width": width, "height": 700})
        until(it.page, f"innerWidth === {width}")
        it.expect_layers_to_agree()
