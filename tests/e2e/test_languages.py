"""Charts of both languages in a real browser: saved as SVG, PNG and CSV."""

from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

CHOSEN = "tokenizers=o200k_base&tokenizers=qwen3&tokenizers=llama2"

pytestmark = pytest.mark.e2e


@pytest.fixture
def compare(app) -> str:
    return f"{app}/compare"


def test_the_chart_of_a_question_is_saved_as_svg_and_png(compare, open_page):
    page = open_page(f"{compare}?lang=en&view=languages&{CHOSEN}")
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
