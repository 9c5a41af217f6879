"""Nothing that a visitor typed or uploaded is markup: a table of payloads, put in every place."""

import json
import urllib.parse

import pytest
from playwright.sync_api import expect

import bpe
from bpe import files
from bpe.algorithm.recipe import Recipe
from playground.learn import lessons
from tests.e2e.views import go
from tests.e2e.waiting import open_section, settled

pytestmark = pytest.mark.e2e

# What is typed, and the selector of the element that it would become.
PAYLOADS = {
    "<img src=x9 onerror=owned=1>": "img[src*='x9']",
    "<script>owned=1</script>": "script:has-text('owned=1')",
    "<i>MKHTML</i>": "i:has-text('MKHTML')",
    "**MKBOLD**": "strong:text-is('MKBOLD')",
    "`MKCODE`": "code:text-is('MKCODE')",
    "~~MKGONE~~": "del:has-text('MKGONE')",
    "[MKLINK](http://evil.example)": "a[href*='evil.example']",
    "![MKPIC](http://evil.example/x9)": "img[alt='MKPIC']",
    "http://evil.example": "a[href*='evil.example']",
    "$MKTEX$": ".katex",
    ":material/skull:": "[data-testid='stIconMaterial']:text-is('skull')",
    ":red[MKRED]": "[class*='red']:has-text('MKRED'), span[style*='color']:text-is('MKRED')",
    "\u202eMKBIDI\u202c": "bdo",
    "{{MKGAP}}{0}%s": "nothing",
}
ALL = " ".join(PAYLOADS)
SEEN = "**MKBOLD**"
"""A part of it that is short enough to be shown everywhere."""
SAID = "<i>MKHTML</i> **MKBOLD** $MKTEX$ :red[MKRED] [MKLINK](x)"
"""For fields that take no more than 60 characters."""


def file_name(suffix: str) -> str:
    return ALL.replace("/", ";") + suffix


def uploaded(name: str, content: bytes) -> dict:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def tokenizer_file() -> dict:
    recipe = Recipe(merges=3, special_tokens=tuple(PAYLOADS), pattern="none")
    trained = bpe.train([ALL], recipe)
    values = json.loads(files.dumps(trained)["tokenizer.bpe.json"])
    return uploaded(file_name(".json"), json.dumps({**values, "name": ALL}).encode())


def check(page, *, shown: bool = True) -> None:
    """Nothing has become an element, and the text is there as it was typed."""
    settled(page)
    if shown:
        expect(page.get_by_text(SEEN).first).to_be_attached()
    if page.locator(", ".join(PAYLOADS.values())).count():
        became = [text for text, element in PAYLOADS.items() if page.locator(element).count()]
        assert not became, page.url[:120]
    assert page.evaluate("typeof owned") == "undefined"


def choose(page, name: str) -> None:
    """Click a segment by its label."""
    settled(page)
    page.get_by_test_id("stButtonGroup").get_by_text(name, exact=True).first.click()
    settled(page)


def fill(page, label: str, text: str) -> None:
    settled(page)
    box = page.get_by_label(label, exact=True).first
    box.fill(text)
    box.press("Control+Enter" if box.evaluate("e => e.tagName") == "TEXTAREA" else "Enter")
    box.blur()
    settled(page)


def upload(page, place: str, file: dict) -> None:
    region = page.get_by_role("region", name=place)
    expect(region).to_be_visible()
    settled(page)
    region.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    settled(page)


ROWS = (
    'Chinese <i>MKHTML</i> **MKBOLD**,English $MKTEX$ :red[MKRED],"[MKLINK](http://evil.example)"\n'
    + "".join(f'"{typed}","{typed} in English",=1+1\n' for typed in PAYLOADS)
).encode()
CODES = [lesson.code for lesson in lessons.LESSONS]
LESSONS = ("merge", "pretokens", "encode", "notes", "relatives")
"""Those into which something can be typed."""
KEYS = (
    "view", "tokenizers", "base", "vocabulary", "vocabulary_search", "question", "source", "sample",
    "corpus", "size", "pattern", "specials", "section", "models", "model", "currency", "rate",
    "moment", "requests", "search", "lesson", "unit", "lang", "t", "state", "nobody knows this one",
)  # fmt: skip


@pytest.fixture(scope="module")
def page(shared):
    query = urllib.parse.quote(ALL)
    return shared(f"?lang=en&corpus=text&least=1&{query}={query}")


def type_text(page) -> None:
    """Type into the text that is compared and priced: a sample, or typed before."""
    page.get_by_role("textbox", name="My text", exact=True).or_(
        page.get_by_role("textbox", name="Chinese", exact=True)
    ).first.fill(ALL)


def test_what_a_visitor_types_or_brings_is_never_markup(page):
    # Train: the corpus, special tokens, the tokenizer's name.
    check(page, shown=False)
    fill(page, "Your text", ALL)
    check(page)
    open_section(page, "More settings")
    fill(page, "Special tokens, separated by spaces", ALL)
    check(page)
    page.get_by_role("button", name="Download", exact=True).click()
    fill(page, "Tokenizer name", SAID)
    check(page)
    page.keyboard.press("Escape")

    # Compare: that tokenizer, a text, a file whose name and tokens are hostile, a repository.
    page.get_by_role("link", name="Compare").first.click()
    check(page, shown=False)
    type_text(page)
    check(page)
    open_section(page, "Bring your own tokenizer")
    upload(page, "Tokenizer files", tokenizer_file())
    expect(page.get_by_text("entries").first).to_be_visible()
    check(page)
    fill(page, "Or a repository of the Hugging Face Hub", ALL)
    check(page)
    for view in ("Chinese vs. English", "Vocabularies"):
        choose(page, view)
        check(page)
    choose(page, "Overlap of two")
    check(page)


def test_nor_is_it_on_cost_or_learn_in_a_table_or_in_an_address(app, page):
    # Cost: both texts, a table of pairs, a model that is searched for, a text that is cut.
    go(page, "Cost")
    type_text(page)
    page.get_by_role("button", name="Put its translation beside it").click()
    fill(page, "Its translation", ALL)
    check(page, shown=False)
    choose(page, "Models and prices")
    fill(page, "Search", SAID)
    check(page, shown=False)
    choose(page, "A request")
    expect(page.get_by_role("textbox", name="My text", exact=True)).to_have_value(ALL)
    check(page, shown=False)
    choose(page, "A batch of prompts")
    page.wait_for_url("**section=batch**")  # the section before has a choice of the same name
    choose(page, "From a file")
    upload(page, "Text files", uploaded(file_name(".csv"), ROWS))
    check(page, shown=False)

    # Learn: whatever can be typed into.
    page.get_by_role("link", name="Learn").first.click()
    for lesson in LESSONS:
        place = page.locator(".st-key-lesson").get_by_role("radio").nth(CODES.index(lesson))
        place.click()
        page.wait_for_url(f"**lesson={lesson}**")
        settled(page)
        expect(page.locator(".view").first).to_be_visible()
        boxes = page.get_by_test_id("stMain").locator(
            "input[type=text]:not([role=combobox]):visible, textarea:visible"
        )
        expect(boxes.first).to_be_visible()
        for place in range(boxes.count()):
            boxes.nth(place).fill(SEEN)
            boxes.nth(place).press("Control+Enter")
            settled(page)
        check(page, shown=False)

    # An address with a hostile value of every name, known or not.
    query = "&".join(f"{urllib.parse.quote(key)}={urllib.parse.quote(ALL)}" for key in KEYS)
    page.goto(f"{app}/compare?{query}")
    check(page, shown=False)
    assert page.get_by_test_id("stException").count() == 0
